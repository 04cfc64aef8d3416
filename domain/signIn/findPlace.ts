import { findAccount, type AccountPlace } from '../../db/repositories/accounts';
import { findGuardianAccount } from '../../db/repositories/guardianPeople';
import type { Domain } from '../context';
import { emailFingerprint } from '../people/personalEmail';

/** What somebody says of themselves who wants to sign in. */
export interface Named {
  /** A generated login email, or a guardian's own address. */
  login_email: string;
  /** Of a guardian in several institutions alone. */
  institution_id?: string | undefined;
}

/**
 * The account that somebody names. A guardian's is in the institution that they name, else in the one whose link they accepted
 * last; it is there only while they may sign in.
 */
export async function findPlace({ database, secrets }: Pick<Domain, 'database' | 'secrets'>, { login_email, institution_id }: Named, now: Date): Promise<AccountPlace | undefined> {
  const account = await findAccount(database.sql, login_email);
  return account ?? findGuardianAccount(database.sql, { fingerprint: emailFingerprint(secrets, login_email), institutionId: institution_id }, now);
}
