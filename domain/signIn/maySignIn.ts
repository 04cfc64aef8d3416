import type { UserKind } from '../../db/entities/user';
import type { AccountRow } from '../../db/repositories/signIn/accounts';
import { developerCanSignIn } from '../../db/repositories/developers/developers';
import { guardianCanSignIn } from '../../db/repositories/guardians/people';
import type { Transaction } from '../context';
import { openEmail } from '../people/personalEmail';
import type { SecretBox } from '../secrets/secretBox';

/** Additional conditions of people who sign in with their own address; the others have none. */
const signInChecks: Record<UserKind, (tx: Transaction, id: string) => Promise<boolean>> = {
  student: () => Promise.resolve(true),
  faculty: () => Promise.resolve(true),
  guardian: (tx, id) => guardianCanSignIn(tx, id, tx.now),
  developer: developerCanSignIn,
};

/**
 * Whether a locked account may sign in: not while the person is suspended; a guardian needs a link that is verified, or
 * accepted and not expired (section Guardian link), a developer must be active, both need an approved institution.
 */
export async function maySignIn(tx: Transaction, { id, kind, status }: AccountRow): Promise<boolean> {
  return status !== 'suspended' && signInChecks[kind](tx, id);
}

/** Returns the name with which a person signs in: the generated login email, or the own address of a guardian or developer. */
export function signInName(secrets: SecretBox, { id, institution_id, login_email, personal_email_sealed }: AccountRow): string {
  if (login_email !== null) return login_email;
  if (personal_email_sealed === null) throw new Error('An account has neither a login email nor an address');
  return openEmail(secrets, { institutionId: institution_id, userId: id }, personal_email_sealed);
}
