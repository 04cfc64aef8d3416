import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../db/database';
import { particularTables } from '../../db/institutionPolicies';
import { grantNewTables, grantServicePrivileges } from '../../db/privileges';
import { bindToInstitution } from '../../db/rowSecurity';
import { settingsSource } from '../../db/sessionSettings';
import type { Sql } from '../../db/statement';
import { withConnection } from '../../local/programs/postgres';
import { stack, type TestStack } from '../support/stack';
import { seedTwoInstitutions } from '../support/twoInstitutions';

let own: TestStack;
let database: Database;
let tables: { name: string; has_institution: boolean }[];
const role = 'institution_service_tenant';

/** Tables without rows of institutions, whose rows the tenant role sees as its privileges say. */
const withoutPolicies: Readonly<Record<string, string>> = {
  console_sessions: 'Of the staff: the tenant role has no privileges.',
  migrations: 'Of the owner: no role of the service has privileges.',
  partitioned_tables: 'Which tables have partitions: the tenant role has no privileges.',
  row_fills: 'How far the fills of all institutions are: the tenant role has no privileges.',
  staff: 'Of the staff: the tenant role reads ids and names alone, for the logs.',
  staff_tokens: 'Of the staff: the tenant role has no privileges.',
  worker_deployments: 'Which version of the workers is current: the tenant role has no privileges.',
  workflow_epochs: 'The same for all institutions: the tenant role reads it.',
};

const asOwner = <Result>(work: (run: (text: string, values?: unknown[]) => Promise<object[]>) => Promise<Result>): Promise<Result> =>
  withConnection(own.ownerDatabaseUrl, (client) => work((text, values) => client.query<object>(text, values).then(({ rows }) => rows)));
const urls = (): [owner: URL, service: URL] => [new URL(own.ownerDatabaseUrl), new URL(own.databaseUrl)];
const grant = (): Promise<void> => asOwner((query) => grantServicePrivileges({ query }, ...urls()));

/** Runs work as the tenant role in a transaction that is rolled back, bound to an institution unless it is null. */
const asTenant = <Result>(institutionId: string | null, work: (sql: Sql) => Promise<Result>): Promise<Result> => withConnection(own.databaseUrl, async (client) => {
  await client.query(institutionId === null ? `BEGIN; SET LOCAL ROLE ${role}` : `BEGIN; ${bindToInstitution(role, institutionId)}`);
  return work(async <Row extends object>(query: Parameters<Sql>[0], values?: readonly unknown[]) => {
    await client.query('SAVEPOINT one');
    try {
      return (await client.query<Row>(typeof query === 'string' ? query : query.text, [...(values ?? [])])).rows;
    } finally {
      await client.query('ROLLBACK TO SAVEPOINT one');
    }
  });
});

const protectedTables = (): string[] => tables.filter(({ name, has_institution }) => has_institution || name in particularTables).map(({ name }) => name);
const institutionsOf = async (sql: Sql, table: string): Promise<(string | null)[]> => {
  const key = table === 'institutions' ? 'id' : 'institution_id';
  return (await sql<{ of: string | null }>(`SELECT DISTINCT ${key} AS of FROM ${table} ORDER BY 1`)).map((row) => row.of);
};

