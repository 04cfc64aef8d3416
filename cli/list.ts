import type { CliContext } from './context';
import { CliError, usageError } from './errors';
import { getField, getItems, getNumber } from './fields';
import type { PageOptions } from './options';
import type { Query } from './platformApi';
import { formatTable } from './tables';

/** What is listed: where, restricted to what, and which fields people are shown; the first one tells items apart. */
export interface ListRequest {
  path: string;
  query?: Query;
  columns: readonly [string, ...string[]];
}

const maxPageSize = 200;
/** An answer is one document, held in memory. */
const maxPages = 100;

/** Answers a list: one page, with a note where there are more, or all of them; a list that is too long for that is a failure. */
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

/** Every page, up to the most. What is new meanwhile pushes items onto the next page: those are told apart and come once. */
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
