import { parseDateTime } from '../../lib/dateTime';
import { timeText, type Times } from '../format';
import { html, type Html } from '../html';

/** How many rows a page of a long list shows. */
export const perPage = 50;

/** A place in a list that is newest first: the next page begins after it. */
export interface ListCursor {
  at: Date;
  id: string;
}

/** Returns a cursor as the query parameter `before` takes it. */
export const formatCursor = ({ at, id }: ListCursor): string => `${at.toISOString()}_${id}`;

/** Returns the cursor of the query parameter `before`; undefined if it is none of a list whose ids begin with `idPrefix`. */
export function parseCursor(query: URLSearchParams, idPrefix: string): ListCursor | undefined {
  const [, time = '', id = ''] = /^([^_]+)_(\P{Cc}+)$/u.exec(query.get('before') ?? '') ?? [];
  const at = parseDateTime(time);
  return at === undefined || !id.startsWith(idPrefix) || id === idPrefix ? undefined : { at, id };
}

/** Returns a filter of the query string without control characters, trimmed and cut to 200 characters; undefined if it is empty. */
export function filterText(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.replaceAll(/\p{Cc}/gu, '').trim().slice(0, 200);
  return text === '' ? undefined : text;
}

/** Returns the heading of a page of a list. */
export const listTitle = (after: ListCursor | undefined, times: Times): string => (after === undefined ? 'Newest first' : `Before ${timeText(after.at, times)}`);

/** Returns the links to the newest and to older rows; a link that is undefined is left out. */
export function pager({ newest, older }: { newest: string | undefined; older: string | undefined }): Html {
  return html`<nav class="pager" aria-label="Pages">
        ${newest === undefined ? html`<span></span>` : html`<a class="button plain" href="${newest}">Newest</a>`}
        ${older === undefined ? null : html`<a class="button plain" href="${older}">Older</a>`}
      </nav>`;
}
