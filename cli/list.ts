import type { Desk } from './context';
import { Failure, wrongUsage } from './errors';
import { fieldOf, itemsOf, numberOf } from './fields';
import type { PageOptions } from './options';
import type { Query } from './platformApi';
import { table } from './tables';

/** What is listed: where, restricted to what, and which fields people are shown; the first one tells items apart. */
export interface Listed {
  path: string;
  query?: Query;
  columns: readonly [string, ...string[]];
}

const largestPage = 200;
/** An answer is one document, held in memory. */
const mostPages = 100;

/** Answers a list: one page, with a note where there are more, or all of them; a list that is too long for that is a failure. */
export async function list(desk: Desk, listed: Listed, { all, page, limit }: PageOptions): Promise<void> {
  if (all !== undefined && (page ?? limit) !== undefined) throw wrongUsage('--all takes every page: leave --page and --limit out.');
  const { path, query, columns } = listed;
  const answer = all ? await everything(desk, listed) : await desk.api.call('GET', path, { query: { ...query, page, limit } });
  const items = itemsOf(answer, 'items');
  desk.answer(answer, () => table(columns, items));
  if (fieldOf(answer, 'has_more') !== true) return;
  const total = numberOf(answer, 'total');
  if (all) {
    const goesOn = `--limit ${largestPage} --page ${mostPages + 1} has the next ones`;
    throw new Failure(`--all takes ${mostPages * largestPage} of the ${total} and no more: ${goesOn}.`, { kind: 'refused', code: 'too_many' });
  }
  desk.note(`${items.length} of ${total}: --page ${(page ?? 1) + 1} has the next ones, --all has all.`);
}

/** Every page, up to the most. What is new meanwhile pushes items onto the next page: those are told apart and come once. */
async function everything(desk: Desk, { path, query, columns: [identity] }: Listed): Promise<object> {
  const found = new Map<unknown, unknown>();
  const bar = desk.progress('read');
  try {
    for (let page = 1; ; page += 1) {
      const answer = await desk.api.call('GET', path, { query: { ...query, page, limit: largestPage } });
      const items = itemsOf(answer, 'items');
      for (const item of items) found.set(fieldOf(item, identity), item);
      const total = numberOf(answer, 'total') ?? found.size;
      bar.show(found.size, total);
      const more = fieldOf(answer, 'has_more') === true && items.length > 0;
      if (more && page < mostPages) continue;
      return { items: [...found.values()], total: more ? total : found.size, has_more: more };
    }
  } finally {
    bar.end();
  }
}
