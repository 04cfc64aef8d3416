import { updatePerson } from '../../db/repositories/people/people';
import { lockAccount } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { replaceMailbox, requestMailboxChange } from './changeMailbox';

/** A teacher's profile from the first sign-in; codes are sent to the `email` of the first. */
export interface CompletedProfile {
  employee_id: string;
  department: string;
  position: string;
  email: string;
}

/**
 * Completes a faculty member's profile and emits `faculty.profile_completed`: their sign-in codes go to its email from now on. A
 * complete profile is replaced without an event; another email then is a change of the mailbox, which needs its code
 * ({@link requestMailboxChange}). `conflict` if another person of the institution has the first email, `validation_error` for a login email.
 */
export async function completeProfile(tx: Transaction, userId: string, { email, ...profile }: CompletedProfile, sessionId: string | null = null): Promise<void> {
  const account = await lockAccount(tx, userId);
  if (account?.kind !== 'faculty' || account.erased_at !== null) throw notFound('faculty member');
  if (account.profile_completed) await requestMailboxChange(tx, userId, email);
  else await replaceMailbox(tx, userId, { field: 'email', email }, sessionId);
  await updatePerson(tx, userId, { profile, profileCompleted: true }, tx.now);
  if (!account.profile_completed) tx.emit('faculty.profile_completed', { faculty_id: userId });
}
