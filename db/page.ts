import type { Sql } from './statement';

/** One condition of a list: SQL with `$` as the placeholder of its value. */
export interface Condition {
  sql: string;
  value: unknown;
}

/** A column of a list's order. It is never null, and of a row that stays in the list it never changes. */
export interface OrderColumn {
  sql: string;
  /** As the database compares it. */
  type: 'timestamptz' | 'date' | 'integer' | 'text';
  direction: 'ASC' | 'DESC';
}

/** The order of a list; no two rows are equal in all of its columns. */
export type Order = readonly [OrderColumn, ...OrderColumn[]];

/** By one time and then by id, both descending. */
export const newestFirst = (time: string, id: string): Order => [
  { sql: time, type: 'timestamptz', direction: 'DESC' },
  { sql: id, type: 'text', direction: 'DESC' },
];

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
  order: Order;
  /** How many rows there are, where that is known without counting them; undefined counts them. */
  readTotal?: (() => Promise<number>) | undefined;
}

/** Where a row stands in the order of its list: each column of the order as the database writes it, to the microsecond. */
export type Position = readonly string[];

/** The part of a list that is read: a page by its number, or what comes after a position. */
export interface Page {
  page: number;
  limit: number;
  /** Of a list that is walked. `after` is the position of the last row that was read, null before the first; without it, `page` counts. */
  cursor?: { readonly after: Position | null | undefined } | undefined;
}

/** Rows of a list. */
export interface PageOf<Row> {
  rows: Row[];
  /** Rows in all; null where nothing was counted, because a position was given. */
  total: number | null;
  /** The position of the last of these rows; null if no row comes after it. */
  next: Position | null;
}

/** Returns the conditions with parameters numbered from $1. */
const numberParameters = (conditions: readonly Condition[]): string[] => conditions.map(({ sql }, index) => sql.replaceAll('$', `$${index + 1}`));

const whereClause = (conditions: readonly string[]): string => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`);

/** The columns of an order, for ORDER BY. */
export const orderClause = (order: Order): string => order.map(({ sql, direction }) => `${sql} ${direction}`).join(', ');

/** The position of a row as a column of its own. */
const positionColumn = (order: Order): string => `ARRAY[${order.map(({ sql }) => `(${sql})::text`).join(', ')}] AS list_position`;

/**
 * The condition of the rows after a position, whose values are the parameters from `$first` on. Where all directions agree it is
 * one comparison of rows, which an index on these columns serves; elsewhere the first column is bounded for the index.
 */
function afterPosition([column, ...others]: Order, first: number): string {
  const { sql, type, direction } = column;
  const operator = direction === 'ASC' ? '>' : '<';
  const value = `$${first}::${type}`;
  const [next, ...rest] = others;
  if (next === undefined) return `${sql} ${operator} ${value}`;
  if (others.every((other) => other.direction === direction)) {
    const values = others.map((other, index) => `$${first + 1 + index}::${other.type}`);
    return `(${[sql, ...others.map((other) => other.sql)].join(', ')}) ${operator} (${[value, ...values].join(', ')})`;
  }
  return `(${sql} ${operator}= ${value} AND (${sql} ${operator} ${value} OR (${afterPosition([next, ...rest], first + 1)})))`;
}

/**
 * Returns the statement of a page. For a page after the first, a subquery selects the keys, possibly by an index-only scan,
 * so that columns and joins are computed only for the rows of the page and not for the skipped ones.
 */
function pageStatement({ columns, from, joins = '', key, order }: ListQuery, conditions: readonly string[], limit: number, offset: number): string {
  const orderBy = `ORDER BY ${orderClause(order)}`;
  const part = `${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  const whole = `SELECT ${columns}, ${positionColumn(order)} FROM ${from} ${joins}`;
  if (key === undefined || offset === 0) return `${whole} ${whereClause(conditions)} ${part}`;
  const keys = `SELECT ${key} FROM ${from} ${whereClause(conditions)} ${part}`;
  return `${whole} ${whereClause([...conditions, `${key} = ANY (ARRAY(${keys}))`])} ${orderBy}`;
}

const isPosition = (value: unknown): value is Position => Array.isArray(value) && value.every((part) => typeof part === 'string');

/** Removes the position from a row that was read, and returns it. */
function takePosition(row: object): Position {
  const position: unknown = Reflect.get(row, 'list_position');
  if (!isPosition(position)) throw new Error('A column of the order is null');
  Reflect.deleteProperty(row, 'list_position');
  return position;
}

/** The first `limit` of up to `limit + 1` rows that were read with their positions, and the position of the last one where another was read. */
export function takePage<Row extends object>(read: readonly Row[], limit: number): { rows: Row[]; next: Position | null } {
  const rows = read.slice(0, limit);
  const last = rows.map(takePosition).at(-1);
  return { rows, next: read.length > limit && last !== undefined ? last : null };
}

/** The rows after a position: nothing is counted or skipped, so that it costs the same at any depth. */
async function readAfter<Row extends object>(sql: Sql, query: ListQuery, after: Position | null, limit: number): Promise<PageOf<Row>> {
  if (after !== null && after.length !== query.order.length) throw new Error('This position is of a list in another order');
  const given = numberParameters(query.conditions);
  const conditions = after === null ? given : [...given, afterPosition(query.order, given.length + 1)];
  const values = [...query.conditions.map(({ value }) => value), ...(after ?? [])];
  const rows = await sql<Row>(pageStatement(query, conditions, limit + 1, 0), values);
  return { ...takePage(rows, limit), total: null };
}

async function countRows(sql: Sql, from: string, conditions: readonly string[], values: readonly unknown[]): Promise<number> {
  const [counted] = await sql<{ total: number }>(`SELECT count(*)::int AS total FROM ${from} ${whereClause(conditions)}`, values);
  return counted?.total ?? 0;
}

/** One page of a list with its exact total, or the rows after a position. */
export async function readPage<Row extends object>(sql: Sql, query: ListQuery, { page, limit, cursor }: Page): Promise<PageOf<Row>> {
  if (cursor?.after !== undefined) return readAfter(sql, query, cursor.after, limit);
  const conditions = numberParameters(query.conditions);
  const values = query.conditions.map(({ value }) => value);
  const total = await (query.readTotal?.() ?? countRows(sql, query.from, conditions, values));
  const offset = (page - 1) * limit;
  if (offset >= total) return { rows: [], total, next: null };
  // One more is read, not counted: a row that is created after the count has pushed another beyond the page.
  const rows = await sql<Row>(pageStatement(query, conditions, limit + 1, offset), values);
  return { ...takePage(rows, limit), total };
}

/** Returns the conditions whose value is defined. */
export function definedConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ value }) => value !== undefined);
}

/** Returns the (I)LIKE pattern that matches texts containing another. */
export const likePattern = (sought: string): string => `%${sought.replace(/[\\%_]/g, '\\$&')}%`;
