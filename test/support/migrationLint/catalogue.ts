/** Runs a statement in the session that migrates, past what observes it. */
export type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

interface Relation {
  oid: string;
  name: string;
  kind: string;
  /** Another one: the relation was rewritten. */
  filenode: string;
  /** Of an index, the table's. */
  table: string | null;
  /** Whether it is a part of a partitioned table, which has its lock already. */
  part: boolean;
}

interface Column {
  /** Of the table. */
  oid: string;
  number: number;
  name: string;
  type: string;
  not_null: boolean;
  /** Whether an insert that does not name the column fails. */
  required: boolean;
}

interface ForeignKey {
  oid: string;
  table: string;
  columns: number[];
  /** The table that it refers to. */
  referred: string;
  validated: boolean;
}

interface Routine {
  oid: string;
  /** With the types of its arguments. */
  name: string;
}

interface Lock {
  /** Of the table. */
  oid: string;
  mode: string;
}

interface Counter {
  /** Of the table. */
  oid: string;
  scans: number;
  rows_written: number;
}

/** The catalogue as the session sees it, the locks that it holds, and what its transaction did to rows so far. */
export interface Snapshot {
  readonly relations: ReadonlyMap<string, Relation>;
  readonly columns: ReadonlyMap<string, Column>;
  readonly foreignKeys: ReadonlyMap<string, ForeignKey>;
  /** Functions that statements call; those of triggers apart. */
  readonly functions: ReadonlyMap<string, Routine>;
  readonly locks: readonly Lock[];
  readonly counters: ReadonlyMap<string, Counter>;
}

const inSchema = "relnamespace = 'public'::regnamespace AND relname <> 'migrations'";

const relationsText = `
SELECT c.oid::text AS oid, c.relname AS name, c.relkind::text AS kind, c.relfilenode::text AS filenode, i.indrelid::text AS "table", c.relispartition OR EXISTS (SELECT 1 FROM pg_inherits h WHERE h.inhrelid = c.oid) AS part
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE ${inSchema} AND c.relkind IN ('r', 'p', 'm', 'i', 'I')`;

const columnsText = `
SELECT a.attrelid::text AS oid, a.attnum::int AS number, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS not_null,
       a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS required
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE ${inSchema} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`;

/** Those of a partition with the table's. */
const foreignKeysText = `
SELECT oid::text AS oid, conrelid::text AS "table", conkey::int[] AS columns, confrelid::text AS referred, convalidated AS validated
  FROM pg_constraint WHERE contype = 'f' AND (connamespace = 'public'::regnamespace OR conparentid <> 0)`;

const functionsText = "SELECT oid::text AS oid, oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype";

/** Locks that readers or writers wait for. */
const locksText = `
SELECT relation::text AS oid, mode FROM pg_locks
 WHERE pid = pg_backend_pid() AND granted AND locktype = 'relation' AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/** Counted by the session itself, at once; within a transaction nothing is taken away from them. */
const countersText = `
SELECT relid::text AS oid, seq_scan::int AS scans, (n_tup_ins + n_tup_upd + n_tup_del)::int AS rows_written FROM pg_stat_xact_user_tables WHERE schemaname IN ('public', 'partitions')`;

const byKey = <Row extends object>(rows: Row[], key: (row: Row) => string): ReadonlyMap<string, Row> => new Map(rows.map((row) => [key(row), row]));

/** Reads all of it; takes some milliseconds. */
export async function takeSnapshot(query: Query): Promise<Snapshot> {
  return {
    relations: byKey(await query<Relation>(relationsText), ({ oid }) => oid),
    columns: byKey(await query<Column>(columnsText), ({ oid, number }) => `${oid}.${number}`),
    foreignKeys: byKey(await query<ForeignKey>(foreignKeysText), ({ oid }) => oid),
    functions: byKey(await query<Routine>(functionsText), ({ oid }) => oid),
    locks: await query<Lock>(locksText),
    counters: byKey(await query<Counter>(countersText), ({ oid }) => oid),
  };
}
