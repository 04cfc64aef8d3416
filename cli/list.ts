import type { ApiContext } from './context';
import { CliError, usageError } from './errors';
import { getField, getItems, getNumber } from './fields';
import type { PageOptions } from './options';
import type { Query } from './call';
import { formatTableFor } from './tables';

/** A list: its path, its filters, and the fields that are shown as columns. */
export interface ListRequest {
  path: string;
  query?: Query;
  columns: readonly [string, ...string[]];
  /** Those of them that are lines below each row where the table is wider than the terminal, the first of them first. */
  below?: readonly string[];
  /** Returns the row that people see of an item; without it, the item itself. */
  toRow?: (item: unknown) => unknown;
  /** Keeps these items only, of all pages: what the API has no filter for. */
  keep?: (item: unknown) => boolean;
  /** Returns what people should know of the items that are shown. */
  noteOf?: (items: readonly unknown[]) => Promise<string | undefined>;
}

const maxPageSize = 200;
/** The output is one document, held in memory. */
const maxPages = 100;

/** Prints one page of a list, with a note if there are more, or all pages. Throws if the list is too long for `--all`. */
export async function list(context: ApiContext, request: ListRequest, { all, page, limit }: PageOptions): Promise<void> {
  if (all !== undefined && (page ?? limit) !== undefined) throw usageError('--all takes every page: leave --page and --limit out.');
  const { path, query, columns, below = [], toRow = (item) => item, keep, noteOf } = request;
  const response = all || keep !== undefined ? await fetchAllPages(context, request) : await context.api.call('GET', path, { query: { ...query, page, limit } });
  const items = getItems(response, 'items');
  context.print(response, (shown) => formatTableFor(context.width, columns, getItems(shown, 'items').map(toRow), below));
  const known = getField(response, 'note') ?? (await noteOf?.(items));
  if (typeof known === 'string') context.note(known);
  if (getField(response, 'has_more') !== true) return;
  const total = getNumber(response, 'total');
  if (all) {
    const hint = `--limit ${maxPageSize} --page ${maxPages + 1} has the next ones`;
    throw new CliError(`--all takes ${maxPages * maxPageSize} of the ${total} and no more: ${hint}.`, { kind: 'refused', code: 'too_many' });
  }
  context.note(`${items.length} of ${total}: --page ${(page ?? 1) + 1} has the next ones, --all has all.`);
}

/** Returns all pages, up to `maxPages`: the first has the number of items, and each the cursor of the next. */
async function fetchAllPages(context: ApiContext, { path, query, keep = () => true }: ListRequest): Promise<object> {
  const items: unknown[] = [];
  const bar = context.progress('read');
  try {
    let total: number | undefined;
    let said = {};
    let part: Query = { page: 1 };
    for (let pages = 1; ; pages += 1) {
      const response = await context.api.call('GET', path, { query: { ...query, ...part, limit: maxPageSize } });
      items.push(...getItems(response, 'items'));
      total ??= getNumber(response, 'total');
      const note = getField(response, 'note');
      if (typeof note === 'string') said = { note };
      bar.show(items.length, Math.max(total ?? 0, items.length));
      const cursor = getField(response, 'next_cursor');
      if (typeof cursor !== 'string') {
        const kept = items.filter(keep);
        return { items: kept, total: kept.length, has_more: false, ...said };
      }
      if (pages === maxPages) return { items, total, has_more: true };
      part = { cursor };
    }
  } finally {
    bar.end();
  }
}
