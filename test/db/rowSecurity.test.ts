import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { institutionScope, openDatabase, type Database } from '../../db/database';
import { particularTables } from '../../db/institutionPolicies';
import { grantServicePrivileges } from '../../db/privileges';
import { bindToInstitution } from '../../db/rowSecurity';
import { statement, type Sql } from '../../db/statement';
import { inTransaction } from '../../db/transaction';
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
  staff: 'Of the staff: the tenant role reads ids and names alone, for the logs.',
  staff_tokens: 'Of the staff: the tenant role has no privileges.',
  workflow_epochs: 'The same for all institutions: the tenant role reads it.',
};

const grant = (): Promise<void> => withConnection(own.ownerDatabaseUrl, (client) => grantServicePrivileges(
  { query: (text, values) => client.query(text, values).then(({ rows }) => rows) }, new URL(own.ownerDatabaseUrl), new URL(own.databaseUrl),
));

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
  database = await openDatabase(own.settings().databaseUrl, 4, () => undefined);
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
    const policies = ['all see {-} * true', `bound {${role}} * (institution_id = current_setting('institution_api.institution_id'::text, true))`];
    expect(found).toEqual(found.map(({ name }) => ({ name, enabled: true, forced: false, policies })));
    expect(found.length).toBeGreaterThan(65);
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
});

it('every index can be used behind a policy, but for those that say why not: what compares its columns is leakproof', async () => {
  const unusable: Readonly<Record<string, string>> = {
    erasures_links: 'Arrays: an institution has few erasures, which the index on it finds.',
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
      for (const text of ['SELECT email FROM staff', 'SELECT 1 FROM staff_tokens', 'SELECT 1 FROM console_sessions', "DELETE FROM workflow_epochs", "SELECT forget_institution('ins_2', 1)"]) {
        await expect(sql(text)).rejects.toThrow('permission denied');
      }
    });
  });
});

describe('a statement that forgets its institution', () => {
  const forgetful = statement('test_forgetful', 'SELECT id FROM users ORDER BY id');
  const ofOne = ['fac_1', 'grd_1', 'stu_1', 'stu_1b'];
  const ofBoth = [...ofOne, ...ofOne.map((id) => id.replace('1', '2'))].sort();
  const ids = async (sql: Sql, query: Parameters<Sql>[0] = forgetful): Promise<string[]> => (await sql<{ id: string }>(query)).map(({ id }) => id);

  it.each([['prepared by name', forgetful], ['without a name', forgetful.text]])('reads one institution\'s rows alone as a read of its own, %s', async (_how, query) => {
    expect(await ids(institutionScope(database, 'ins_1').sql, query)).toEqual(ofOne);
    expect(await ids(institutionScope(database, 'ins_of_nobody').sql, query)).toEqual([]);
    expect(await ids(database.sql, query)).toEqual(ofBoth);
  });

  it('reads and writes one institution\'s rows alone in a transaction', async () => {
    const { result } = await inTransaction(database, 'ins_1', async ({ sql }) => [await ids(sql), await sql('UPDATE groups SET name = name RETURNING id')]);
    expect(result).toEqual([ofOne, [{ id: 'grp_1' }]]);
  });

  it('reads the rows of all as the platform, and of a named institution, within a transaction that goes on with its own', async () => {
    const { result } = await inTransaction(database, 'ins_1', async ({ sql, platform, scopeOf }) =>
      [await ids(platform.sql), await ids(sql), await ids(scopeOf('ins_2').sql), await ids(sql)].map((found) => found.length));
    expect(result).toEqual([8, 4, 4, 4]);
  });

  it('leaves nothing on the connection, alternating between institutions, errors and rollbacks', async () => {
    const single = await openDatabase(own.settings().databaseUrl, 2, () => undefined);
    try {
      for (const id of ['ins_1', 'ins_2', 'ins_1']) {
        const scope = institutionScope(single, id);
        expect((await ids(scope.sql)).length).toBe(4);
        await expect(scope.sql(statement('test_unknown', 'SELECT 1 FROM no_table'))).rejects.toThrow('no_table');
        await expect(scope.sql('SELECT 1 / 0')).rejects.toThrow('division by zero');
        await expect(inTransaction(single, id, ({ sql }) => sql('SELECT 1 / 0'))).rejects.toThrow('division by zero');
        await expect(inTransaction(single, id, ({ scopeOf }) => scopeOf('ins_2').sql('SELECT 1 / 0'))).rejects.toThrow('division by zero');
        expect(await single.sql("SELECT current_user = session_user AS is_platform, coalesce(current_setting('institution_api.institution_id', true), '') AS id")).toEqual([{ is_platform: true, id: '' }]);
        expect(await ids(single.sql)).toEqual(ofBoth);
      }
    } finally {
      await single.close();
    }
  });
});

it('an id of an institution cannot end the statement that names it', async () => {
  const id = "ins_1'; RESET ROLE; --\\'";
  const { result } = await inTransaction(database, id, ({ sql }) => sql("SELECT current_user::text AS role, current_setting('institution_api.institution_id') AS id"));
  expect(result).toEqual([{ role, id }]);
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
    'webhooks/deliveries.ts': 'A list by the class of responses needs an index with an expression, which a policy does not let be used.',
  };
  expect(uses).toEqual(Object.keys(reasons));
});
