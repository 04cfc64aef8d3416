import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { firstRow, type Runner } from './firstRow';
import { protectInstitutions, queryUnderLock } from './institutionPolicies';
import { createVerifier, verifies } from './passwordVerifier';
import { institutionPolicy, tenantRoleOf } from './rowSecurity';
import { senderRole, senderSettings, serviceSettings, type SessionSettings } from './sessionSettings';

/** The columns of the audit log that the service may write; the database sets the time. */
const auditColumns = 'id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id';

/** The same of the record of disclosures. */
const disclosureColumns = 'id, institution_id, actor_kind, actor_id, what, subject_id, operation, query, request_id';

/** The tables on which the service has other privileges than on the rest, or none. */
const restrictedTables = ['audit_log', 'disclosures', 'migrations'];

/** Tables of the platform alone. An institution's log names staff; it sees no more of them. */
const platformTables = ['console_sessions', 'staff', 'staff_tokens', 'partitioned_tables', 'row_fills', 'worker_deployments'];

/** What the service does to tables: reads and writes every one, owns none; of the audit log and the record of disclosures, reads and appends only. */
const grantTables = (role: string): string => `
GRANT USAGE ON SCHEMA public TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
REVOKE ALL ON ${restrictedTables.join(', ')} FROM ${role};
REVOKE INSERT, UPDATE, DELETE ON partitioned_tables FROM ${role};
GRANT SELECT, INSERT (${auditColumns}) ON audit_log TO ${role};
GRANT SELECT, INSERT (${disclosureColumns}) ON disclosures TO ${role};`;

/** Functions that do as the tables' owner what the service may not: they are of the platform. */
const grantFunctions = (role: string): string => `
GRANT EXECUTE ON FUNCTION forget_audited(integer), keep_disclosure_partitions(), forget_institution(text, integer),
  make_partition(text), note_expired_events(text, text), drop_partition(text, text), rows_without_partition(), analyze_partitioned(text) TO ${role};`;

/**
 * Grants the service's roles that are there the privileges on tables that they have none on yet: those of a migration that is about to
 * commit. A trigger may write to them for the release before, which runs on while later migrations take their time; to none of the
 * platform alone. The tenant role is bound to one institution in them at once.
 */
export async function grantNewTables(runner: Runner, owner: URL, service: URL): Promise<void> {
  if (service.username === owner.username) return;
  const name = decodeURIComponent(service.username);
  const tenant = await findBoundRole(runner);
  const roles = [name, senderRole(name), ...(tenant === undefined ? [] : [tenant])].map(escapeLiteral).join();
  await runner.query(`
DO $$ DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.oid::regclass AS table_name, r.rolname AS role_name FROM pg_class c, pg_roles r
     WHERE r.rolname IN (${roles}) AND c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
       AND c.relname NOT IN (${[...restrictedTables, ...platformTables].map(escapeLiteral).join()}) AND NOT has_table_privilege(r.oid, c.oid, 'SELECT')
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', v.table_name, v.role_name);
  END LOOP;
END $$`);
  // Without trying again: the migration is tried again whole.
  if (tenant !== undefined) await protectInstitutions(runner, tenant);
}

const signInTimeoutMs = 5_000;

/** Whether the role signs in with this password at the database of the tables' owner. */
async function signsIn(owner: URL, role: string, password: string): Promise<boolean> {
  const url = new URL(owner);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: signInTimeoutMs });
  // Why not does not matter: the password is set then, as for a new role.
  const connected = await client.connect().then(() => true, () => false);
  await client.end().catch(() => undefined);
  return connected;
}

/**
 * Whether the role can sign in, and has this password: by the verifier that Postgres stores, where the owner may read it and it is one of
 * SCRAM; else by signing in, which says nothing where any other password is taken, too.
 */
async function hasPassword(runner: Runner, owner: URL, role: string, password: string): Promise<boolean> {
  if ((await firstRow(runner, 'SELECT 1 FROM pg_roles WHERE rolname = $1 AND rolcanlogin', [role])) === undefined) return false;
  if (password === '') return true;
  if ((await firstRow(runner, "SELECT 1 WHERE has_table_privilege('pg_authid', 'SELECT')")) !== undefined) {
    const stored = await firstRow(runner, 'SELECT rolpassword AS verifier FROM pg_authid WHERE rolname = $1', [role]);
    const has = stored !== undefined && 'verifier' in stored && typeof stored.verifier === 'string' ? verifies(stored.verifier, password) : false;
    if (has !== undefined) return has;
  }
  return (await signsIn(owner, role, password)) && !(await signsIn(owner, role, randomBytes(16).toString('hex')));
}

