import { lockPersonalEmails } from '../../db/repositories/people/emailLocks';
import { takenPersonalEmails } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { emailFingerprints, emailTakenByExisting } from './personalEmail';

/** Whether the fingerprints of one email may be stored under several keys: from the first rotation step to the last. */
const isRotating = ({ secrets }: Pick<Transaction, 'secrets'>): boolean => secrets.fingerprints('personal_email', '').length > 1;

/**
 * Makes the transactions of an institution that store personal emails run one after another while several keys are configured.
 * A unique index does not see that two fingerprints under different keys are of one email; this lock and a search by the
 * fingerprints under every key replace it. No-op with one key.
 */
export async function lockEmailsOfRotation(tx: Transaction): Promise<void> {
  if (isRotating(tx)) await lockPersonalEmails(tx);
}

/** Returns those of these emails that a student or faculty member of the institution has. */
export async function takenEmails(tx: Transaction, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  await lockEmailsOfRotation(tx);
  const byFingerprint = new Map(emails.flatMap((email) => emailFingerprints(tx.secrets, email).map((fingerprint) => [fingerprint.toString('hex'), email])));
  const taken = await takenPersonalEmails(tx, [...byFingerprint.keys()].map((hex) => Buffer.from(hex, 'hex')));
  return new Set([...taken].flatMap((hex) => byFingerprint.get(hex) ?? []));
}

/** `conflict` if a person of the institution has one of these emails, under a key that the unique index does not compare. No-op with one key. */
export async function requireFreeEmails(tx: Transaction, emails: readonly string[]): Promise<void> {
  if (emails.length > 0 && isRotating(tx) && (await takenEmails(tx, emails)).size > 0) throw emailTakenByExisting();
}
