import { escapeIdentifier, escapeLiteral } from 'pg';

/** Runs statements as the owner of the tables, and answers rows. */
interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** What of the audit log the service may write; when it was done is for the database to say. */
const auditColumns = 'id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id';

/** Read and write every table, own none; of the audit log, read and append. */
const grantStatements = (role: string): string => `
GRANT USAGE ON SCHEMA public TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
REVOKE ALL ON audit_log, migrations FROM ${role};
GRANT SELECT, INSERT (${auditColumns}) ON audit_log TO ${role};
GRANT EXECUTE ON FUNCTION forget_audited(integer) TO ${role};`;

/** Makes the role where it is missing, and has it signed in to with this password from now on. */
const createLoginRole = (role: string, password: string): string => `
DO $$ BEGIN
  CREATE ROLE ${role};
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;
ALTER ROLE ${role} LOGIN PASSWORD ${escapeLiteral(password)};`;

/**
 * Gives the service's role its rights, in one message and so all or none, and makes it where it is missing. A service that
 * signs in as the owner of its tables is left as it is; one that signs in as a superuser is refused: no right would bind it.
 */
export async function grantServicePrivileges(runner: Runner, owner: URL, service: URL): Promise<void> {
  if (service.username === owner.username) return;
  const name = decodeURIComponent(service.username);
  const role = escapeIdentifier(name);
  const found: unknown = await runner.query('SELECT 1 FROM pg_roles WHERE rolname = $1 AND rolsuper', [name]);
  if (Array.isArray(found) && found.length > 0) throw new Error(`The service must not sign in as the superuser ${name}`);
  await runner.query(createLoginRole(role, decodeURIComponent(service.password)) + grantStatements(role));
}
