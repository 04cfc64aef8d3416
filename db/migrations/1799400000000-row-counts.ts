import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is counted: each table with the columns that its rows are counted by. */
const counted = [
  { table: 'users', name: 'people', kind: 'kind', expiry: null },
  { table: 'licenses', name: 'licenses', kind: 'license_type', expiry: 'expires_at' },
  { table: 'submissions', name: 'submissions', kind: null, expiry: null },
] as const;

type CountedTable = (typeof counted)[number];

const kindOf = (row: string, { kind }: CountedTable): string => (kind === null ? "''" : `${row}.${kind}`);
const hourOf = (row: string, { expiry }: CountedTable): string => (expiry === null ? 'NULL::timestamptz' : `date_bin('1 hour', ${row}.${expiry}, '2000-01-01Z')`);

/*
 * Triggers, not the service, count the rows: every change, of the release before and of erasures, too, is counted in
 * the same transaction. Each statement adds a row instead of changing a sum, so that transactions of an institution do not wait for
 * each other; one statement in 500 folds the rows that no other transaction is folding. No foreign key: it would cost more than
 * the row, and the counted rows have one.
 */
const schema = `
CREATE TABLE IF NOT EXISTS row_counts (
  institution_id text NOT NULL,
  counted text NOT NULL CHECK (counted IN (${counted.map(({ name }) => `'${name}'`).join(', ')})),
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  status text NOT NULL,
  expiry_hour timestamptz,
  n bigint NOT NULL,
  PRIMARY KEY (institution_id, counted, id) INCLUDE (kind, status, expiry_hour, n)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);

-- How often the counts of an institution were wrong, by how many rows: 0 as long as the triggers are right.
CREATE TABLE IF NOT EXISTS row_count_checks (
  institution_id text PRIMARY KEY REFERENCES institutions (id),
  checked_at timestamptz(3) NOT NULL,
  corrected bigint NOT NULL
);

-- The newest rows, among them those of the fold before. A row that another transaction is folding is passed over, not waited for.
CREATE OR REPLACE FUNCTION fold_row_counts(p_institution_id text, p_counted text, p_limit bigint) RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  WITH gone AS (
    DELETE FROM public.row_counts WHERE institution_id = p_institution_id AND ctid = ANY (ARRAY(
      SELECT ctid FROM public.row_counts WHERE institution_id = p_institution_id AND counted = p_counted ORDER BY id DESC LIMIT p_limit FOR UPDATE SKIP LOCKED))
    RETURNING kind, status, expiry_hour, n
  )
  INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n)
  SELECT p_institution_id, p_counted, kind, status, expiry_hour, sum(n) FROM gone GROUP BY kind, status, expiry_hour HAVING sum(n) <> 0
$$;

CREATE OR REPLACE FUNCTION correct_row_counts(p_institution_id text) RETURNS TABLE (counted text, kind text, status text, expiry_hour timestamptz, n bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- One at a time: the statement below begins after the one before has committed.
  PERFORM pg_advisory_xact_lock(hashtext('row_counts'), hashtext(p_institution_id));
  RETURN QUERY WITH differing AS (
    SELECT d.counted, d.kind, d.status, d.expiry_hour, sum(d.n)::bigint AS n FROM (
      ${counted.map((table) => `SELECT '${table.name}'::text AS counted, ${kindOf('t', table)} AS kind, t.status, ${hourOf('t', table)} AS expiry_hour, count(*) AS n FROM public.${table.table} t WHERE t.institution_id = p_institution_id GROUP BY 2, 3, 4`).join('\n      UNION ALL ')}
      UNION ALL SELECT r.counted, r.kind, r.status, r.expiry_hour, -r.n FROM public.row_counts r WHERE r.institution_id = p_institution_id
    ) AS d GROUP BY 1, 2, 3, 4 HAVING sum(d.n) <> 0
  )
  INSERT INTO public.row_counts AS added (institution_id, counted, kind, status, expiry_hour, n) SELECT p_institution_id, differing.* FROM differing
  RETURNING added.counted, added.kind, added.status, added.expiry_hour, added.n;
END $$;
`;

/** The triggers of one table; with the rights of their owner: until the last migration is done, the service has none on the new table. */
const triggers = (counting: CountedTable): string => {
  const { table, name, kind, expiry } = counting;
  const of = (row: string): string => `${row}.institution_id, '${name}', ${kindOf(row, counting)}, ${row}.status, ${hourOf(row, counting)}`;
  const differs = ['institution_id', 'status', kind, expiry].filter((column) => column !== null).map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(' OR ');
  const insert = 'INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n)';
  return `
CREATE OR REPLACE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${insert} SELECT ${of('t')}, count(*) FROM added t GROUP BY 1, 3, 4, 5;
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(t.institution_id, '${name}', 1000) FROM added t LIMIT 1; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    ${insert} SELECT ${of('t')}, -count(*) FROM removed t GROUP BY 1, 3, 4, 5;
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(t.institution_id, '${name}', 1000) FROM removed t LIMIT 1; END IF;
  ELSE
    ${insert} VALUES (${of('old')}, -1), (${of('new')}, 1);
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(new.institution_id, '${name}', 1000); END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ${table}_count_added AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_${name}();
CREATE OR REPLACE TRIGGER ${table}_count_removed AFTER DELETE ON ${table} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_${name}();
CREATE OR REPLACE TRIGGER ${table}_count_changed AFTER UPDATE ON ${table} FOR EACH ROW WHEN (${differs}) EXECUTE FUNCTION count_${name}();
`;
};

/** People, licenses and submissions are counted by kind and status, for totals of lists that would count a million rows for each page. */
export class RowCounts1799400000000 implements MigrationInterface {
  readonly name = 'RowCounts1799400000000';
  // Each table is locked by itself; all of it can be done again.
  readonly transaction = false;

  // CREATE TRIGGER waits for the transactions that write to the table, for no reader.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
    for (const table of counted) await runner.query(triggers(table));
  }

  // Nothing is lost: the next migration up counts again.
  async down(runner: QueryRunner): Promise<void> {
    for (const { table, name } of counted) {
      await runner.query(`DROP TRIGGER ${table}_count_added ON ${table}; DROP TRIGGER ${table}_count_removed ON ${table}; DROP TRIGGER ${table}_count_changed ON ${table}; DROP FUNCTION count_${name}()`);
    }
    await runner.query('DROP FUNCTION correct_row_counts(text), fold_row_counts(text, text, bigint); DROP TABLE row_counts, row_count_checks');
  }
}
