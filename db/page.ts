import type { Sql } from './statement';

/** One condition of a list: SQL with `$` where its value stands. */
export interface Condition {
  sql: string;
  value: unknown;
}

/** A list of one institution's rows: what to read, from where, under which conditions, in which order. */
export interface ListQuery {
  columns: string;
  from: string;
  conditions: readonly Condition[];
  orderBy: string;
}

export interface Page {
  page: number;
  limit: number;
}

/** Joins conditions with AND, numbering their parameters from $1. */
function whereClause(conditions: readonly Condition[]): { clause: string; values: unknown[] } {
  const clause = conditions.map(({ sql }, index) => sql.replaceAll('$', `$${index + 1}`)).join(' AND ');
  return { clause: clause === '' ? '' : `WHERE ${clause}`, values: conditions.map(({ value }) => value) };
}

/** One page of a list and its exact total. */
export async function readPage<Row extends object>(
  sql: Sql,
  { columns, from, conditions, orderBy }: ListQuery,
  { page, limit }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const { clause, values } = whereClause(conditions);
  const [counted] = await sql<{ total: number }>(`SELECT count(*)::int AS total FROM ${from} ${clause}`, values);
  const total = counted?.total ?? 0;
  const offset = (page - 1) * limit;
  if (offset >= total) return { rows: [], total };
  const rows = await sql<Row>(`SELECT ${columns} FROM ${from} ${clause} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`, values);
  return { rows, total };
}

/** The conditions whose value was given. */
export function given(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ value }) => value !== undefined);
}
