import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';

/** The stored status of a developer; with an expired invitation it stays `invited`. */
export type DeveloperStatus = 'invited' | 'active' | 'suspended' | 'revoked';

/** A developer of an institution, with the state of the newest invitation. */
export interface DeveloperRow {
  id: string;
  full_name: string | null;
  email_sealed: string;
  status: DeveloperStatus;
  /** The number of the newest invitation, from 1. */
  invitation: number;
  /** The portal user, or `platform`. */
  invited_by: string;
  invited_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  suspended_at: Date | null;
  revoked_at: Date | null;
  /** The scopes that the keys they created may use at most; null without a ceiling. */
  scope_ceiling: string[] | null;
  created_at: Date;
}

const columns = `u.id, u.full_name, u.personal_email_sealed AS email_sealed, d.status, d.invitation, d.invited_by, d.invited_at, d.expires_at,
  d.accepted_at, d.suspended_at, d.revoked_at, d.scope_ceiling, u.created_at`;

const from = 'developers d JOIN users u ON u.id = d.user_id';

const byId = statement('developer_by_id', `SELECT ${columns} FROM ${from} WHERE d.institution_id = $1 AND d.user_id = $2`);

/** A developer of the institution, with any status. */
export async function findDeveloper(scope: InstitutionScope, id: string): Promise<DeveloperRow | undefined> {
  const [row] = await scope.sql<DeveloperRow>(byId, [scope.institutionId, id]);
  return row;
}

const lock = statement('developer_lock', "SELECT 1 FROM users WHERE institution_id = $1 AND id = $2 AND kind = 'developer' FOR NO KEY UPDATE");

/** Locks a developer and reads them under the lock; their status, sign-ins and keys change only under this lock. */
export async function lockDeveloper(scope: InstitutionScope, id: string): Promise<DeveloperRow | undefined> {
  await scope.sql(lock, [scope.institutionId, id]);
  return findDeveloper(scope, id);
}

/** One page of the institution's developers with any status, newest first. */
export function listDevelopers(scope: InstitutionScope, page: Page): Promise<PageOf<DeveloperRow>> {
  const conditions = [{ sql: 'd.institution_id = $', value: scope.institutionId }];
  return readPage(scope.sql, { columns, from, conditions, order: newestFirst('u.created_at', 'u.id') }, page);
}

const ceiling = statement('developer_ceiling', 'SELECT scope_ceiling FROM developers WHERE institution_id = $1 AND user_id = $2');

/** The scopes that a developer may use at most; null without a ceiling. */
export async function readScopeCeiling(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>, id: string): Promise<readonly string[] | null> {
  const [row] = await scope.sql<{ scope_ceiling: string[] | null }>(ceiling, [scope.institutionId, id]);
  return row?.scope_ceiling ?? null;
}

const canSignIn = statement(
  'developer_may_sign_in',
  `SELECT 1 FROM developers d JOIN institutions i ON i.id = d.institution_id
    WHERE d.institution_id = $1 AND d.user_id = $2 AND d.status = 'active' AND i.status = 'approved'`,
);

/** Whether a locked developer may sign in: they are active, and the institution is approved. */
export async function developerCanSignIn(scope: InstitutionScope, id: string): Promise<boolean> {
  return (await scope.sql(canSignIn, [scope.institutionId, id])).length > 0;
}
