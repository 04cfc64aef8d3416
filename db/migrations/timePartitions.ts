import type { QueryRunner } from 'typeorm';
import { firstRow } from '../firstRow';
import { buildConcurrently } from './concurrentIndexes';
import { lockBriefly } from './briefLocks';

/** A table that is partitioned by the time in its ids, and what is made of it. */
export interface TimePartitioned {
  readonly table: string;
  /** Of the partition key, whose ids begin with their time. */
  readonly column: string;
  readonly prefix: string;
  readonly period: 'hour' | 'day' | 'week' | 'month';
  /** At the end of which period the partitions begin, if not of one of their own: what was there until then is in the first one. */
  readonly firstPeriod?: TimePartitioned['period'];
  /** How long after the end of a period its partition is dropped; null for never. */
  readonly kept: string | null;
  /** What the partitioned table has: its keys, and its indexes by their names, each with its columns. */
  readonly constraints: readonly string[];
  readonly indexes: Readonly<Record<string, string>>;
  /** Indexes that the table from before has in the place of unique ones, which a partitioned table cannot have. */
  readonly replaced: Readonly<Record<string, string>>;
  /** By their names, each with what follows the name; a TRUNCATE is refused on each partition, too. */
  readonly triggers: Readonly<Record<string, string>>;
  /** Tables that it refers to, and that the service writes before it in a transaction: locked in that order. */
  readonly writtenBefore?: readonly string[];
  /** What is done in the transaction that exchanges the tables: for what knows the table from before, as a view does. */
  readonly exchanged?: readonly string[];
}

const isPartitioned = "SELECT 1 FROM pg_class WHERE oid = to_regclass('public.' || $1) AND relkind = 'p'";

/** A check that was added by an earlier try, and whose bound is still an hour away. */
const usableBound = `SELECT 1 FROM pg_constraint
  WHERE conrelid = to_regclass('public.' || $1) AND conname = $1 || '_before' AND substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') > public.start_of_ids($2, now() + interval '1 hour')`;

/** Who may do what with a table and with its columns; its owner may everything. */
const copyPrivileges = (from: string, to: string): string => `
DO $$ DECLARE g record; BEGIN
  FOR g IN SELECT a.privilege_type, t.attname, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
             FROM pg_attribute t, aclexplode(t.attacl) a WHERE t.attrelid = '${from}'::regclass AND NOT t.attisdropped LOOP
    EXECUTE format('GRANT %s (%I) ON ${to} TO %s', g.privilege_type, g.attname, g.grantee);
  END LOOP;
  FOR g IN SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
             FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = '${from}'::regclass AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT %s ON ${to} TO %s', g.privilege_type, g.grantee);
  END LOOP;
END $$`;

export const indexStatements = (indexes: Readonly<Record<string, string>>): string[] => Object.entries(indexes).map(([name, rows]) => `CREATE INDEX ${name} ON ${rows}`);
const triggerStatements = (triggers: Readonly<Record<string, string>>): string[] => Object.entries(triggers).map(([name, rest]) => `CREATE TRIGGER ${name} ${rest}`);

/** What `keepPartitions` knows of the table. Written while no table is locked. */
export const registration = ({ table, prefix, period, kept }: Pick<TimePartitioned, 'table' | 'prefix' | 'period' | 'kept'>): string =>
  `INSERT INTO public.partitioned_tables (name, prefix, period, kept) VALUES ('${table}', '${prefix}', '${period}', ${kept === null ? 'NULL' : `'${kept}'`}) ON CONFLICT DO NOTHING`;

/**
 * Makes a table a partitioned one while others read and write it: the table from before, with all its rows, becomes the first partition,
 * and no row is read under a lock. A check, validated beforehand, says that its ids end before a bound that is at least a day ahead. Then
 * one short transaction exchanges the tables; statements that wait for it, and prepared ones, are planned again and find the new one.
 */
export async function partitionByTime(runner: QueryRunner, of: TimePartitioned): Promise<void> {
  if ((await firstRow(runner, isPartitioned, [of.table])) === undefined) {
    await buildConcurrently(runner, of.replaced);
    if ((await firstRow(runner, usableBound, [of.table, of.prefix])) === undefined) await addBound(runner, of);
    await runner.query(`ALTER TABLE public.${of.table} VALIDATE CONSTRAINT ${of.table}_before`);
    await lockBriefly(runner, of.table, () => exchange(runner, of));
  }
  await runner.query(registration(of));
  await makePartitions(runner, of.table);
}

