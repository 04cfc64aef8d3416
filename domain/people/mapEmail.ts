import { readPersonalEmailHmac, updatePerson } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { takenEmails } from './freeEmails';
import { canonicalEmail, emailFingerprints, emailTaken, rethrowEmailConflictAs, sealEmail } from './personalEmail';
import { requireNotLoginEmail } from './requireNotLoginEmail';

/** Maps a personal email to a person; false if unchanged, `conflict` if another person has it, `validation_error` with this field if it is a login email. */
export async function mapEmail(tx: Transaction, userId: string, field: string, email: string): Promise<boolean> {
  const mapped = await readPersonalEmailHmac(tx, userId);
  if (mapped !== null && emailFingerprints(tx.secrets, email).some((fingerprint) => mapped.equals(fingerprint))) return false;
  await requireNotLoginEmail(tx, field, email);
  if ((await takenEmails(tx, [canonicalEmail(email)])).size > 0) throw emailTaken();
  const { sealed, fingerprint } = sealEmail(tx.secrets, { institutionId: tx.institutionId, userId }, email);
  await updatePerson(tx, userId, { personalEmailSealed: sealed, personalEmailHmac: fingerprint }, tx.now).catch(rethrowEmailConflictAs(emailTaken));
  return true;
}
