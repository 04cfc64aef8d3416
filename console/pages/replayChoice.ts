import { institutionScope } from '../../db/database';
import { countDeadByEndpoint } from '../../db/repositories/webhooks/replays';
import { listSupportEndpoints, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { typesMatchingAny } from '../../domain/webhooks/subscriptions';
import { html, type Html } from '../html';
import { badge, breadcrumbs, emptyState, section, table, type Column } from '../components';
import { endpointLink } from '../endpointName';
import { plural, timesOf } from '../format';
import { parseSelection, selectionQuery, selectionText } from '../sendAgain';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { healthOf } from './health';
import { requireInstitution } from './institution';

interface Choice {
  endpoint: SupportEndpoint;
  dead: number;
}

const columns = (query: Readonly<Record<string, string | undefined>>): readonly Column<Choice>[] => [
  { title: 'Endpoint', cell: ({ endpoint }) => endpointLink(endpoint) },
  { title: 'Health', cell: ({ endpoint }) => badge(healthOf(endpoint).badge, healthOf(endpoint).label) },
  { title: 'Dead', cell: ({ dead }) => dead.toLocaleString('en'), numeric: true },
  {
    title: 'Replay',
    cell: ({ endpoint: { id, status }, dead }) => status === 'active'
      ? html`<a href="${href(`${pathTo.endpoint(id)}/replay-dead`, query)}">Replay ${dead === 1 ? 'this one' : `these ${dead.toLocaleString('en')}`}…</a>`
      : html`<span class="faint">${status === 'paused' ? 'Resume' : 'Reactivate'} the endpoint first.</span>`,
  },
];

const otherText = (count: number): Html | null =>
  count === 0 ? null : html`<p class="notice calm">${count.toLocaleString('en')} of them went to endpoints that were deleted, or that are not among the newest 100.</p>`;

/** Shows which endpoints of an institution have dead deliveries of a selection, each with a link that replays them. */
export async function replayChoicePage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const { database } = deps.domain;
  const institution = await requireInstitution(request, idParam(request));
  const times = timesOf(request, institution);
  const selection = parseSelection(query, institution.time_zone);
  const { since, until = times.now, eventTypes, responseCodes } = selection;
  const types = eventTypes === undefined ? {} : { eventTypes: typesMatchingAny(eventTypes) };
  const [counts, endpoints] = await Promise.all([
    countDeadByEndpoint(institutionScope(database, institution.id), { since, until, responseCodes, ...types }),
    listSupportEndpoints(database.sql, institution.id),
  ]);
  const choices = endpoints.flatMap((endpoint): Choice[] => {
    const dead = counts.get(endpoint.id) ?? 0;
    return dead === 0 ? [] : [{ endpoint, dead }];
  });
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const selected = selectionText(selection, institution.time_zone);
  return {
    title: 'Replay dead deliveries?',
    times,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)], ['Deliveries', pathTo.deliveries(institution.id)])}<h1>Replay dead deliveries?</h1>
      <p class="sentence" id="matched">${total === 0 ? 'No dead delivery' : plural(total, 'dead delivery')} created ${selected} can be replayed: those whose events are still stored.${total === 0 ? null : ' Choose the endpoint.'}</p>
      ${section('endpoints', 'Endpoints', choices.length > 0 ? table('Endpoints with dead deliveries', columns(selectionQuery(selection)), choices, ({ endpoint }) => endpoint.id) : emptyState('No endpoint has any of them.'))}
      ${otherText(total - choices.reduce((sum, { dead }) => sum + dead, 0))}`,
  };
}
