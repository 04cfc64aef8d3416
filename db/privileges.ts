import { escapeIdentifier, escapeLiteral } from 'pg';

/** Runs statements as the owner of the tables, and returns rows. */
interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** The columns of the audit log that the service may write; the database sets the time. */
const auditColumns = 'id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id';

/** The same of the record of disclosures. */
const disclosureColumns = 'id, institution_id, actor_kind, actor_id, what, subject_id, operation, query, request_id';

/** The service's privileges: read and write every table, own none; of the audit log and the record of disclosures, read and append only. */
const grantStatements = (role: string): string => `
GRANT USAGE ON SCHEMA public TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
REVOKE ALL ON audit_log, disclosures, migrations FROM ${role};
REVOKE INSERT, UPDATE, DELETE ON partitioned_tables FROM ${role};
GRANT SELECT, INSERT (${auditColumns}) ON audit_log TO ${role};
GRANT SELECT, INSERT (${disclosureColumns}) ON disclosures TO ${role};
GRANT EXECUTE ON FUNCTION forget_audited(integer), keep_disclosure_partitions(), forget_institution(text, integer),
  make_partition(text), note_expired_events(text), drop_partition(text, text), rows_without_partition() TO ${role};`;

/** Creates the role if it is missing, and sets its password. */
const createLoginRole = (role: string, password: string): string => `
DO $$ BEGIN
  CREATE ROLE ${role};
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;
ALTER ROLE ${role} LOGIN PASSWORD ${escapeLiteral(password)};`;

/**
 * Creates the service's role if it is missing, and grants its privileges in one message, all or none. No-op if the service
 * connects as the owner of its tables; fails if it connects as a superuser, whom privileges do not restrict.
 */
export async function grantServicePrivileges(runner: Runner, owner: URL, service: URL): Promise<void> {
  if (service.username === owner.username) return;
  const name = decodeURIComponent(service.username);
  const role = escapeIdentifier(name);
  const found: unknown = await runner.query('SELECT 1 FROM pg_roles WHERE rolname = $1 AND rolsuper', [name]);
  if (Array.isArray(found) && found.length > 0) throw new Error(`The service must not sign in as the superuser ${name}`);
  await runner.query(createLoginRole(role, decodeURIComponent(service.password)) + grantStatements(role));
}
