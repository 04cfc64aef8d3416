import { countFailingEndpoints, failingStates, type FailingState } from '../../db/repositories/support/failingEndpoints';
import { readFailingEndpoints, type DatedFailingEndpoint } from '../../domain/webhooks/failingEndpoints';
import { html, type Html, type HtmlValue } from '../html';
import { badge, breadcrumbs, emptyState, sandboxBadge, section, table, type Column } from '../components';
import { endpointLink } from '../endpointName';
import { filterForm, parseChoice, problemNotices, selectField, type Option } from '../filters';
import { count, plural, relativeElement, timeElement, timesOf } from '../format';
import { href, pathTo, type ConsoleRequest, type Page } from '../consoleRequest';
import { filterText, pager, perPage } from './listPage';

const states = failingStates.filter((state) => state !== 'any');

const labels: Readonly<Record<(typeof states)[number], string>> = { failing: 'failing', open: 'circuit open', disabled: 'disabled', paused: 'paused' };

const stateOptions: readonly Option[] = states.map((state) => [state, labels[state]]);

const second = (words: HtmlValue): Html => html`<span class="second">${words}</span>`;

/** Returns the state of an endpoint, with why it was disabled or how its last attempt failed. */
function stateCell({ status, circuit, first_failed_at, disabled_reason, last_error }: DatedFailingEndpoint): Html {
  if (status === 'disabled') return html`${badge('disabled')}${disabled_reason === null ? null : second(disabled_reason)}`;
  const failure = circuit === 'open' ? badge('open', labels.open) : first_failed_at === null ? null : badge('failing');
  return html`<span class="tags">${status === 'paused' ? badge('paused') : null}${failure}</span>${last_error === null ? null : second(last_error)}`;
}

/** Returns since when an endpoint is in its state, and of a failing one how many attempts failed. */
function sinceCell(request: ConsoleRequest, row: DatedFailingEndpoint): Html {
  const times = timesOf(request, row);
  if (row.status === 'disabled') return timeElement(row.disabled_at, times, 'not known');
  const failures = row.first_failed_at === null ? null : second(row.status === 'paused' ? html`failing ${relativeElement(row.first_failed_at, times)}, ${plural(row.consecutive_failures, 'failure')} since` : `${plural(row.consecutive_failures, 'failure')} since`);
  return html`${timeElement(row.status === 'paused' ? row.paused_at : row.first_failed_at, times)}${failures}`;
}

/** Returns how many deliveries are held, and when the first of them is given up, unless a pause or a suspension stops that. */
function heldCell(request: ConsoleRequest, { held, first_held_deadline_at: deadline, resting_since, ...row }: DatedFailingEndpoint): Html {
  const ends = held === 0 || deadline === null ? null : second(resting_since === null ? html`first given up ${relativeElement(deadline, timesOf(request, row))}` : 'not given up meanwhile');
  return html`${held === 0 ? html`<span class="faint">0</span>` : html`<a href="${href(pathTo.deliveries(row.institution_id), { status: 'held', endpoint: row.id })}">${count(held)}</a>`}${ends}`;
}

/** Returns how many deliveries were given up, as a link to them. */
const deadCell = ({ dead, id, institution_id }: DatedFailingEndpoint): Html =>
  dead === 0 ? html`<span class="faint">0</span>` : html`<a href="${href(pathTo.deliveries(institution_id), { status: 'dead', endpoint: id })}">${count(dead)}</a>`;

const columnsAt = (request: ConsoleRequest): readonly Column<DatedFailingEndpoint>[] => [
  { title: 'Endpoint', cell: (row) => html`${endpointLink(row)}<span class="second"><code>${row.id}</code></span>` },
  { title: 'Institution', cell: (row) => html`<a href="${href(pathTo.institution(row.institution_id))}">${row.institution_name}</a> ${sandboxBadge(row)}` },
  { title: 'State', cell: stateCell },
  { title: 'Since', cell: (row) => sinceCell(request, row) },
  { title: 'Held', cell: (row) => heldCell(request, row), numeric: true },
  { title: 'Dead', cell: deadCell, numeric: true },
  { title: 'Last success', cell: (row) => (row.last_success_at === null ? 'never' : relativeElement(row.last_success_at, timesOf(request, row))) },
];

const emptyWords: Readonly<Record<FailingState, string>> = {
  any: 'Every endpoint works: none fails, is disabled or is paused, and no circuit is open.',
  failing: 'No endpoint fails, and no circuit is open.',
  open: 'No circuit is open.',
  disabled: 'No endpoint is disabled.',
  paused: 'No endpoint is paused.',
};

/** Returns the rows of the only page with those first of which something is given up first. */
const urgentFirst = (rows: readonly DatedFailingEndpoint[]): DatedFailingEndpoint[] => {
  const endOf = ({ first_held_deadline_at: deadline, resting_since }: DatedFailingEndpoint): number => (deadline === null || resting_since !== null ? Infinity : deadline.getTime());
  return rows.toSorted((one, other) => (endOf(one) === endOf(other) ? 0 : endOf(one) - endOf(other)));
};

/** Shows the endpoints of all institutions that fail, whose circuit is open, or that are disabled or paused: where one page has all of them, those of which something is given up first; else newest first. */
export async function failingPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const { sql } = deps.domain.database;
  const { chosen, problems } = parseChoice(query, 'state', states, 'a state of an endpoint');
  const state = chosen ?? 'any';
  const before = filterText(query, 'before');
  const { rows, next } = await readFailingEndpoints(sql, { state }, { page: 1, limit: perPage, cursor: { after: before === undefined ? null : [before] } });
  const total = await countFailingEndpoints(sql, state);
  const isWhole = before === undefined && next === null;
  const path = pathTo.failing;
  const filter = { state: chosen };
  return {
    title: 'Not working',
    body: html`${breadcrumbs()}
      <div class="head"><div class="title"><h1>Not working (${count(total)})</h1><p class="sub">Webhook endpoints of all institutions: attempts have failed since the last success, the circuit is open, or the endpoint is disabled or paused. Many that fail since the same minute: look at the service first. One alone: its receiver.</p></div></div>
      ${filterForm(href(path), chosen !== undefined, selectField('state', 'State', stateOptions, chosen))}
      ${problemNotices(problems)}
      ${section('failing', isWhole ? 'First those of which something is given up first' : 'Newest endpoints first', rows.length > 0 ? table('Endpoints that do not work', columnsAt(request), isWhole ? urgentFirst(rows) : rows, ({ id }) => id) : emptyState(emptyWords[state]))}
      ${pager({
        newest: before === undefined ? undefined : href(path, filter),
        older: next === null ? undefined : href(path, { ...filter, before: rows.at(-1)?.id }),
      })}`,
  };
}
