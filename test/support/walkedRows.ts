import { type Client, type Pool, type PoolClient } from 'pg';
import { withConnection } from '../../local/programs/postgres';
import type { TestStack } from './stack';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** What a statement of a walk looked at. */
export interface WalkedStatement {
  text: string;
  /** Rows of tables, those that a condition left out among them. */
  rows: number;
  wholeTables: string[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function walked(text: string, plan: PlanNode): WalkedStatement {
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] !== undefined);
  const rowsOf = (node: PlanNode): number => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'];
  return {
    text,
    rows: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
    wholeTables: scans.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? ''),
  };
}

/** A pool whose connections explain each statement before they run it, in its transaction; what it looked at is in the list. */
export function explainingPool(pool: Pool): { pool: Pool; statements: WalkedStatement[] } {
  const statements: WalkedStatement[] = [];
  const explaining = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name) instanceof Function ? Reflect.get(target, name).bind(target) : Reflect.get(target, name);
        return (query: string | { text: string; values: unknown[] }, values: unknown[] = []) => {
          const [text, given] = typeof query === 'string' ? [query, values] : [query.text, query.values];
          const selects = /^(?:DECLARE .*? CURSOR FOR |\s*)(?=SELECT|WITH)/s;
          if (selects.test(text)) {
            void target.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, given).then(({ rows }) => {
              for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) statements.push(walked(text, Plan));
            });
          }
          return typeof query === 'string' ? target.query(query, values) : target.query(query);
        };
      },
    });
  const proxied = new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? async () => explaining(await target.connect()) : Reflect.get(target, name)),
  });
  return { pool: proxied, statements };
}

// Columns get texts and numbers by the name of the column and `n`; every student of the filled institution has one row.
const fillFunction = `
CREATE OR REPLACE FUNCTION pg_temp.fill(filled regclass, institution text, first int, last int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  names text;
  expressions text;
BEGIN
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum), string_agg(CASE
      WHEN attname = 'institution_id' OR (attname = 'id' AND filled = 'institutions'::regclass) THEN quote_literal(institution)
      WHEN attname = 'kind' AND filled = 'files'::regclass THEN '''recording'''
      WHEN attname = 'status' AND filled = 'files'::regclass THEN '''stored'''
      WHEN attname IN ('student_id', 'user_id', 'subject_id', 'person_id') OR (attname = 'id' AND filled = 'users'::regclass) THEN quote_literal('stu_' || institution || '_') || ' || n'
      WHEN attname ~ '_id$' AND atttypid = 'text'::regtype THEN quote_literal(regexp_replace(attname, '_id$', '_') || institution || '_') || ' || n'
      WHEN attname = 'id' AND atttypid = 'int8'::regtype THEN abs(hashtext(institution))::text || ' + n'
      WHEN attname = 'id' THEN quote_literal(CASE filled::text WHEN 'groups' THEN 'group' WHEN 'exams' THEN 'exam' WHEN 'attempts' THEN 'attempt' WHEN 'webhook_deliveries' THEN 'delivery' WHEN 'curricula' THEN 'curriculum' ELSE 'row' END || '_' || institution || '_') || ' || n'
      WHEN atttypid = 'text'::regtype THEN quote_literal(attname || '_' || institution || '_') || ' || n'
      WHEN atttypid = 'bytea'::regtype THEN 'sha256((' || quote_literal(attname || institution) || ' || n)::bytea)'
      WHEN atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'n'
      WHEN atttypid IN ('numeric'::regtype, 'float8'::regtype) THEN 'n % 100'
      WHEN atttypid = 'bool'::regtype THEN 'false'
      WHEN atttypid = 'timestamptz'::regtype THEN 'date_trunc(''month'', now()) + n * interval ''1 second'''
      WHEN atttypid = 'date'::regtype THEN 'date ''1990-01-01'' + n'
      WHEN atttypid = 'jsonb'::regtype THEN '''{}'''
      WHEN atttypid = 'text[]'::regtype THEN '''{}'''
      ELSE 'NULL' END, ', ' ORDER BY attnum)
    INTO names, expressions FROM pg_attribute WHERE attrelid = filled AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
  EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM generate_series($1, $2) n ON CONFLICT DO NOTHING', filled, names, expressions) USING first, last;
END $$`;

/** Fills tables with rows of institutions that do not exist, in a database that nobody else uses: neither checks, foreign keys nor triggers look at them. */
export async function fillTables({ ownerDatabaseUrl }: Pick<TestStack, 'ownerDatabaseUrl'>, tables: readonly string[], fills: readonly { institution: string; rows: number; analyze?: boolean }[]): Promise<void> {
  await withConnection(ownerDatabaseUrl, async (client) => {
    await client.query(`SET session_replication_role = replica; ${fillFunction}`);
    await dropChecks(client, tables);
    for (const table of tables) await client.query(`ALTER TABLE ${client.escapeIdentifier(table)} DISABLE TRIGGER USER`);
    await client.query(`TRUNCATE ${tables.join(', ')} CASCADE`);
    for (const { institution, rows, analyze } of fills) {
      for (const table of tables) await client.query('SELECT pg_temp.fill($1::regclass, $2, 1, $3)', [table, institution, rows]);
      if (analyze === true) await client.query('ANALYZE');
    }
  });
}

async function dropChecks(client: Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement FROM pg_constraint WHERE contype = 'c' AND coninhcount = 0 AND conrelid = ANY ($1::regclass[])",
    [tables],
  );
  for (const { statement } of rows) await client.query(statement);
}
