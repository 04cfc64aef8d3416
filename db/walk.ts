import type { Database, InstitutionScope } from './database';
import { toQueryConfig, type Sql, type Statement } from './statement';

/*
 * Exports walk tables of any size, also in the minutes after an import, when Postgres knows nothing of their rows or what was true
 * before: it would read a whole table for a few rows, and sort it for each page.
 */

const off = (...plans: readonly string[]): string => plans.map((plan) => `SET LOCAL enable_${plan} = off`).join('; ');

/** Settings of a transaction that finds its rows by indexes: the rows of an institution or a person, then what belongs to each. */
export const followIndexes = off('seqscan', 'hashjoin', 'mergejoin');

const followOrder = `${followIndexes}; ${off('bitmapscan', 'sort')}`;

/** Nothing more is to be done about a connection that broke: its statements fail, and the pool drops it. */
const ignoreError = (): void => undefined;

/** One institution's rows, as an export walks them. */
export type WalkScope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

/** The scope of a walk of one institution: see {@link walkSql}. */
export const walkScope = (database: Pick<Database, 'pool'>, institutionId: string): WalkScope => ({ institutionId, sql: walkSql(database) });

/** Returns {@link Sql} for pages of a walk: each follows the index that has the walk's order, from where the last page ended. The settings cost no round trip. */
export const walkSql = ({ pool }: Pick<Database, 'pool'>): Sql => async <Row extends object>(query: Statement | string, values: readonly unknown[] = []) => {
  const client = await pool.connect();
  // Without a listener a connection that breaks would end the process.
  client.on('error', ignoreError);
  try {
    const sent = [client.query(`BEGIN READ ONLY; ${followOrder}`), client.query<Row>(toQueryConfig(query, values)), client.query('COMMIT')] as const;
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return (await sent[1]).rows;
  } finally {
    client.off('error', ignoreError);
    client.release();
  }
};
