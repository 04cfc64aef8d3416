import { readPersonalEmailHmac, takenPersonalEmails, updatePerson } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { emailTaken, rethrowEmailConflict, sealEmail } from './personalEmail';

/** Maps a personal email to a person; false if unchanged, `conflict` if another person has it. */
export async function mapEmail(tx: Transaction, userId: string, email: string): Promise<boolean> {
  const { sealed, fingerprint } = sealEmail(tx.secrets, email);
  const mapped = await readPersonalEmailHmac(tx, userId);
  if (mapped?.equals(fingerprint) === true) return false;
  if ((await takenPersonalEmails(tx, [fingerprint])).size > 0) throw emailTaken();
  await updatePerson(tx, userId, { personalEmailSealed: sealed, personalEmailHmac: fingerprint }, tx.now).catch(rethrowEmailConflict);
  return true;
}
