import { escapeIdentifier, escapeLiteral } from 'pg';
import { statement, type Sql } from './statement';

/** The setting of a transaction with the institution whose rows it may see. */
export const institutionSetting = 'institution_api.institution_id';

/** The policy by which rows of one institution are all that the tenant role sees. */
export const institutionPolicy = 'of_institution';

/** The role that transactions of one institution take: a group, which nobody signs in as. */
export const tenantRoleOf = (serviceRole: string): string => `${serviceRole}_tenant`;

/** The role that the policies bind, if the session may take it. Where the service owns its tables there is none. */
const tenantRole = `
  SELECT r.rolname::text AS role FROM pg_policy p CROSS JOIN unnest(p.polroles) AS of (role) JOIN pg_roles r ON r.oid = of.role
   WHERE p.polname = '${institutionPolicy}' AND pg_has_role(r.oid, 'SET') AND NOT EXISTS (SELECT 1 FROM pg_roles s WHERE s.rolname = current_user AND s.rolsuper) LIMIT 1`;

/** Returns the role that transactions of one institution take; null if this database has none for the session's role. */
export async function findTenantRole(sql: Sql): Promise<string | null> {
  const [found] = await sql<{ role: string }>(tenantRole);
  return found?.role ?? null;
}

/** Takes a role until the transaction ends; null is the session's own, which sees the rows of all institutions. */
export const takeRole = (role: string | null): string => `SET LOCAL ROLE ${role === null ? 'NONE' : escapeIdentifier(role)}`;

/** Lets the tenant role see the rows of one institution until the transaction ends. */
export const seeInstitution = (institutionId: string): string => `SET LOCAL ${institutionSetting} = ${escapeLiteral(institutionId)}`;

/** Binds a transaction to the rows of one institution until it ends. */
export const bindToInstitution = (role: string, institutionId: string): string => `${takeRole(role)}; ${seeInstitution(institutionId)}`;

/** What binds a transaction that begins; nothing without a role, or an institution: then it is the platform's. */
export const bindingOf = (role: string | null, institutionId = ''): readonly string[] => (role === null || institutionId === '' ? [] : [bindToInstitution(role, institutionId)]);

/** Begins a transaction that is bound to an institution; without a role, or an institution, it is the platform's. */
export const beginBound = (role: string | null, institutionId: string): string => ['BEGIN', ...bindingOf(role, institutionId)].join('; ');

/**
 * Binds the statement that follows in the same transaction, by its parameters: the role and the institution. It finds no row, so that
 * its response is one message without a description. Both settings are made before it is known that neither is null.
 */
export const bindingStatement = statement(
  'bind_to_institution',
  `SELECT WHERE set_config('role', $1, true) IS NULL OR set_config('${institutionSetting}', $2, true) IS NULL`,
);
