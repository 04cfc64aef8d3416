import { Client } from 'pg';
import { grantServicePrivileges } from '../../db/privileges';
import { withConnection } from '../../local/programs/postgres';
import { newId } from '../../domain/ids';
import { pruneExpired } from '../../domain/retention/pruneExpired';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { daysBefore } from '../support/time';
import { seedAuditLog } from '../support/seed/auditLog';

let api: TestApi;
let institution: TestInstitution;
let service: Client;
let owner: Client;

beforeAll(async () => {
  api = await startTestApi();
  institution = await api.institution();
  await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  service = new Client({ connectionString: api.stack.databaseUrl });
  owner = new Client({ connectionString: api.stack.ownerDatabaseUrl });
  await Promise.all([service.connect(), owner.connect()]);
});

afterAll(async () => {
  await Promise.all([service.end(), owner.end()]);
  await api.stop();
});

/** A call as the service appends it, with the other columns given. */
function appended(also: Readonly<Record<string, string>> = {}): string {
  const columns: Record<string, string> = {
    id: `'${newId('aud')}'`, institution_id: `'${institution.id}'`, actor_kind: "'key'", actor_id: "'key_1'", operation: "'createStudent'", method: "'POST'",
    path: "'/v1/students'", target: "'{}'", changed: "'{}'", request_id: "'req_1'", ...also,
  };
  return `INSERT INTO audit_log (${Object.keys(columns).join()}) VALUES (${Object.values(columns).join()})`;
}

const count = async (): Promise<number> => (await owner.query('SELECT 1 FROM audit_log')).rowCount ?? 0;
const denied = (text: string) => expect(service.query(text)).rejects.toMatchObject({ code: '42501' });

describe('the role that the service signs in as', () => {
  it('appends to the audit log, and reads it', async () => {
    await service.query(appended());
    expect((await service.query('SELECT at FROM audit_log')).rowCount).toBeGreaterThan(1);
  });

  it.each([
    "UPDATE audit_log SET actor_id = 'somebody else'",
    'DELETE FROM audit_log',
    "DELETE FROM audit_log WHERE at < now() - interval '401 days'",
    'TRUNCATE audit_log',
    'SELECT 1 FROM audit_log FOR UPDATE',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'DROP TRIGGER audit_log_rows ON audit_log',
    'CREATE RULE lost AS ON INSERT TO audit_log DO INSTEAD NOTHING',
    'DROP TABLE audit_log',
    'DROP FUNCTION forget_audited(integer)',
    'ALTER FUNCTION append_audit RENAME TO append_nothing',
    'ALTER TABLE audit_log OWNER TO CURRENT_USER',
    'GRANT ALL ON audit_log TO CURRENT_USER',
    "SET session_replication_role = 'replica'",
    'SET ROLE postgres',
  ])('is refused: %s', async (text) => {
    const before = await count();
    // A role that may grant nothing gets a warning, and has granted nothing.
    if (text.startsWith('GRANT')) {
      await service.query(text);
      await denied('DELETE FROM audit_log');
    } else await denied(text);
    expect(await count()).toBe(before);
  });

  it('does not choose the time of a call', async () => {
    await denied(appended({ at: "'2020-01-01'" }));
    await denied(appended({ at: 'now()' }));
  });
});

describe('the owner of the audit log', () => {
  it.each(["UPDATE audit_log SET actor_id = 'somebody else'", 'DELETE FROM audit_log', 'TRUNCATE audit_log', "INSERT INTO audit_log SELECT * FROM audit_log ON CONFLICT (id) DO UPDATE SET path = ''"])(
    'is refused as well: %s',
    async (text) => {
      const before = await count();
      await expect(owner.query(text)).rejects.toThrow('the audit log is append-only');
      expect(await count()).toBe(before);
    },
  );
});

it("calls are deleted once they are over 400 days old, chunk by chunk, regardless of the service's clock", async () => {
  const before = await count();
  await seedAuditLog(api, institution, { at: daysBefore(new Date(), 399) });
  // A call of a month that began 400 days ago goes with the others of that month.
  await seedAuditLog(api, institution, { at: daysBefore(new Date(), 432), count: 5_003 });
  const inTenYears = daysBefore(new Date(), -3_650);
  expect(await pruneExpired(api.api.domain, 'auditLog', inTenYears)).toEqual({ removed: 5_000, more: true });
  expect(await pruneExpired(api.api.domain, 'auditLog', inTenYears)).toEqual({ removed: 3, more: false });
  expect(await count()).toBe(before + 1);
});

describe('the rights of the service', () => {
  const grant = (url: URL) => {
    const runner = { query: (text: string, values?: unknown[]) => owner.query(text, values).then(({ rows }) => rows) };
    return grantServicePrivileges(runner, new URL(api.stack.ownerDatabaseUrl), url);
  };

  it('are the same when they are given again, after tables of a later version', async () => {
    await owner.query('CREATE TABLE of_a_later_version (id integer)');
    await denied('SELECT 1 FROM of_a_later_version');
    await grant(new URL(api.settings.databaseUrl));
    await service.query('SELECT 1 FROM of_a_later_version');
    await denied('DELETE FROM audit_log');
    await denied("DELETE FROM migrations");
    await owner.query('DROP TABLE of_a_later_version');
  });

  it('are not given to a superuser, whom none binds', async () => {
    const role = `super_${Date.now()}`;
    await owner.query(`CREATE ROLE ${role} SUPERUSER`);
    const url = new URL(api.settings.databaseUrl);
    url.username = role;
    await expect(grant(url)).rejects.toThrow(`must not sign in as the superuser ${role}`);
    await owner.query(`DROP ROLE ${role}`);
  });

  it('bind a service that owns its tables by the trigger alone', async () => {
    await grant(new URL(api.stack.ownerDatabaseUrl));
    await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
      await client.query(appended());
      await expect(client.query('DELETE FROM audit_log')).rejects.toThrow('append-only');
    });
  });
});
