import type { Sql } from './statement';

/** One condition of a list: SQL with `$` as the placeholder of its value. */
export interface Condition {
  sql: string;
  value: unknown;
}

/** The query of a list of one institution's rows. */
export interface ListQuery {
  columns: string;
  /** The listed tables, with all columns that conditions and order use. */
  from: string;
  /** Joins that only add columns: they neither remove nor duplicate rows of `from`. */
  joins?: string;
  /** A unique column of `from`, for long lists: deep pages are located by it. */
  key?: string;
  conditions: readonly Condition[];
  orderBy: string;
}

export interface Page {
  page: number;
  limit: number;
}

/** Returns the conditions with parameters numbered from $1. */
const numberParameters = (conditions: readonly Condition[]): string[] => conditions.map(({ sql }, index) => sql.replaceAll('$', `$${index + 1}`));

const whereClause = (conditions: readonly string[]): string => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`);

/**
 * Returns the statement of a page. For a page after the first, a subquery selects the keys, possibly by an index-only scan,
 * so that columns and joins are computed only for the rows of the page and not for the skipped ones.
 */
function pageStatement({ columns, from, joins = '', key, orderBy }: ListQuery, conditions: readonly string[], limit: number, offset: number): string {
  const part = `ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  const whole = `SELECT ${columns} FROM ${from} ${joins}`;
  if (key === undefined || offset === 0) return `${whole} ${whereClause(conditions)} ${part}`;
  const keys = `SELECT ${key} FROM ${from} ${whereClause(conditions)} ${part}`;
  return `${whole} ${whereClause([...conditions, `${key} = ANY (ARRAY(${keys}))`])} ORDER BY ${orderBy}`;
}

/** Reads one page of a list and its exact total. */
export async function readPage<Row extends object>(
  sql: Sql,
  query: ListQuery,
  { page, limit }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const conditions = numberParameters(query.conditions);
  const values = query.conditions.map(({ value }) => value);
  const [counted] = await sql<{ total: number }>(`SELECT count(*)::int AS total FROM ${query.from} ${whereClause(conditions)}`, values);
  const total = counted?.total ?? 0;
  const offset = (page - 1) * limit;
  if (offset >= total) return { rows: [], total };
  return { rows: await sql<Row>(pageStatement(query, conditions, limit, offset), values), total };
}

/** Returns the conditions whose value is defined. */
export function definedConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ value }) => value !== undefined);
}
