import { listFailingEndpoints, type FailingEndpoint } from '../../db/repositories/support/failingEndpoints';
import { html } from '../html';
import { badge, breadcrumbs, emptyState, sandboxBadge, section, table, type Column } from '../components';
import { endpointLink } from '../endpointName';
import { filterForm, parseChoice, problemNotices, selectField } from '../filters';
import { plural, relativeElement, timeElement, timesOf } from '../format';
import { href, pathTo, type ConsoleRequest, type Page } from '../consoleRequest';
import { filterText, pager, perPage } from './listPage';

const circuits = ['open', 'closed'] as const;

const columnsAt = (request: ConsoleRequest): readonly Column<FailingEndpoint>[] => [
  { title: 'Endpoint', cell: (row) => html`${endpointLink(row)}<span class="second"><code>${row.id}</code></span>` },
  { title: 'Institution', cell: (row) => html`<a href="${href(pathTo.institution(row.institution_id))}">${row.institution_name}</a> ${sandboxBadge(row)}` },
  { title: 'State', cell: ({ status, circuit, last_error }) => html`<span class="tags">${status === 'paused' ? badge('paused') : null}${circuit === 'open' ? badge('open', 'circuit open') : badge('failing')}</span>${last_error === null ? null : html`<span class="second">${last_error}</span>`}` },
  { title: 'Failing since', cell: (row) => html`${timeElement(row.first_failed_at, timesOf(request, row))}<span class="second">${plural(row.consecutive_failures, 'failure')} since</span>` },
  { title: 'Last success', cell: (row) => (row.last_success_at === null ? 'never' : relativeElement(row.last_success_at, timesOf(request, row))) },
];

/** Shows the endpoints of all institutions whose attempts fail or whose circuit is open, newest first. */
export async function failingPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const circuit = parseChoice(query, 'circuit', circuits, 'a state of a circuit');
  const before = filterText(query, 'before');
  const { rows, next } = await listFailingEndpoints(deps.domain.database.sql, { circuit: circuit.chosen }, { page: 1, limit: perPage, cursor: { after: before === undefined ? null : [before] } });
  const path = pathTo.failing;
  const filter = { circuit: circuit.chosen };
  return {
    title: 'Failing now',
    body: html`${breadcrumbs()}
      <div class="head"><div class="title"><h1>Failing now</h1><p class="sub">Webhook endpoints of all institutions: attempts have failed since the last success, or the circuit is open. Disabled ones are not here. Many since the same minute: look at the service first. One alone: its receiver.</p></div></div>
      ${filterForm(href(path), circuit.chosen !== undefined, selectField('circuit', 'Circuit', circuits.map((name) => [name, name]), circuit.chosen))}
      ${problemNotices(circuit.problems)}
      ${section('failing', 'Newest endpoints first', rows.length > 0 ? table('Failing endpoints', columnsAt(request), rows, ({ id }) => id) : emptyState('No endpoint fails, and no circuit is open.'))}
      ${pager({
        newest: before === undefined ? undefined : href(path, filter),
        older: next === null ? undefined : href(path, { ...filter, before: rows.at(-1)?.id }),
      })}`,
  };
}
