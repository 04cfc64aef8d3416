import { institutionScope, openDatabase } from '../../db/database';
import { openGenericPlanPool } from '../../db/genericPlanPool';
import { grantServicePrivileges } from '../../db/privileges';
import { hasOlderTransactions } from '../../db/repositories/erasure/people';
import { senderRole, senderSettings, senderUrl, serviceSettings, type SessionSettings } from '../../db/sessionSettings';
import type { Sql } from '../../db/statement';
import { withConnection } from '../../local/programs/postgres';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;

beforeAll(async () => {
  own = await stack();
});

afterAll(() => own.stop());

/** What a session has of these settings. */
async function shown(sql: Sql, settings: SessionSettings): Promise<SessionSettings> {
  const rows = await sql<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [Object.keys(settings)]);
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

describe.each(['connection', 'role'] as const)('a session whose settings come from its %s', (source) => {
  it('has the timeouts of the service', async () => {
    const database = await openDatabase(own.databaseUrl, 2, () => undefined, source);
    try {
      expect(await shown(database.sql, serviceSettings)).toEqual(serviceSettings);
    } finally {
      await database.close();
    }
  });

  it('of the sender keeps plans that use indexes', async () => {
    const pool = openGenericPlanPool(own.databaseUrl, 1, () => undefined, source);
    try {
      expect(await shown(pool.sql, senderSettings)).toEqual(senderSettings);
    } finally {
      await pool.close();
    }
  });
});

it('the service does not start while its role has not the settings that are to come from it', async () => {
  const opening = openDatabase(own.ownerDatabaseUrl, 2, () => undefined, 'role');
  await expect(opening).rejects.toThrow('The role of DATABASE_URL must have lock_timeout = 2000, statement_timeout = 30000');
});

it('the role of the sender has the privileges of the service, and no others', async () => {
  await withConnection(senderUrl(own.databaseUrl), async (client) => {
    await client.query('SELECT 1 FROM users');
    await expect(client.query('DELETE FROM audit_log')).rejects.toThrow('permission denied');
    await expect(client.query('SELECT 1 FROM migrations')).rejects.toThrow('permission denied');
  });
});

it('a transaction of the sender is one of the service, for which an erasure waits', async () => {
  const database = await openDatabase(own.databaseUrl, 2, () => undefined);
  try {
    await withConnection(senderUrl(own.databaseUrl), async (client) => {
      await client.query('BEGIN');
      // Of a date milliseconds are left.
      const { rows: [begun] } = await client.query<{ at: Date }>("SELECT clock_timestamp() + interval '1 ms' AS at");
      const scope = institutionScope(database, 'ins_of_nobody');
      expect(await hasOlderTransactions(scope, begun?.at ?? new Date(0))).toBe(true);
      await client.query('COMMIT');
      expect(await hasOlderTransactions(scope, begun?.at ?? new Date(0))).toBe(false);
    });
  } finally {
    await database.close();
  }
});

describe('migrations of two databases of one cluster', () => {
  /** A role of these tests alone: others sign in as the service while this one may not. */
  const serviceUrl = (): string => {
    const url = new URL(own.databaseUrl);
    url.username = `granted_${url.pathname.slice(1)}`;
    return url.href;
  };

  beforeAll(() => grant());

  afterAll(() => withConnection(own.ownerDatabaseUrl, async (client) => {
    const { username } = new URL(serviceUrl());
    for (const name of [username, senderRole(username)]) await client.query(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
  }));

  /** Grants, and returns the statements. */
  const grant = async (): Promise<string[]> => {
    const statements: string[] = [];
    await withConnection(own.ownerDatabaseUrl, (client) => grantServicePrivileges({
      query: (text, values) => {
        statements.push(text);
        return client.query(text, values).then(({ rows }) => rows);
      },
    }, new URL(own.ownerDatabaseUrl), new URL(serviceUrl())));
    return statements;
  };

  it('may alter the roles at the same time', async () => {
    await Promise.all(Array.from({ length: 4 }, grant));
  });

  it('write no setting that a role has already', async () => {
    const settingsOf = (role: string) => withConnection(own.ownerDatabaseUrl, async (client) => {
      const { rows } = await client.query<{ written: string; config: string[] }>(
        'SELECT s.xmin::text AS written, s.setconfig AS config FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole WHERE r.rolname = $1', [role]);
      return rows;
    });
    const { username } = new URL(serviceUrl());
    const roles = [username, senderRole(username)];
    const before = await Promise.all(roles.map(settingsOf));
    await grant();
    expect(before.map((rows) => rows.length)).toEqual([1, 1]);
    expect(await Promise.all(roles.map(settingsOf))).toEqual(before);
  });

  it('set the password of a role only if it has another or cannot sign in, and never send it: a pooler may know the verifier, and statements are logged', async () => {
    const { username, password } = new URL(serviceUrl());
    const roles = [username, senderRole(username)];
    const verifiers = () => withConnection(own.ownerDatabaseUrl, async (client) => {
      const { rows } = await client.query<{ rolpassword: string }>('SELECT rolpassword FROM pg_authid WHERE rolname = ANY ($1) ORDER BY rolname', [roles]);
      return rows.map(({ rolpassword }) => rolpassword);
    });
    const signsIn = (url: string): Promise<boolean> => withConnection(url, (client) => client.query('SELECT 1')).then(() => true, () => false);
    const before = await verifiers();
    expect(before).toHaveLength(2);
    await grant();
    expect(await verifiers()).toEqual(before);
    for (const change of ["NOLOGIN", "PASSWORD 'another'"]) {
      await withConnection(own.ownerDatabaseUrl, async (client) => {
        for (const role of roles) await client.query(`ALTER ROLE ${client.escapeIdentifier(role)} ${change}`);
      });
      const statements = await grant();
      expect([password.length > 10, statements.length > 0, statements.filter((text) => text.includes(password))]).toEqual([true, true, []]);
      expect(await signsIn(serviceUrl())).toBe(true);
      expect(await signsIn(senderUrl(serviceUrl()))).toBe(true);
      const now = await verifiers();
      expect([now.every((stored) => stored.startsWith('SCRAM-SHA-256$4096:')), now[0] === now[1], now[0] === before[0]]).toEqual([true, true, false]);
    }
  });
});
