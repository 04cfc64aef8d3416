import { possibleWorkflowIds } from '../domain/outbox/workflows';
import { workflowsUrl } from '../domain/workflowView';
import { html, type Html, type HtmlValue } from './html';
import { href, pathTo, type ConsoleRequest } from './consoleRequest';

/** Returns a status as a coloured badge; the colour adds nothing to the word. */
export const badge = (status: string, words = status): Html => html`<span class="badge badge-${status}">${words}</span>`;

/** Returns the badge of a sandbox; nothing for any other institution. */
export const sandboxBadge = ({ sandbox_of }: { sandbox_of: string | null }): Html | null => (sandbox_of === null ? null : badge('sandbox'));

/** Returns an id that one click selects. */
export const idCode = (value: string): Html => html`<code class="id">${value}</code>`;

/** Returns an id with a link to what it is. */
export const idLink = (id: string): Html => html`<a href="${href(pathTo.search, { q: id })}"><code>${id}</code></a>`;

/** Returns a workflow's id with a link to its page in Temporal's Web UI, or to a list of candidates after a backup was restored. */
export const workflowLink = ({ deps, epochs }: ConsoleRequest, workflowId: string): Html =>
  html`<a href="${workflowsUrl(deps.temporalUi, possibleWorkflowIds(workflowId, epochs))}" rel="noreferrer" target="_blank" title="Its tab User Metadata has its state in words, with times in UTC"><code>${workflowId}</code><span class="unseen"> (Temporal, opens in a new tab)</span></a>`;

/** Returns how the response to an attempt that failed began; null where there was no text. */
export const answeredLine = (start: string | null): Html | null => (start === null || start === '' ? null : html`<span class="second">answered <code class="answer">${start}</code></span>`);

/** One column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => HtmlValue;
  numeric?: true;
}

/** Returns a table, shown as cards on small screens; the key of a row identifies it when the page is updated. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[], keyOf: (row: Row) => string): Html {
  const kind = ({ numeric }: Column<Row>): Html => html`${numeric === true ? html` class="number"` : null}`;
  return html`<table role="table">
    <caption class="unseen">${caption}</caption>
    <thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col"${kind(column)}>${column.title}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<tr role="row" id="row-${keyOf(row)}">${columns.map(
      (column) => html`<td role="cell" data-title="${column.title}"${kind(column)}><div>${column.cell(row)}</div></td>`,
    )}</tr>`)}</tbody>
  </table>`;
}

/** Returns names with their values, side by side; undefined rows are left out. */
export function descriptionList(...rows: readonly (readonly [name: string, value: HtmlValue] | undefined)[]): Html {
  const given = rows.filter((row) => row !== undefined);
  return html`<dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Returns a button in a form of its own, with the form token of the session. */
export function actionButton({ formToken }: ConsoleRequest, action: string, label: HtmlValue, kind: 'main' | 'plain' | 'danger', fields: HtmlValue = null): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="form_token" value="${formToken}">${fields}<button class="button ${kind}">${label}</button></form>`;
}

/** Returns a form with fields, with the form token of the session. */
export function fieldsForm({ formToken }: ConsoleRequest, { action, label, button }: { action: string; label: string; button: string }, fields: HtmlValue): Html {
  return html`<form class="filters" method="post" action="${action}" aria-label="${label}"><input type="hidden" name="form_token" value="${formToken}">${fields}<button class="button main">${button}</button></form>`;
}

/** Returns the text in place of an empty list. */
export const emptyState = (words: HtmlValue): Html => html`<p class="nothing">${words}</p>`;

/** Returns a part of a page with its heading, and `headExtra` next to the heading. */
export function section(key: string, title: HtmlValue, body: HtmlValue, headExtra: HtmlValue = null): Html {
  return html`<section class="panel" id="${key}" aria-labelledby="${key}-title">
    <div class="panel-head"><h2 id="${key}-title">${title}</h2>${headExtra}</div>${body}</section>`;
}

type Crumb = readonly [name: string, path: string];

const crumbs = (links: readonly Crumb[]): Html =>
  html`<nav aria-label="Where you are"><ol class="crumbs">${links.map(([name, path]) => html`<li><a href="${href(path)}">${name}</a></li>`)}</ol></nav>`;

/** Returns the breadcrumbs of a page: the list of institutions, then these links. */
export const breadcrumbs = (...links: readonly Crumb[]): Html => crumbs([['Institutions', '/institutions'], ...links]);

/** Returns the breadcrumbs of a page about the staff: the list of people, then these links. */
export const staffBreadcrumbs = (...links: readonly Crumb[]): Html => crumbs([['Staff', pathTo.staff], ...links]);
