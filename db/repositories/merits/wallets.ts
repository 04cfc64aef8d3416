import type { InstitutionScope } from '../../database';
import type { UserStatus } from '../../entities/user';
import { statement } from '../../statement';
import { isLoginEmail } from '../people/licensedPeople';

/** A person who has a wallet: every student and faculty member, even without moves. */
export interface WalletOwner {
  id: string;
  login_email: string;
  status: UserStatus;
}

// Guardians have no login email, and so no wallet.
const one = (condition: string): string =>
  `SELECT u.id, e.login_email, u.status FROM users u JOIN institution_emails e ON e.user_id = u.id WHERE u.institution_id = $1 AND ${condition}`;

const byId = statement('wallet_owner_by_id', one('u.id = $2'));
const byLoginEmail = statement('wallet_owner_by_login_email', one('e.login_email = lower($2)'));
const lockByIdForShare = statement('wallet_owner_hold_by_id', `${byId.text} FOR SHARE OF u`);
const lockByLoginEmailForShare = statement('wallet_owner_hold_by_login_email', `${byLoginEmail.text} FOR SHARE OF u`);

/** The owner of a wallet by internal id or login email. */
export async function readWalletOwner(scope: InstitutionScope, idOrEmail: string): Promise<WalletOwner | undefined> {
  const [row] = await scope.sql<WalletOwner>(isLoginEmail(idOrEmail) ? byLoginEmail : byId, [scope.institutionId, idOrEmail]);
  return row;
}

/** The same inside a transaction, with a share lock until the commit: a suspension is committed before, or waits. */
export async function lockWalletOwnerForShare(scope: InstitutionScope, idOrEmail: string): Promise<WalletOwner | undefined> {
  const [row] = await scope.sql<WalletOwner>(isLoginEmail(idOrEmail) ? lockByLoginEmailForShare : lockByIdForShare, [scope.institutionId, idOrEmail]);
  return row;
}
