import { countDeadDeliveries, countReplaysOf } from '../../db/repositories/webhooks/replays';
import { countReplayStates } from '../../db/repositories/support/endpoints';
import { institutionScope } from '../../db/database';
import { validationError } from '../../domain/errors';
import { deliveryStatuses } from '../../db/repositories/webhooks/deliveryStatus';
import { html, type Html } from '../html';
import { actionButton, descriptionList, idCode, section, workflowLink } from '../components';
import { plural, parseTimeInput, timeText } from '../format';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { endpointBreadcrumbs, requireEndpoint } from './endpoint';

/** Parses the time after which dead deliveries are replayed, by the clocks of a time zone if it names none. Throws `validation_error` for anything else. */
export function requireSince(text: string | null, timeZone: string): Date {
  const since = parseTimeInput(text ?? '', timeZone);
  if (since === undefined) throw validationError({ path: 'since', message: 'must be a time such as 2026-11-20T09:30' });
  return since;
}

/** Shows how many dead deliveries would be replayed, and asks for confirmation. */
export async function replayDeadPage(request: ConsoleRequest): Promise<Page> {
  const { deps, now, query } = request;
  const endpoint = await requireEndpoint(request);
  const since = requireSince(query.get('since'), endpoint.time_zone);
  const scope = institutionScope(deps.domain.database, endpoint.institution_id);
  const matched = await countDeadDeliveries(scope, { endpointId: endpoint.id, since, until: now });
  const path = pathTo.endpoint(endpoint.id);
  const sinceField = html`<input type="hidden" name="since" value="${since.toISOString()}">`;
  const back = html`<a class="button plain" href="${href(path)}">Back to the endpoint</a>`;
  return {
    title: 'Replay dead deliveries?',
    body: html`${endpointBreadcrumbs(endpoint)}<h1>Replay dead deliveries?</h1><p class="sub">${endpoint.url} ${idCode(endpoint.id)}</p>
      <p class="sentence" id="matched">${matched === 0
        ? html`No dead delivery of this endpoint was created after ${timeText(since, { timeZone: endpoint.time_zone })}, or their events were pruned.`
        : html`<strong>${plural(matched, 'dead delivery')}</strong> created after ${timeText(since, { timeZone: endpoint.time_zone })} will be sent again, oldest first, each with a new window of 12 hours.`}</p>
      <div class="actions sentence">${matched === 0 ? null : actionButton(request, href(`${path}/replay-dead`), 'Replay them', 'main', sinceField)}${back}</div>`,
  };
}

/** The states of at most this many replayed deliveries are counted. */
const maxCountedStates = 20_000;

const statusOrder: readonly string[] = deliveryStatuses;

/** Shows the progress of a replay, and the states of the replayed deliveries. */
export async function replayPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query, params } = request;
  const endpoint = await requireEndpoint(request);
  const replayId = params.replay ?? '';
  const matched = Math.min(Number.parseInt(query.get('matched') ?? '', 10) || 0, 10_000_000);
  const { database } = deps.domain;
  const [started, states] = await Promise.all([
    countReplaysOf(institutionScope(database, endpoint.institution_id), replayId),
    countReplayStates(database.sql, endpoint.institution_id, replayId, maxCountedStates),
  ]);
  const ordered = states.toSorted((one, other) => statusOrder.indexOf(one.status) - statusOrder.indexOf(other.status));
  const delivered = states.find(({ status }) => status === 'delivered')?.count ?? 0;
  const total = Math.max(matched, started);
  const bar = (label: string, value: number): readonly [string, Html] =>
    [label, html`<span class="big">${value.toLocaleString('en')} of ${total.toLocaleString('en')}</span><progress aria-label="${label}" max="${Math.max(total, 1)}" value="${value}"></progress>`];
  return {
    title: `Replay: ${delivered} of ${total} delivered`,
    announce: started === total ? 'All are sent again.' : 'The replay continues.',
    body: html`${endpointBreadcrumbs(endpoint)}<h1>Replay of dead deliveries</h1><p class="sub">${endpoint.url} ${idCode(replayId)}</p>
      ${section('progress', 'Progress', descriptionList(bar('Sent again', started), bar('Delivered', delivered)))}
      ${section('states', 'Their states', descriptionList(
        ...ordered.map(({ status, count }) => [status, html`<span class="big">${count.toLocaleString('en')}</span>`] as const),
        ['Workflow', workflowLink(request, replayId)],
      ))}
      ${started > maxCountedStates ? html`<p class="notice calm">The states of ${maxCountedStates.toLocaleString('en')} of them are counted.</p>` : null}
      <p class="sentence"><a href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></p>`,
  };
}
