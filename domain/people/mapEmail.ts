import { UserEntity } from '../../db/entities/user';
import { takenPersonalEmails } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { emailTaken, rethrowEmailConflict, sealEmail } from './personalEmail';

/** Maps a personal email to a person; false if unchanged, `conflict` if another person has it. */
export async function mapEmail(tx: Transaction, userId: string, email: string): Promise<boolean> {
  const { sealed, fingerprint } = sealEmail(tx.secrets, email);
  const users = tx.manager.getRepository(UserEntity);
  const own = { id: userId, institutionId: tx.institutionId };
  const user = await users.findOneByOrFail(own);
  if (user.personalEmailHmac?.equals(fingerprint) === true) return false;
  if ((await takenPersonalEmails(tx, [fingerprint])).size > 0) throw emailTaken();
  await users
    .update(own, { personalEmailSealed: sealed, personalEmailHmac: fingerprint, updatedAt: tx.now })
    .catch(rethrowEmailConflict);
  return true;
}
