import type { CliContext } from './context';
import { CliError, usageError } from './errors';
import { getField, getItems, getNumber } from './fields';
import type { PageOptions } from './options';
import type { Query } from './platformApi';
import { formatTable } from './tables';

/** A list: its path, its filters, and the fields that are shown as columns. The first column identifies an item. */
export interface ListRequest {
  path: string;
  query?: Query;
  columns: readonly [string, ...string[]];
}

const maxPageSize = 200;
/** The output is one document, held in memory. */
const maxPages = 100;

/** Prints one page of a list, with a note if there are more, or all pages. Throws if the list is too long for `--all`. */
export async function list(context: CliContext, request: ListRequest, { all, page, limit }: PageOptions): Promise<void> {
  if (all !== undefined && (page ?? limit) !== undefined) throw usageError('--all takes every page: leave --page and --limit out.');
  const { path, query, columns } = request;
  const response = all ? await fetchAllPages(context, request) : await context.api.call('GET', path, { query: { ...query, page, limit } });
  const items = getItems(response, 'items');
  context.print(response, () => formatTable(columns, items));
  if (getField(response, 'has_more') !== true) return;
  const total = getNumber(response, 'total');
  if (all) {
    const hint = `--limit ${maxPageSize} --page ${maxPages + 1} has the next ones`;
    throw new CliError(`--all takes ${maxPages * maxPageSize} of the ${total} and no more: ${hint}.`, { kind: 'refused', code: 'too_many' });
  }
  context.note(`${items.length} of ${total}: --page ${(page ?? 1) + 1} has the next ones, --all has all.`);
}

/** Returns all pages, up to `maxPages`. Items created in the meantime move others to the next page, so items are deduplicated. */
async function fetchAllPages(context: CliContext, { path, query, columns: [idField] }: ListRequest): Promise<object> {
  const itemsById = new Map<unknown, unknown>();
  const bar = context.progress('read');
  try {
    for (let page = 1; ; page += 1) {
      const response = await context.api.call('GET', path, { query: { ...query, page, limit: maxPageSize } });
      const items = getItems(response, 'items');
      for (const item of items) itemsById.set(getField(item, idField), item);
      const total = getNumber(response, 'total') ?? itemsById.size;
      bar.show(itemsById.size, total);
      const more = getField(response, 'has_more') === true && items.length > 0;
      if (more && page < maxPages) continue;
      return { items: [...itemsById.values()], total: more ? total : itemsById.size, has_more: more };
    }
  } finally {
    bar.end();
  }
}
