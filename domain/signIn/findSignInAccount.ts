import { findAccount, type AccountReference } from '../../db/repositories/signIn/accounts';
import { findByOwnAddress, type AddressKind } from '../../db/repositories/signIn/ownAddresses';
import type { Domain } from '../context';
import { emailFingerprint } from '../people/personalEmail';

/** What somebody says of themselves who wants to sign in. */
export interface SignInIdentity {
  /** A generated login email, or the own address of a guardian or developer. */
  login_email: string;
  /** Of whoever has one address in several institutions alone. */
  institution_id?: string | undefined;
  /** Of whoever is guardian and developer by one address alone. */
  kind?: AddressKind | undefined;
}

/**
 * The account that somebody names. Of the guardians and developers with one address it is the one of the institution and
 * kind that they name, else the one whose invitation they accepted last; it is there only while they may sign in.
 */
export async function findSignInAccount(
  { database, secrets }: Pick<Domain, 'database' | 'secrets'>,
  { login_email, institution_id, kind }: SignInIdentity,
  now: Date,
): Promise<AccountReference | undefined> {
  const account = await findAccount(database.sql, login_email);
  return account ?? findByOwnAddress(database.sql, { fingerprint: emailFingerprint(secrets, login_email), institutionId: institution_id, kind }, now);
}
