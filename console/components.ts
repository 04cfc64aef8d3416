import { possibleWorkflowIds } from '../domain/outbox/workflows';
import { workflowsUrl } from '../domain/workflowView';
import { html, type Html, type HtmlValue } from './html';
import { href, type ConsoleRequest } from './consoleRequest';

/** A status as a coloured badge; the colour says nothing that the word does not. */
export const badge = (status: string, words = status): Html => html`<span class="badge badge-${status}">${words}</span>`;

/** An id that is easily selected. */
export const idCode = (value: string): Html => html`<code class="id">${value}</code>`;

/** A workflow's id, which leads to its page in Temporal's Web UI; to a list of those that may be meant where a backup was restored. */
export const workflowLink = ({ deps, epochs }: ConsoleRequest, workflowId: string): Html =>
  html`<a href="${workflowsUrl(deps.temporalUi, possibleWorkflowIds(workflowId, epochs))}" rel="noreferrer" target="_blank"><code>${workflowId}</code><span class="unseen"> (Temporal, opens in a new tab)</span></a>`;

/** One column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => HtmlValue;
  numeric?: true;
}

/** A table that becomes cards where there is little room; each row is known by its key when the page is updated. */
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

/** Facts side by side: what, and how it is. */
export function descriptionList(...rows: readonly (readonly [name: string, value: HtmlValue] | undefined)[]): Html {
  const given = rows.filter((row) => row !== undefined);
  return html`<dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A button that does something: a form of its own with the token of the session. */
export function actionButton({ formToken }: ConsoleRequest, action: string, label: string, kind: 'main' | 'plain' | 'danger', fields: HtmlValue = null): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="form_token" value="${formToken}">${fields}<button class="button ${kind}">${label}</button></form>`;
}

/** What stands where there is nothing to list. */
export const emptyState = (words: HtmlValue): Html => html`<p class="nothing">${words}</p>`;

/** A part of a page with its heading. */
export function section(key: string, title: HtmlValue, body: HtmlValue, beside: HtmlValue = null): Html {
  return html`<section class="panel" id="${key}" aria-labelledby="${key}-title">
    <div class="panel-head"><h2 id="${key}-title">${title}</h2>${beside}</div>${body}</section>`;
}

/** The way to a page from the list of institutions: links by name and path. */
export function breadcrumbs(...links: readonly (readonly [name: string, path: string])[]): Html {
  const all = [['Institutions', '/institutions'] as const, ...links];
  return html`<nav aria-label="Where you are"><ol class="crumbs">${all.map(([name, path]) => html`<li><a href="${href(path)}">${name}</a></li>`)}</ol></nav>`;
}
