import { findAccount, type AccountReference } from '../../db/repositories/signIn/accounts';
import { findByOwnAddress, type AddressKind } from '../../db/repositories/signIn/ownAddresses';
import type { Domain } from '../context';
import { emailFingerprints } from '../people/personalEmail';

/** How a person identifies their account. */
export interface SignInIdentity {
  /** A generated login email, or the own address of a guardian or developer. */
  login_email: string;
  /** Only needed by people with one address in several institutions. */
  institution_id?: string | undefined;
  /** Only needed by people who are guardian and developer with one address. */
  kind?: AddressKind | undefined;
}

/**
 * Returns the identified account. Among guardians and developers with one address it is the one of the given institution
 * and kind, else the one whose invitation was accepted last, those of sandboxes after all others; only while they may sign in.
 */
export async function findSignInAccount(
  { database, secrets }: Pick<Domain, 'database' | 'secrets'>,
  { login_email, institution_id, kind }: SignInIdentity,
  now: Date,
): Promise<AccountReference | undefined> {
  const account = await findAccount(database.sql, login_email);
  return account ?? findByOwnAddress(database.sql, { fingerprints: emailFingerprints(secrets, login_email), institutionId: institution_id, kind }, now);
}