/** Makes the partitions of the next periods of a table. */
export async function makePartitions(runner: QueryRunner, table: string): Promise<void> {
  const make = async (): Promise<boolean> => (await firstRow(runner, 'SELECT 1 WHERE public.make_partition($1) IS NOT NULL', [table])) !== undefined;
  while (await lockBriefly(runner, table, make));
}

async function addBound(runner: QueryRunner, { table, column, prefix, period, firstPeriod = period }: TimePartitioned): Promise<void> {
  await lockBriefly(runner, table, () => runner.query(`
DO $$ BEGIN
  ALTER TABLE public.${table} DROP CONSTRAINT IF EXISTS ${table}_before;
  EXECUTE format('ALTER TABLE public.${table} ADD CONSTRAINT ${table}_before CHECK (${column} < %L) NOT VALID',
    public.start_of_ids('${prefix}', public.next_period('${firstPeriod}', now() + interval '1 day')));
END $$`));
}

async function exchange(runner: QueryRunner, { table, column, constraints, indexes, replaced, triggers, writtenBefore = [], exchanged = [] }: TimePartitioned): Promise<void> {
  const before = `${table}_before`;
  const isGuarded = Object.keys(triggers).length > 0;
  for (const text of [
    [
      ...writtenBefore.map((other) => `LOCK TABLE public.${other} IN SHARE ROW EXCLUSIVE MODE`),
      `LOCK TABLE public.${table} IN ACCESS EXCLUSIVE MODE`,
      `ALTER TABLE public.${table} SET SCHEMA partitions`,
    ].join('; '),
    `ALTER TABLE partitions.${table} RENAME TO ${before}`,
    `CREATE TABLE public.${table} (LIKE partitions.${before} INCLUDING DEFAULTS) PARTITION BY RANGE (${column})`,
    ...constraints.map((constraint) => `ALTER TABLE public.${table} ADD ${constraint}`),
    ...indexStatements(indexes),
    copyPrivileges(`partitions.${before}`, `public.${table}`),
    // Those for rows come again with the table that it becomes a part of.
    ...Object.keys(triggers).map((name) => `DROP TRIGGER ${name} ON partitions.${before}`),
    ...triggerStatements(triggers),
    `DO $$ BEGIN
       EXECUTE (SELECT format('ALTER TABLE public.${table} ATTACH PARTITION partitions.${before} FOR VALUES FROM (MINVALUE) TO (%L)', substring(pg_get_constraintdef(oid) FROM '''([^'']+)'''))
                  FROM pg_constraint WHERE conrelid = 'partitions.${before}'::regclass AND conname = '${before}');
     END $$`,
    `ALTER TABLE partitions.${before} DROP CONSTRAINT ${before}`,
    ...Object.keys(replaced).map((name) => `DROP INDEX IF EXISTS partitions.${name.replace(/_parts$/, '')}`),
    `CREATE TABLE partitions.${table}_default PARTITION OF public.${table} DEFAULT`,
    ...exchanged,
    ...(isGuarded ? [before, `${table}_default`].map((part) => `SELECT public.guard_partition('${table}', '${part}')`) : []),
  ]) await runner.query(text);
}

/** Makes a partitioned table a plain one again, with these indexes: its rows are copied, while others wait. */
export async function joinPartitions(runner: QueryRunner, { table, constraints, triggers }: TimePartitioned, indexes: readonly string[]): Promise<void> {
  for (const text of [
    `LOCK TABLE public.${table} IN ACCESS EXCLUSIVE MODE`,
    `CREATE TABLE partitions.${table}_joined (LIKE public.${table} INCLUDING DEFAULTS)`,
    `INSERT INTO partitions.${table}_joined SELECT * FROM public.${table}`,
    copyPrivileges(`public.${table}`, `partitions.${table}_joined`),
    `DROP TABLE public.${table}`,
    `ALTER TABLE partitions.${table}_joined SET SCHEMA public`,
    `ALTER TABLE public.${table}_joined RENAME TO ${table}`,
    ...constraints.map((constraint) => `ALTER TABLE public.${table} ADD ${constraint}`),
    ...indexes,
    ...triggerStatements(triggers),
    `DELETE FROM public.partitioned_tables WHERE name = '${table}'`,
  ]) await runner.query(text);
}
