import { escapeIdentifier, escapeLiteral } from 'pg';
import { senderRole, senderSettings, serviceSettings, type SessionSettings } from './sessionSettings';

/** Runs statements as the owner of the tables, and returns rows. */
interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** The columns of the audit log that the service may write; the database sets the time. */
const auditColumns = 'id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id';

/** The same of the record of disclosures. */
const disclosureColumns = 'id, institution_id, actor_kind, actor_id, what, subject_id, operation, query, request_id';

/** The tables on which the service has other privileges than on the rest, or none. */
const restrictedTables = ['audit_log', 'disclosures', 'migrations'];

/** The service's privileges: read and write every table, own none; of the audit log and the record of disclosures, read and append only. */
const grantStatements = (role: string): string => `
GRANT USAGE ON SCHEMA public TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
REVOKE ALL ON ${restrictedTables.join(', ')} FROM ${role};
REVOKE INSERT, UPDATE, DELETE ON partitioned_tables FROM ${role};
GRANT SELECT, INSERT (${auditColumns}) ON audit_log TO ${role};
GRANT SELECT, INSERT (${disclosureColumns}) ON disclosures TO ${role};
GRANT EXECUTE ON FUNCTION forget_audited(integer), keep_disclosure_partitions(), forget_institution(text, integer),
  make_partition(text), note_expired_events(text, text), drop_partition(text, text), rows_without_partition(), analyze_partitioned(text) TO ${role};`;

/**
 * Grants the service's role, if it is there, the privileges on tables that it has none on yet: those of a migration that is about to
 * commit. A trigger may write to them for the release before, which runs on while later migrations take their time.
 */
export async function grantNewTables(runner: Runner, owner: URL, service: URL): Promise<void> {
  if (service.username === owner.username) return;
  const name = decodeURIComponent(service.username);
  const roles = [name, senderRole(name)].map(escapeLiteral).join();
  await runner.query(`
DO $$ DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.oid::regclass AS table_name, r.rolname AS role_name FROM pg_class c, pg_roles r
     WHERE r.rolname IN (${roles}) AND c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND c.relname NOT IN (${[...restrictedTables, 'partitioned_tables'].map(escapeLiteral).join()}) AND NOT has_table_privilege(r.oid, c.oid, 'SELECT')
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', v.table_name, v.role_name);
  END LOOP;
END $$`);
}

/** Creates the role if it is missing, and sets its password. */
const createLoginRole = (role: string, password: string): string => `
DO $$ BEGIN
  CREATE ROLE ${role};
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;
ALTER ROLE ${role} LOGIN PASSWORD ${escapeLiteral(password)};`;

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
const sessionRole = (name: string, password: string, settings: SessionSettings): string =>
  createLoginRole(escapeIdentifier(name), password) + grantStatements(escapeIdentifier(name)) + setRoleSettings(name, settings);

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
 * Creates the service's role if it is missing, and that of its sender, and grants their privileges in one message, all or none.
 * The service's has those of the sender's, and so sees in pg_stat_activity what the sender runs. No-op if the service
 * connects as the owner of its tables; fails if it connects as a superuser, whom privileges do not restrict.
 */
export async function grantServicePrivileges(runner: Runner, owner: URL, service: URL): Promise<void> {
  if (service.username === owner.username) return;
  const name = decodeURIComponent(service.username);
  const found: unknown = await runner.query('SELECT 1 FROM pg_roles WHERE rolname = $1 AND rolsuper', [name]);
  if (Array.isArray(found) && found.length > 0) throw new Error(`The service must not sign in as the superuser ${name}`);
  const password = decodeURIComponent(service.password);
  const sender = senderRole(name);
  await queryWithRetries(runner, [
    sessionRole(name, password, serviceSettings),
    sessionRole(sender, password, senderSettings),
    `GRANT ${escapeIdentifier(sender)} TO ${escapeIdentifier(name)};`,
  ].join(''));
}