beforeAll(async () => {
  own = await stack();
  await withConnection(own.ownerDatabaseUrl, seedTwoInstitutions);
  const settings = own.settings();
  database = await openDatabase(settings.databaseUrl, 4, () => undefined, settingsSource(settings));
  tables = await database.sql(
    `SELECT c.relname::text AS name, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'institution_id' AND NOT a.attisdropped) AS has_institution
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

describe('the catalogue', () => {
  it('has row-level security for every table but those that say why not', () => {
    expect(tables.map(({ name }) => name).filter((name) => !protectedTables().includes(name))).toEqual(Object.keys(withoutPolicies));
  });

  it('binds the tenant role to one institution in every such table, and no other role', async () => {
    const found = await database.sql<{ name: string; enabled: boolean; forced: boolean; policies: string[] }>(
      `SELECT c.relname::text AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
              ARRAY(SELECT format('%s %s %s %s', CASE WHEN polpermissive THEN 'all see' ELSE 'bound' END, polroles::regrole[]::text, polcmd, pg_get_expr(coalesce(polqual, polwithcheck), c.oid))
                      FROM pg_policy WHERE polrelid = c.oid ORDER BY polname) AS policies
         FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1) ORDER BY 1`,
      [[...Object.keys(withoutPolicies), ...Object.keys(particularTables)]],
    );
    const policies = ['all see {-} * true', `bound {${role}} * (institution_id = ( SELECT current_setting('institution_api.institution_id'::text, true) AS current_setting))`];
    expect(found).toEqual(found.map(({ name }) => ({ name, enabled: true, forced: false, policies })));
    expect(found.length).toBeGreaterThan(65);
  });

  it('binds a reader of a view as the tables beneath it do: the tenant role sees the rows of its institution, and none without one', async () => {
    const views = await database.sql<{ name: string; options: string[] | null }>("SELECT relname::text AS name, reloptions AS options FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') ORDER BY 1");
    expect(views).toEqual([{ name: 'deliveries', options: ['security_invoker=true'] }]);
    expect(await institutionsOf(database.sql, 'deliveries')).toEqual(['ins_1', 'ins_2']);
    expect(await asTenant('ins_1', (sql) => institutionsOf(sql, 'deliveries'))).toEqual(['ins_1']);
    expect(await asTenant(null, (sql) => institutionsOf(sql, 'deliveries'))).toEqual([]);
  });

  it('gives a table of a later release its policies with the next migration, and leaves the others as they are', async () => {
    const policies = (): Promise<{ id: string }[]> => database.sql("SELECT oid || ' ' || xmin AS id FROM pg_policy WHERE polrelid <> to_regclass('rooms') IS NOT FALSE ORDER BY 1");
    const before = await policies();
    await withConnection(own.ownerDatabaseUrl, (client) => client.query("CREATE TABLE rooms (institution_id text); INSERT INTO rooms VALUES ('ins_1'), ('ins_2')"));
    try {
      await grant();
      expect(await asTenant('ins_1', (sql) => institutionsOf(sql, 'rooms'))).toEqual(['ins_1']);
      expect(await policies()).toEqual(before);
    } finally {
      await withConnection(own.ownerDatabaseUrl, (client) => client.query('DROP TABLE rooms'));
    }
  });

  it('binds the tenant role in a new table as soon as the migration that makes it ends', async () => {
    await asOwner(async (query) => {
      await query('BEGIN; CREATE TABLE rooms (institution_id text)');
      await grantNewTables({ query }, ...urls());
      expect(await query(
        `SELECT relrowsecurity AS enabled, has_table_privilege('${role}', 'rooms', 'INSERT') AS may, (SELECT array_agg(polname::text ORDER BY polname) FROM pg_policy WHERE polrelid = c.oid) AS policies
           FROM pg_class c WHERE oid = 'rooms'::regclass`,
      )).toEqual([{ enabled: true, may: true, policies: ['everyone', 'of_institution'] }]);
      expect(await query(`SELECT name FROM unnest(ARRAY['staff', 'staff_tokens', 'console_sessions', 'partitioned_tables', 'migrations']) AS name WHERE has_table_privilege('${role}', name, 'SELECT')`)).toEqual([]);
      await query('ROLLBACK');
    });
  });
});

it('every index can be used behind a policy, but for those that say why not: what compares its columns is leakproof', async () => {
  const unusable: Readonly<Record<string, string>> = {
    erasures_links: 'Arrays: an institution has few erasures, which the index on it finds.',
    exams_by_title: 'An expression: support searches the exams of all institutions, as the platform.',
    open_deliveries_failed_code: 'An expression: the list of deliveries by the class of responses runs as the platform.',
    sessions_over: 'An expression, which the platform alone looks for, when it deletes old sessions.',
    webhook_deliveries_failed_code: 'An expression: the list of deliveries by the class of responses runs as the platform.',
  };
  const found = await database.sql<{ name: string }>(
    `SELECT DISTINCT x.relname::text AS name FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid
       JOIN LATERAL unnest(i.indclass) AS used (class) ON true JOIN pg_opclass o ON o.oid = used.class
       JOIN pg_amop a ON a.amopfamily = o.opcfamily AND a.amoplefttype = o.opcintype AND a.amoprighttype = o.opcintype
       JOIN pg_operator r ON r.oid = a.amopopr JOIN pg_proc p ON p.oid = r.oprcode
      WHERE c.relnamespace = 'public'::regnamespace AND c.relrowsecurity AND (i.indexprs IS NOT NULL OR NOT p.proleakproof) ORDER BY 1`,
  );
  expect(found.map(({ name }) => name)).toEqual(Object.keys(unusable));
});

describe('a transaction of the tenant role', () => {
  it('sees nothing of any table if no institution is set', async () => {
    await asTenant(null, async (sql) => {
      for (const table of protectedTables()) expect([table, await sql(`SELECT 1 FROM ${table}`)]).toEqual([table, []]);
    });
  });

  it('sees the rows of its institution in every table, and no others', async () => {
    await asTenant('ins_1', async (sql) => {
      for (const { name } of tables.filter(({ name, has_institution }) => has_institution || name === 'institutions')) {
        const seen = (await institutionsOf(database.sql, name)).filter((id) => id === 'ins_1');
        expect([name, await institutionsOf(sql, name)]).toEqual([name, seen]);
      }
    });
  });

  it('cannot insert a row of another institution', async () => {
    await asTenant('ins_1', async (sql) => {
      for (const { name } of tables.filter(({ has_institution }) => has_institution)) {
        await expect(sql(`INSERT INTO ${name} (institution_id) VALUES ('ins_2')`)).rejects.toThrow(`new row violates row-level security policy "of_institution${name === 'curricula' ? '_insert' : ''}" for table "${name}"`);
      }
    });
  });

  it('cannot change, delete or lock a row of another institution, or give it one of its own', async () => {
    const appendOnly = ['audit_log', 'disclosures'];
    await asTenant('ins_1', async (sql) => {
      for (const { name } of tables.filter(({ name, has_institution }) => has_institution && !appendOnly.includes(name))) {
        expect([name, await sql(`UPDATE ${name} SET institution_id = institution_id WHERE institution_id = 'ins_2' RETURNING 1`)]).toEqual([name, []]);
        expect([name, await sql(`DELETE FROM ${name} WHERE institution_id = 'ins_2' RETURNING 1`)]).toEqual([name, []]);
        expect([name, await sql(`SELECT 1 FROM ${name} WHERE institution_id = 'ins_2' FOR UPDATE`)]).toEqual([name, []]);
      }
      await expect(sql("UPDATE groups SET institution_id = 'ins_2'")).rejects.toThrow('row-level security');
      expect(await sql("UPDATE institutions SET name = 'x' WHERE id = 'ins_2' RETURNING 1")).toEqual([]);
    });
  });

  it('reads the curricula of the platform with their concepts, and writes none of them', async () => {
    await database.sql("INSERT INTO curricula (id, institution_id, title, status, created_at) VALUES ('cur_all', NULL, 'All', 'draft', now()), ('cur_2', 'ins_2', 'Two', 'draft', now())");
    await database.sql("INSERT INTO curriculum_concepts (curriculum_id, concept_id, position, title, requires) SELECT id, 'one', 1, 'One', '{}' FROM unnest(ARRAY['cur_all', 'cur_2']) id");
    await asTenant('ins_1', async (sql) => {
      expect(await sql('SELECT id FROM curricula')).toEqual([{ id: 'cur_all' }]);
      expect(await sql('SELECT curriculum_id FROM curriculum_concepts')).toEqual([{ curriculum_id: 'cur_all' }]);
      expect(await sql("UPDATE curricula SET institution_id = 'ins_1' RETURNING 1")).toEqual([]);
      expect(await sql('DELETE FROM curriculum_concepts RETURNING 1')).toEqual([]);
      const insert = "INSERT INTO curriculum_concepts (curriculum_id, concept_id, position, title, requires) VALUES ($1, 'two', 2, 'Two', '{}')";
      for (const id of ['cur_all', 'cur_2']) await expect(sql(insert, [id])).rejects.toThrow('row-level security');
    });
  });

  it('has no privileges on what is the platform\'s alone', async () => {
    await asTenant('ins_1', async (sql) => {
      expect(await sql('SELECT id, name FROM staff')).toEqual([]);
      for (const text of ['SELECT email FROM staff', 'SELECT 1 FROM staff_tokens', 'SELECT 1 FROM console_sessions', "DELETE FROM workflow_epochs", "SELECT forget_institution('ins_2', 1)", 'SELECT 1 FROM partitioned_tables', 'SELECT 1 FROM row_fills', 'SELECT 1 FROM worker_deployments']) {
        await expect(sql(text)).rejects.toThrow('permission denied');
      }
    });
  });
});

it('reads partitions through their table alone, and neither makes nor drops them', async () => {
  const partitioned = await database.sql<{ name: string; part: string }>(
    "SELECT p.relname::text AS name, i.inhrelid::regclass::text AS part FROM pg_class p JOIN pg_inherits i ON i.inhparent = p.oid WHERE p.relkind = 'p' AND p.relnamespace = 'public'::regnamespace ORDER BY 1, 2",
  );
  expect(new Set(partitioned.map(({ name }) => name))).toEqual(new Set(['attempt_events', 'audit_log', 'disclosures', 'events', 'webhook_attempts', 'webhook_deliveries']));
  await asTenant('ins_1', async (sql) => {
    for (const { part } of partitioned) await expect(sql(`SELECT 1 FROM ${part}`)).rejects.toThrow('permission denied');
    for (const call of ["make_partition('events')", "drop_partition('events', 'events_default')", "note_expired_events('events_default', '')", 'rows_without_partition()', 'keep_disclosure_partitions()', "analyze_partitioned('events')"]) {
      await expect(sql(`SELECT ${call}`)).rejects.toThrow('permission denied for function');
    }
  });
});

it('the release before, which sets no institution, reads and writes as it did', async () => {
  await withConnection(own.databaseUrl, async (client) => {
    await client.query('BEGIN');
    expect((await client.query('UPDATE users SET full_name = full_name RETURNING 1')).rowCount).toBe(8);
    expect((await client.query("INSERT INTO login_counters (institution_id, kind) VALUES ('ins_1', 'student'), ('ins_2', 'student')")).rowCount).toBe(2);
    await client.query('ROLLBACK');
  });
});

it('repositories reach beyond an institution in these statements alone', () => {
  const files = readdirSync('db/repositories', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts')).sort();
  const uses = files.filter((path) => /\bplatform(?:\.sql|: \{ sql \})|scope\.platform\b/.test(readFileSync(join('db/repositories', path), 'utf8')));
  const reasons: Readonly<Record<string, string>> = {
    'erasure/emails.ts': 'Requests for codes that wait have no institution yet.',
    'erasure/people.ts': 'Sees which transactions of the service are open.',
    'keys/keys.ts': 'The list of keys has those of the sandbox.',
    'offboarding/institution.ts': 'An institution leaves together with its sandbox.',
    'sandbox/erasure.ts': 'A sandbox that is reset has the config of its institution.',
    'sandbox/sandboxes.ts': 'A new sandbox has settings of its institution.',
    'signIn/emails.ts': 'Requests for codes that wait have no institution yet.',
    'support/found.ts': 'A developer of an institution makes keys of its sandbox, too.',
    'webhooks/deliveries.ts': 'A list by the class of responses needs an index with an expression, which a policy does not let be used.',
  };
  expect(uses).toEqual(Object.keys(reasons));
});
