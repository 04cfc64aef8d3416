import { readPersonalEmailHmac, updatePerson } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { takenEmails } from './freeEmails';
import { canonicalEmail, emailFingerprints, emailTaken, rethrowEmailConflict, sealEmail } from './personalEmail';

/** Maps a personal email to a person; false if unchanged, `conflict` if another person has it. */
export async function mapEmail(tx: Transaction, userId: string, email: string): Promise<boolean> {
  const mapped = await readPersonalEmailHmac(tx, userId);
  if (mapped !== null && emailFingerprints(tx.secrets, email).some((fingerprint) => mapped.equals(fingerprint))) return false;
  if ((await takenEmails(tx, [canonicalEmail(email)])).size > 0) throw emailTaken();
  const { sealed, fingerprint } = sealEmail(tx.secrets, { institutionId: tx.institutionId, userId }, email);
  await updatePerson(tx, userId, { personalEmailSealed: sealed, personalEmailHmac: fingerprint }, tx.now).catch(rethrowEmailConflict);
  return true;
}
