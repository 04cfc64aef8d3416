import type { Sql } from './statement';

/** One condition of a list: SQL with `$` where its value stands. */
export interface Condition {
  sql: string;
  value: unknown;
}

/** A list of one institution's rows: what to read, from where, under which conditions, in which order. */
export interface ListQuery {
  columns: string;
  /** The rows that are listed, with everything that conditions and order need. */
  from: string;
  /** Joins that only add columns: they leave each row of `from` what it is, one. */
  joins?: string;
  /** A unique column of `from`, for lists that may grow long: deep pages are found by it. */
  key?: string;
  conditions: readonly Condition[];
  orderBy: string;
}

export interface Page {
  page: number;
  limit: number;
}

/** Conditions with their parameters numbered from $1. */
const numberParameters = (conditions: readonly Condition[]): string[] => conditions.map(({ sql }, index) => sql.replaceAll('$', `$${index + 1}`));

const whereClause = (conditions: readonly string[]): string => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`);

/**
 * The statement of a page. A deep one is found by its keys first, which an index may tell alone: only then are columns
 * computed and rows joined, and not for all those that are skipped. The first page skips none.
 */
function pageStatement({ columns, from, joins = '', key, orderBy }: ListQuery, conditions: readonly string[], limit: number, offset: number): string {
  const part = `ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  const whole = `SELECT ${columns} FROM ${from} ${joins}`;
  if (key === undefined || offset === 0) return `${whole} ${whereClause(conditions)} ${part}`;
  const keys = `SELECT ${key} FROM ${from} ${whereClause(conditions)} ${part}`;
  return `${whole} ${whereClause([...conditions, `${key} = ANY (ARRAY(${keys}))`])} ORDER BY ${orderBy}`;
}

/** One page of a list and its exact total. */
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

/** The conditions whose value was given. */
export function definedConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ value }) => value !== undefined);
}
