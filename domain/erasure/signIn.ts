import { eraseCodeEmails, eraseQueuedEmails } from '../../db/repositories/erasure/emails';
import { eraseActivations, eraseOwnRows, listOwnRows } from '../../db/repositories/erasure/ownRows';
import { hasOlderTransactions, readDatabaseTime, replaceLoginEmail } from '../../db/repositories/erasure/people';
import { canonicalEmail, emailFingerprints } from '../people/personalEmail';
import type { EraseChunk } from './chunk';
import { ownRows } from './ownData';
import type { ErasureSubject } from './subject';

/** Maximum number of a person's sign-in codes and seats: older ones are deleted every day. */
const allRows = 10_000;

const withPrefix = ({ ids }: ErasureSubject, prefix: string): string[] => ids.filter((id) => id.startsWith(`${prefix}_`));

/**
 * Replaces the login email: what knows the former one leads to nobody. Then waits for the transactions that began before: they may
 * write, into stores that are searched next, what they read of the person. The place is the moment of the replacement.
 */
export const eraseLoginEmail: EraseChunk = async ({ scope, personId, subject: { loginEmail }, place, remove }) => {
  if (place !== '') return (await hasOlderTransactions(scope, new Date(place))) ? place : null;
  if (loginEmail !== null) await remove((tx) => replaceLoginEmail(tx, personId, loginEmail.replacement));
  return (await readDatabaseTime(scope)).toISOString();
};

/** Deletes codes for signing in, enrolling and changing the mailbox, and the emails that wait to be sent with them. */
export const eraseSignInCodes: EraseChunk = async (chunk) => {
  const { domain, scope, personId, subject, remove } = chunk;
  const codes = await listOwnRows(scope, 'sign_in_codes', personId, '', allRows);
  const fingerprints = subject.loginEmail === null ? [] : domain.secrets.fingerprints('sign_in_request', canonicalEmail(subject.loginEmail.former));
  await remove((tx) => eraseCodeEmails(tx, [...withPrefix(subject, 'code'), ...codes], fingerprints));
  return ownRows('sign_in_codes', 'enrolment_codes', 'mailbox_changes')(chunk);
};

/** Deletes seats, with the names of their devices, and the activations of the license. */
export const eraseDevices: EraseChunk = async ({ scope, personId, subject, remove }) => {
  const seats = await listOwnRows(scope, 'seats', personId, '', allRows);
  await remove(async (tx) => (await eraseOwnRows(tx, 'seats', seats)) + (await eraseActivations(tx, withPrefix(subject, 'lic'))));
  return null;
};

/** Removes the emails that wait for the person, or for guardians who were deleted with them. */
export const eraseEmails: EraseChunk = async ({ domain, subject, remove }) => {
  const fingerprints = subject.addresses.flatMap((address) => emailFingerprints(domain.secrets, address));
  await remove((tx) => eraseQueuedEmails(tx, subject.ids, fingerprints));
  return null;
};
