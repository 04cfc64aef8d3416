import type { Database } from './database';
import { waiveResponses } from './responseTimeout';
import { bindingOf } from './rowSecurity';
import type { Sql } from './statement';
import { followIndexes } from './walk';

/** How pg_stat_activity names transactions of cursors: they may be open for long, and write nothing, so nobody waits for them. */
export const cursorApplication = 'archive';

const rowsPerFetch = 200;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

interface CursorOptions {
  institutionId?: string;
  /** What is set in the transaction, each a statement. */
  settings?: readonly string[];
}

/**
 * The rows of a query, some at a time, so that memory does not limit how many there are. A read-only transaction of its own reads them
 * with one plan; read them without delay. It sees the rows of `institutionId`, or those of all institutions without one. Without
 * `settings` the plan follows indexes, regardless of the statistics.
 */
export async function* readByCursor<Row extends object>(
  { pool, tenantRole }: Pick<Database, 'pool' | 'tenantRole'>,
  text: string,
  values: readonly unknown[],
  { institutionId, settings = followIndexes }: CursorOptions = {},
): AsyncGenerator<Row[]> {
  const client = await pool.connect();
  const requireResponsesAgain = waiveResponses(client);
  let broken: Error | undefined;
  // A connection may break while no query runs; without a listener that would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    // A fetch that finds few rows reads on to the end of the table.
    const local = [`SET LOCAL application_name = '${cursorApplication}'`, 'SET LOCAL statement_timeout = 0', ...settings];
    await client.query(['BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', ...local, ...bindingOf(tenantRole, institutionId)].join('; '));
    await client.query(`DECLARE archived NO SCROLL CURSOR FOR ${text}`, [...values]);
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${rowsPerFetch} FROM archived`);
      if (rows.length === 0) break;
      yield rows;
    }
  } catch (error) {
    broken = asError(error);
    throw error;
  } finally {
    await client.query('ROLLBACK').catch((error: unknown) => {
      broken ??= asError(error);
    });
    client.off('error', onError);
    requireResponsesAgain();
    client.release(broken);
  }
}

/** Returns {@link Sql} for statements that read very much and return little: none has a timeout. Their texts are not prepared. */
export const slowSql = (database: Pick<Database, 'pool' | 'tenantRole'>): Sql => async <Row extends object>(query: Parameters<Sql>[0], values: readonly unknown[] = []) => {
  const found: Row[] = [];
  for await (const rows of readByCursor<Row>(database, typeof query === 'string' ? query : query.text, values, { settings: [] })) found.push(...rows);
  return found;
};
