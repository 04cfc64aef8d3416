import type { Database, InstitutionScope } from './database';
import { onConnection, runBetween } from './pipeline';
import { bindingOf } from './rowSecurity';
import type { Sql } from './statement';

/*
 * Exports walk tables of any size, also in the minutes after an import, when Postgres knows nothing of their rows or what was true
 * before: it would read a whole table for a few rows, and sort it for each page.
 */

const off = (...plans: readonly string[]): readonly string[] => plans.map((plan) => `SET LOCAL enable_${plan} = off`);

/** Settings of a transaction that finds its rows by indexes: the rows of an institution or a person, then what belongs to each. */
export const followIndexes = off('seqscan', 'hashjoin', 'mergejoin');

const followOrder = [...followIndexes, ...off('bitmapscan', 'sort')];

/** One institution's rows, as an export walks them. */
export type WalkScope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

/** The scope of a walk of one institution: see {@link walkSql}. */
export const walkScope = (database: Pick<Database, 'pool' | 'tenantRole'>, institutionId: string): WalkScope => ({ institutionId, sql: walkSql(database, institutionId) });

/**
 * Returns {@link Sql} for pages of a walk: each follows the index that has the walk's order, from where the last page ended. The
 * settings cost no round trip. It sees the rows of `institutionId`, or those of all institutions without one.
 */
export const walkSql = ({ pool, tenantRole }: Pick<Database, 'pool' | 'tenantRole'>, institutionId?: string): Sql => {
  const begin = ['BEGIN READ ONLY', ...followOrder, ...bindingOf(tenantRole, institutionId)].join('; ');
  return (query, values) => onConnection(pool, (client) => runBetween(client, [begin, 'COMMIT'], query, values));
};
