import type { AccountRow } from '../../db/repositories/accounts';
import { guardianMaySignIn } from '../../db/repositories/guardianPeople';
import type { Transaction } from '../context';
import type { SecretBox } from '../secrets/secretBox';

/**
 * Whether a locked account may sign in: not while the person is suspended; a guardian with a link that is verified, or
 * accepted and not expired, while the institution is approved (section Guardian link).
 */
export async function maySignIn(tx: Transaction, { id, kind, status }: AccountRow): Promise<boolean> {
  if (status === 'suspended') return false;
  return kind !== 'guardian' || guardianMaySignIn(tx, id, tx.now);
}

/** What a person signs in as: the generated login email, or a guardian's own address. */
export function nameOf(secrets: SecretBox, { login_email, personal_email_sealed }: AccountRow): string {
  if (login_email !== null) return login_email;
  if (personal_email_sealed === null) throw new Error('An account has neither a login email nor an address');
  return secrets.open(personal_email_sealed);
}
