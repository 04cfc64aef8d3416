import { deleteConsoleSessionsOf } from '../../db/repositories/staff/consoleSessions';
import { findStaffIdByEmail, findStaffIdBySubject, insertStaff, lockStaff, updateStaffRow, type StaffRole, type StaffRow } from '../../db/repositories/staff/staff';
import type { Transaction } from '../context';
import { newId } from '../ids';

/** What an identity provider says of a person who has just signed in there. */
export interface Identity {
  issuer: string;
  subject: string;
  name: string;
  /** Lower case; null if the provider gave none. */
  email: string | null;
  /** Whether the provider says that the email is theirs; null if it says nothing of it. */
  isEmailVerified: boolean | null;
  /** The role that the provider's claim gives; null for none. */
  role: StaffRole | null;
}

/** Why a person is not let in, although the provider knows them. */
export type Rejection = 'no_role' | 'no_email' | 'email_taken' | 'revoked';

/** The person who is let in, or why not. */
export type Admission = { staff: StaffRow } | { rejection: Rejection };

/** Returns the id of the person: by the provider's subject, else by the email. */
async function findKnown(tx: Transaction, { issuer, subject, email }: Identity): Promise<string | undefined> {
  return (await findStaffIdBySubject(tx.sql, issuer, subject)) ?? (email === null ? undefined : findStaffIdByEmail(tx.sql, email));
}

const isSameSubject = (known: StaffRow, { issuer, subject }: Identity): boolean => known.oidc_issuer === issuer && known.oidc_subject === subject;

/** Returns why a person who is known is not let in; undefined if they are. Only a verified email makes somebody the person who was added with it. */
function rejectionOf(known: StaffRow, identity: Identity): Rejection | undefined {
  if (!isSameSubject(known, identity) && (known.oidc_subject !== null || identity.isEmailVerified !== true)) return 'email_taken';
  return known.revoked_at === null ? undefined : 'revoked';
}

async function admitKnown(tx: Transaction, knownId: string, identity: Identity): Promise<Admission> {
  const known = await lockStaff(tx.sql, knownId);
  if (known === undefined) throw new Error(`There is no ${knownId}, although no row of the staff is deleted`);
  const { issuer, subject, name, role } = identity;
  if (role === null) {
    if (isSameSubject(known, identity)) await deleteConsoleSessionsOf(tx.sql, known.id);
    return { rejection: 'no_role' };
  }
  const rejection = rejectionOf(known, identity);
  if (rejection !== undefined) return { rejection };
  const staff = { ...known, name, role, oidc_issuer: issuer, oidc_subject: subject, updated_at: tx.now };
  await updateStaffRow(tx.sql, staff, tx.now);
  return { staff };
}

/**
 * Lets a person in whom an identity provider has signed in, with the role that the provider gives now: the first time as a new
 * person of the staff, unless the provider says that the email is not verified, or as the person who was added with the same verified email. Without a role nobody comes in, and the earlier
 * sessions of the person end.
 */
export async function admitIdentity(tx: Transaction, identity: Identity): Promise<Admission> {
  const { issuer, subject, name, email, isEmailVerified, role } = identity;
  const knownId = await findKnown(tx, identity);
  if (knownId !== undefined) return admitKnown(tx, knownId, identity);
  if (role === null) return { rejection: 'no_role' };
  // One that is not theirs would stand in the way of the person whose it is.
  if (email === null || isEmailVerified === false) return { rejection: 'no_email' };
  const added = await insertStaff(tx.sql, { id: newId('stf'), name, email, role, oidc_issuer: issuer, oidc_subject: subject, created_by: 'oidc', created_at: tx.now });
  if (added !== undefined) return { staff: added };
  // Another sign-in was faster, of this person or of another one with the email.
  const fasterId = await findKnown(tx, identity);
  return fasterId === undefined ? { rejection: 'email_taken' } : admitKnown(tx, fasterId, identity);
}
