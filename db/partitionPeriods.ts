import type { QueryRunner } from 'typeorm';
import { firstRow } from './firstRow';
import { isLockTimeout } from './lockTimeout';
import { createMigrationDataSource, migrationUrls } from './migrate';

/** What one partition of a table may be for. */
const periods: readonly string[] = ['day', 'week', 'month'];

const usage = 'Usage: migrate partitions [<table> day|week|month]';

const setPeriod = 'UPDATE public.partitioned_tables SET period = $2 WHERE name = $1 AND period <> $2';

const describeTables = `SELECT format('%s: a partition for each %s, kept for %s, %s of them, the last until %s', k.name, k.period, coalesce(k.kept::text, 'ever'), count(p.part),
    coalesce(to_char(public.time_of_id(max(p.until_id COLLATE "C")) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), 'now')) AS line
  FROM public.partitioned_tables k LEFT JOIN LATERAL public.partitions_of(k.name) p ON true GROUP BY k.name, k.period, k.kept ORDER BY k.name`;

const linesOf = (rows: unknown): string[] => (Array.isArray(rows) ? rows.flatMap((row: unknown) => (typeof row === 'object' && row !== null && 'line' in row ? [String(row.line)] : [])) : []);

const insufficientPrivilege = '42501';

const refuseOthers = (error: unknown): never => {
  if (error instanceof Error && 'code' in error && error.code === insufficientPrivilege) throw new Error('Only the owner of the tables may set a period: MIGRATION_DATABASE_URL has to be its address');
  throw error;
};

/** Makes the partitions that the daily pass would make; where a lock is not to be had, they are left to it. */
async function makePartitions(runner: QueryRunner, table: string): Promise<string> {
  try {
    while ((await firstRow(runner, 'SELECT 1 WHERE public.make_partition($1) IS NOT NULL', [table])) !== undefined);
    return '';
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return 'Others hold the locks that its next partition needs: the daily pass makes it.\n';
  }
}

/**
 * Shows the tables that are partitioned by time, or sets for what period the next partitions of one are made; those that are there
 * stay as they are, and the new ones begin where they end. Runs as the tables' owner. Returns a text for operators. Throws an `Error`
 * whose message says what would be right.
 */
export async function partitionPeriods(environment: NodeJS.ProcessEnv, [table, period, ...rest]: readonly string[]): Promise<string> {
  if (rest.length > 0 || (table !== undefined && (period === undefined || !periods.includes(period)))) throw new Error(usage);
  const dataSource = await createMigrationDataSource(migrationUrls(environment).owner).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const known = linesOf(await runner.query('SELECT name AS line FROM public.partitioned_tables ORDER BY name'));
    if (table !== undefined && !known.includes(table)) throw new Error(`There is no partitioned table ${table}: they are ${known.join(', ')}`);
    if (table !== undefined) await runner.query(setPeriod, [table, period]).catch(refuseOthers);
    const left = table === undefined ? '' : await makePartitions(runner, table);
    return `${linesOf(await runner.query(describeTables)).filter((line) => table === undefined || line.startsWith(`${table}:`)).join('\n')}\n${left}`;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}