/**
 * Creates the role if it is missing, and sets its password by a verifier, unless it has it: each time that the same password is set it
 * has another salt, and a pooler that has learned the verifier refuses its clients until it learns the new one. The verifier is empty
 * for a role without a password, which signs in otherwise.
 */
const createLoginRole = (role: string, verifier: string | undefined): string => (verifier === undefined ? '' : `
DO $$ BEGIN
  CREATE ROLE ${role};
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;
ALTER ROLE ${role} LOGIN PASSWORD ${verifier === '' ? 'NULL' : escapeLiteral(verifier)};`);

/** Sets what sessions of the role begin with. Writes nothing that is unchanged: two that alter one role at once fail. */
const setRoleSettings = (name: string, settings: SessionSettings): string => `
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
      WHERE r.rolname = ${escapeLiteral(name)} AND s.setdatabase = 0
        AND s.setconfig @> ARRAY[${Object.entries(settings).map(([setting, value]) => escapeLiteral(`${setting}=${value}`)).join()}]) THEN
    ${Object.entries(settings).map(([setting, value]) => `ALTER ROLE ${escapeIdentifier(name)} SET ${setting} = ${escapeLiteral(value)};`).join('\n    ')}
  END IF;
END $$;`;

/** A role for sessions of the service: it can sign in, has the service's privileges, and its sessions these settings. */
const sessionRole = (name: string, verifier: string | undefined, settings: SessionSettings): string =>
  createLoginRole(escapeIdentifier(name), verifier) + grantTables(escapeIdentifier(name)) + grantFunctions(escapeIdentifier(name)) + setRoleSettings(name, settings);

/**
 * The role that transactions of one institution take with SET LOCAL ROLE. Nobody signs in as it. The service may take it, but does
 * not inherit it: a policy binds who inherits its role.
 */
const tenantRole = (name: string, service: string): string => `
DO $$ BEGIN
  CREATE ROLE ${name} NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;${grantTables(name)}
REVOKE ALL ON ${platformTables.join(', ')}, workflow_epochs FROM ${name};
GRANT SELECT (id, name) ON staff TO ${name};
GRANT SELECT ON workflow_epochs TO ${name};
GRANT ${name} TO ${service} WITH INHERIT FALSE, SET TRUE;`;

/** The role that the policies of this database bind already: a new role of the service takes the same. */
const boundRole = `SELECT r.rolname AS role FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles) WHERE p.polname = '${institutionPolicy}' LIMIT 1`;

async function findBoundRole(runner: Runner): Promise<string | undefined> {
  const row = await firstRow(runner, boundRole);
  return row !== undefined && 'role' in row && typeof row.role === 'string' ? row.role : undefined;
}

/** Roles are of the whole cluster: who alters one while another database's migration does gets an internal error. */
const maxTries = 10;
const isInternalError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'XX000';

/** Runs a message that has no effect if it fails; again after an internal error. Each try waits until the other's message has ended. */
async function queryWithRetries(runner: Runner, text: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runner.query(text);
      return;
    } catch (error) {
      if (tries === maxTries || !isInternalError(error)) throw error;
    }
  }
}

/**
 * Creates the service's role if it is missing, that of its sender and that of its institutions' transactions, and grants their
 * privileges in one message, all or none; then binds the last to the rows of one institution.
 * The service's has those of the sender's, and so sees in pg_stat_activity what the sender runs. No-op if the service
 * connects as the owner of its tables; fails if it connects as a superuser, whom privileges do not restrict.
 */
export async function grantServicePrivileges(runner: Runner, owner: URL, service: URL, report: (line: string) => void = () => undefined): Promise<void> {
  if (service.username === owner.username) return;
  const name = decodeURIComponent(service.username);
  if ((await firstRow(runner, 'SELECT 1 FROM pg_roles WHERE rolname = $1 AND rolsuper', [name])) !== undefined) throw new Error(`The service must not sign in as the superuser ${name}`);
  const password = decodeURIComponent(service.password);
  const sender = senderRole(name);
  const tenant = (await findBoundRole(runner)) ?? tenantRoleOf(name);
  // One for both roles, if it is needed: a pooler learns one.
  let verifier: string | undefined;
  const missingVerifier = async (role: string): Promise<string | undefined> => {
    if (await hasPassword(runner, owner, role, password)) return undefined;
    verifier ??= password === '' ? '' : createVerifier(password);
    return verifier;
  };
  await queryWithRetries(runner, [
    sessionRole(name, await missingVerifier(name), serviceSettings),
    sessionRole(sender, await missingVerifier(sender), senderSettings),
    `GRANT ${escapeIdentifier(sender)} TO ${escapeIdentifier(name)};`,
    tenantRole(escapeIdentifier(tenant), escapeIdentifier(name)),
  ].join(''));
  await protectInstitutions(runner, tenant, (text) => queryUnderLock(runner, text, report));
}
