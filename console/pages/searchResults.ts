import type { LogSearch, SearchResult } from '../../domain/support/search';
import { html, type Html } from '../html';
import { breadcrumbs, idCode } from '../components';
import { inlineTimeElement, realTimesOf } from '../format';
import type { ConsoleRequest, Page } from '../consoleRequest';

/** Returns the heading of the results, which has the focus when they come. */
export const resultHead = (title: string, lookedFor: string, query: string | null): Html => html`<div class="head"><div class="title"><h1 id="results" tabindex="-1" autofocus>${title}</h1>
    <p class="sub">Looked for: ${lookedFor}${query === null || query === '' ? null : html` ${idCode(query)}`}</p></div></div>`;

/** Returns where else a request is looked for; the school is unknown, so its time is UTC. */
const logSearch = (request: ConsoleRequest, { words, commands, cameAt }: LogSearch): Html => html`<p class="notice calm" id="note">${words}</p>
  ${commands.map(({ where, command }, index) => html`<p class="sentence">${where}:</p><pre id="command-${index + 1}" tabindex="0" aria-label="${where}">${command}</pre>`)}
  <p class="sentence">The line <code>request</code> of a refused call has its error, the ids in its path, the fields that it was refused for (<code>fields</code>) and the scopes that its key lacks (<code>missing</code>).</p>
  ${cameAt === undefined ? null : html`<p class="sentence">The request came ${inlineTimeElement(cameAt, realTimesOf(request, { time_zone: 'UTC' }))}, by the time in the id.</p>`}`;

/** Returns the page that says what was searched, and what to do instead. */
export const nothingFound = (request: ConsoleRequest, { query, lookedFor, note, logs }: SearchResult, more: Html | null = null): Page => ({
  title: logs === undefined ? 'Nothing found' : 'Not in the audit log',
  searchText: query ?? '',
  body: html`${breadcrumbs()}${resultHead(logs === undefined ? 'Nothing found' : 'Not in the audit log', lookedFor, query)}${logs === undefined ? html`<p class="notice calm" id="note">${note}</p>` : logSearch(request, logs)}${more}`,
});
