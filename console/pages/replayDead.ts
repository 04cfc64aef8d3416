import { countDeadDeliveries, countReplaysOf } from '../../db/repositories/webhooks/replays';
import { countReplayStates } from '../../db/repositories/support/endpoints';
import { institutionScope } from '../../db/database';
import { invalid } from '../../domain/errors';
import { deliveryTransitions } from '../../domain/webhooks/transitions';
import { html, type Html } from '../html';
import { actionButton, facts, id, section, workflowLink } from '../components';
import { plural, readMoment, utc } from '../format';
import { href, pathTo, type Page, type Visit } from '../consoleRequest';
import { crumbsOf, requireEndpoint } from './endpoint';

/** The moment after which dead deliveries are meant; `validation_error` for anything else. */
export function requireSince(text: string | null): Date {
  const since = readMoment(text ?? '');
  if (since === undefined) throw invalid({ path: 'since', message: 'must be a time such as 2026-11-20T09:30' });
  return since;
}

/** Says how many dead deliveries would be sent anew, and asks whether they are to be. */
export async function replayingDeadPage(visit: Visit): Promise<Page> {
  const { desk, now, query } = visit;
  const endpoint = await requireEndpoint(visit);
  const since = requireSince(query.get('since'));
  const scope = institutionScope(desk.domain.database, endpoint.institution_id);
  const matched = await countDeadDeliveries(scope, { endpointId: endpoint.id, since, until: now });
  const path = pathTo.endpoint(endpoint.id);
  const sinceField = html`<input type="hidden" name="since" value="${since.toISOString()}">`;
  const back = html`<a class="button plain" href="${href(path)}">Back to the endpoint</a>`;
  return {
    title: 'Replay dead deliveries?',
    body: html`${crumbsOf(endpoint)}<h1>Replay dead deliveries?</h1><p class="sub">${endpoint.url} ${id(endpoint.id)}</p>
      <p class="sentence" id="matched">${matched === 0
        ? html`No dead delivery of this endpoint was created after ${utc(since)}, or their events were pruned.`
        : html`<strong>${plural(matched, 'dead delivery')}</strong> created after ${utc(since)} will be sent anew, oldest first, each with a new window of 12 hours.`}</p>
      <div class="actions sentence">${matched === 0 ? null : actionButton(visit, href(`${path}/replay-dead`), 'Replay them', 'main', sinceField)}${back}</div>`,
  };
}

/** Of how many replayed deliveries the page tells what became of them. */
const statesOfAtMost = 20_000;

const statusOrder = Object.keys(deliveryTransitions);

/** How far a replay of dead deliveries is, and what became of those sent anew so far. */
export async function replayPage(visit: Visit): Promise<Page> {
  const { desk, query, params } = visit;
  const endpoint = await requireEndpoint(visit);
  const replayId = params.replay ?? '';
  const matched = Math.min(Number.parseInt(query.get('matched') ?? '', 10) || 0, 10_000_000);
  const { database } = desk.domain;
  const [started, states] = await Promise.all([
    countReplaysOf(institutionScope(database, endpoint.institution_id), replayId),
    countReplayStates(database.sql, endpoint.institution_id, replayId, statesOfAtMost),
  ]);
  const ordered = states.toSorted((one, other) => statusOrder.indexOf(one.status) - statusOrder.indexOf(other.status));
  const delivered = states.find(({ status }) => status === 'delivered')?.count ?? 0;
  const most = Math.max(matched, started);
  const bar = (label: string, value: number): readonly [string, Html] =>
    [label, html`<span class="big">${value.toLocaleString('en')} of ${most.toLocaleString('en')}</span><progress aria-label="${label}" max="${Math.max(most, 1)}" value="${value}"></progress>`];
  return {
    title: `Replay: ${delivered} of ${most} delivered`,
    announce: started === most ? 'All are sent anew.' : 'The replay goes on.',
    body: html`${crumbsOf(endpoint)}<h1>Replay of dead deliveries</h1><p class="sub">${endpoint.url} ${id(replayId)}</p>
      ${section('progress', 'Progress', facts(bar('Sent anew', started), bar('Delivered', delivered)))}
      ${section('states', 'What became of them', facts(
        ...ordered.map(({ status, count }) => [status, html`<span class="big">${count.toLocaleString('en')}</span>`] as const),
        ['Workflow', workflowLink(visit, replayId)],
      ))}
      ${started > statesOfAtMost ? html`<p class="notice calm">What became of them is told of ${statesOfAtMost.toLocaleString('en')} alone.</p>` : null}
      <p class="sentence"><a href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></p>`,
  };
}
