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
  /** Parts that are disjoint and together the list. They need `key`. */
  parts?: readonly Part[] | undefined;
  /** Up to how many rows are found by their filter and sorted: the first of them may be far from the first of all. Of more, the order is followed. Needs `key`. */
  maxSorted?: number | undefined;
}

/** A part of a list. */
export interface Part {
  conditions: readonly Condition[];
  /** Whether it has few rows, which no index has in the list's order. */
  isSorted?: boolean;
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

/** Returns the conditions with parameters numbered from `$first`. */
const numberParameters = (conditions: readonly Condition[], first: number): string[] => conditions.map(({ sql }, index) => sql.replaceAll('$', `$${first + index}`));

/** The conditions of a list with numbered parameters: of all rows, and in addition of each part. */
interface Conditions {
  all: readonly string[];
  parts: readonly { conditions: readonly string[]; isSorted: boolean }[];
}

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

/** Where in the list a page is, and the total of the list, if it is known. */
interface Slice {
  limit: number;
  offset: number;
  total?: number;
}

/** The statement of the keys of a page. */
function keysStatement({ from, order, maxSorted = 0 }: Pick<ListQuery, 'from' | 'order' | 'maxSorted'>, key: string, { all, parts }: Conditions, { limit, offset, total = Infinity }: Slice): string {
  const named = `SELECT ${[key, ...order.map(({ sql }) => sql)].map((column, nth) => `${column} AS k${nth}`).join(', ')} FROM ${from}`;
  const ordered = (conditions: readonly string[], count: number): string => `${named} ${whereClause(conditions)} ORDER BY ${orderClause(order)} LIMIT ${count}`;
  // OFFSET 0 keeps the planner from following the order past a million rows to find the few.
  const filtered = (conditions: readonly string[]): string => `${named} ${whereClause(conditions)} OFFSET 0`;
  const first = (found: string): string =>
    `SELECT k0 FROM (${found}) AS found ORDER BY ${order.map(({ direction }, nth) => `k${nth + 1} ${direction}`).join(', ')} LIMIT ${limit} OFFSET ${offset}`;
  if (parts.length === 0) return total <= maxSorted ? first(filtered(all)) : `SELECT ${key} FROM ${from} ${whereClause(all)} ORDER BY ${orderClause(order)} LIMIT ${limit} OFFSET ${offset}`;
  return first(parts.map(({ conditions, isSorted }) => (isSorted ? `(${filtered([...all, ...conditions])})` : `(${ordered([...all, ...conditions], limit + offset)})`)).join(' UNION ALL '));
}

/**
 * Returns the statement of a page. For a page after the first, and where rows are found by parts or by a filter, a subquery selects
 * the keys, possibly by an index-only scan, so that columns and joins are computed only for the rows of the page.
 */
function pageStatement({ columns, from, joins = '', key, order, maxSorted = 0 }: ListQuery, conditions: Conditions, slice: Slice): string {
  const { limit, offset, total = Infinity } = slice;
  const whole = `SELECT ${columns}, ${positionColumn(order)} FROM ${from} ${joins}`;
  const orderBy = `ORDER BY ${orderClause(order)}`;
  if (key === undefined || (offset === 0 && conditions.parts.length === 0 && total > maxSorted)) {
    return `${whole} ${whereClause(conditions.all)} ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  }
  const keys = keysStatement({ from, order, maxSorted }, key, conditions, slice);
  return `${whole} ${whereClause([...conditions.all, `${key} = ANY (ARRAY(${keys}))`])} ${orderBy}`;
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

/** The conditions of a list, with the parameters of {@link valuesOf}. */
function conditionsOf({ conditions, parts = [] }: ListQuery): Conditions {
  const before = (nth: number): number => parts.slice(0, nth).reduce((sum, part) => sum + part.conditions.length, conditions.length);
  return {
    all: numberParameters(conditions, 1),
    parts: parts.map(({ conditions: own, isSorted = false }, nth) => ({ isSorted, conditions: numberParameters(own, 1 + before(nth)) })),
  };
}

/** The values of the parameters of a list: of all conditions, and then of each part. */
const valuesOf = ({ conditions, parts = [] }: ListQuery): unknown[] => [...conditions, ...parts.flatMap((part) => part.conditions)].map(({ value }) => value);

/** The rows after a position: nothing is counted or skipped, so that it costs the same at any depth. */
async function readAfter<Row extends object>(sql: Sql, query: ListQuery, after: Position | null, limit: number): Promise<PageOf<Row>> {
  if (after !== null && after.length !== query.order.length) throw new Error('This position is of a list in another order');
  const { all, parts } = conditionsOf(query);
  const values = valuesOf(query);
  const conditions = { all: after === null ? all : [...all, afterPosition(query.order, values.length + 1)], parts };
  const rows = await sql<Row>(pageStatement(query, conditions, { limit: limit + 1, offset: 0 }), [...values, ...(after ?? [])]);
  return { ...takePage(rows, limit), total: null };
}

/** The statement that counts the rows of a list. */
function countStatement({ from }: ListQuery, { all, parts }: Conditions): string {
  const anyPart = parts.length === 0 ? [] : [`(${parts.map(({ conditions }) => conditions.join(' AND ')).join(' OR ')})`];
  return `SELECT count(*)::int AS total FROM ${from} ${whereClause([...all, ...anyPart])}`;
}

/** One page of a list with its exact total, or the rows after a position. */
export async function readPage<Row extends object>(sql: Sql, query: ListQuery, { page, limit, cursor }: Page): Promise<PageOf<Row>> {
  if (cursor?.after !== undefined) return readAfter(sql, query, cursor.after, limit);
  const total = query.readTotal === undefined ? ((await sql<{ total: number }>(countStatement(query, conditionsOf(query)), valuesOf(query)))[0]?.total ?? 0) : await query.readTotal();
  const offset = (page - 1) * limit;
  if (offset >= total) return { rows: [], total, next: null };
  // One more is read, not counted: a row that is created after the count has pushed another beyond the page.
  const rows = await sql<Row>(pageStatement(query, conditionsOf(query), { limit: limit + 1, offset, total }), valuesOf(query));
  return { ...takePage(rows, limit), total };
}

/** Returns the conditions whose value is defined. */
export function definedConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ value }) => value !== undefined);
}

/** Returns the (I)LIKE pattern that matches texts containing another. */
export const likePattern = (sought: string): string => `%${sought.replace(/[\\%_]/g, '\\$&')}%`;
