import { countDeadDeliveries, countReplaysOf } from '../../db/repositories/webhooks/replays';
import { countMissedEvents } from '../../db/repositories/webhooks/recovery';
import { countReplayStates, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { deliveryStatuses } from '../../db/repositories/webhooks/deliveryStatus';
import { maxEventsCounted } from '../../domain/webhooks/recoverDeliveries';
import type { DeadFilter } from '../../domain/webhooks/replayDeadDeliveries';
import { subscribedTypes, typesMatchingAny } from '../../domain/webhooks/subscriptions';
import { html, type Html } from '../html';
import { actionButton, descriptionList, idCode, section, workflowLink } from '../components';
import { plural, timesOf } from '../format';
import { hiddenSelection, parseSelection, selectionText } from '../sendAgain';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { endpointBreadcrumbs, requireEndpoint } from './endpoint';

/** What is sent again: what it is called, and how it is counted. */
interface Resending {
  name: 'replay-dead' | 'recover';
  title: string;
  button: string;
  count: (scope: InstitutionScope, endpoint: SupportEndpoint, selection: DeadFilter & { until: Date }) => Promise<{ matched: number; complete: boolean }>;
  words: (matched: number, selected: string) => Html;
  nothing: (selected: string) => string;
}

const deadDeliveries: Resending = {
  name: 'replay-dead',
  title: 'Replay dead deliveries?',
  button: 'Replay them',
  count: async (scope, { id }, { since, until, eventTypes, responseCodes }) => ({
    matched: await countDeadDeliveries(scope, { endpointId: id, since, until, responseCodes, ...(eventTypes === undefined ? {} : { eventTypes: typesMatchingAny(eventTypes) }) }),
    complete: true,
  }),
  words: (matched, selected) => html`<strong>${plural(matched, 'dead delivery')}</strong> created ${selected} will be sent again, oldest first, each with a new window of 12 hours.`,
  nothing: (selected) => `No dead delivery of this endpoint was created ${selected}, or their events were pruned.`,
};

const missedEvents: Resending = {
  name: 'recover',
  title: 'Recover missed events?',
  button: 'Recover them',
  count: (scope, { id, events }, { since, until, eventTypes }) => countMissedEvents(scope, id, { since, until, types: subscribedTypes(events, eventTypes) }, maxEventsCounted),
  words: (matched, selected) => html`<strong>${plural(matched, 'event')}</strong> without a delivery to this endpoint, ${selected}, will get one and be sent, oldest first.`,
  nothing: (selected) => `Every event that this endpoint subscribes to, ${selected}, has a delivery to it, or was pruned.`,
};

const confirmationPage = ({ name, title, button, count, words, nothing }: Resending) => async (request: ConsoleRequest): Promise<Page> => {
  const { deps, query } = request;
  const endpoint = await requireEndpoint(request);
  const times = timesOf(request, endpoint);
  const selection = parseSelection(query, endpoint.time_zone);
  const { matched, complete } = await count(institutionScope(deps.domain.database, endpoint.institution_id), endpoint, { ...selection, until: selection.until ?? times.now });
  const path = pathTo.endpoint(endpoint.id);
  const selected = selectionText(selection, endpoint.time_zone);
  const isPossible = matched > 0 || !complete;
  return {
    title,
    times,
    body: html`${endpointBreadcrumbs(endpoint)}<h1>${title}</h1><p class="sub">${endpoint.url} ${idCode(endpoint.id)}</p>
      <p class="sentence" id="matched">${isPossible ? words(matched, selected) : nothing(selected)}</p>
      ${complete ? null : html`<p class="notice calm">Counted among the oldest ${maxEventsCounted.toLocaleString('en')} events of this time; there may be more.</p>`}
      <div class="actions sentence">${isPossible ? actionButton(request, href(`${path}/${name}`), button, 'main', hiddenSelection(selection)) : null}<a class="button plain" href="${href(path)}">Back to the endpoint</a></div>`,
  };
};

/** Shows how many dead deliveries would be replayed, and asks for confirmation. */
export const replayDeadPage = confirmationPage(deadDeliveries);

/** Shows how many events have no delivery to an endpoint, and asks whether they get one. */
export const recoverPage = confirmationPage(missedEvents);

/** The states of at most this many replayed deliveries are counted. */
const maxCountedStates = 20_000;

const statusOrder: readonly string[] = deliveryStatuses;

/** Shows the progress of a replay or recovery, and the states of its deliveries. */
export async function replayPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query, params } = request;
  const endpoint = await requireEndpoint(request);
  const replayId = params.replay ?? '';
  const words = replayId.startsWith('rcv_')
    ? { title: 'Recovery', heading: 'Recovery of missed events', done: 'All are sent.', open: 'The recovery continues.', sent: 'Sent' }
    : { title: 'Replay', heading: 'Replay of dead deliveries', done: 'All are sent again.', open: 'The replay continues.', sent: 'Sent again' };
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
    title: `${words.title}: ${delivered} of ${total} delivered`,
    times: timesOf(request, endpoint),
    announce: started === total ? words.done : words.open,
    body: html`${endpointBreadcrumbs(endpoint)}<h1>${words.heading}</h1><p class="sub">${endpoint.url} ${idCode(replayId)}</p>
      ${section('progress', 'Progress', descriptionList(bar(words.sent, started), bar('Delivered', delivered)))}
      ${section('states', 'Their states', descriptionList(
        ...ordered.map(({ status, count }) => [status, html`<span class="big">${count.toLocaleString('en')}</span>`] as const),
        ['Workflow', workflowLink(request, replayId)],
      ))}
      ${started > maxCountedStates ? html`<p class="notice calm">The states of ${maxCountedStates.toLocaleString('en')} of them are counted.</p>` : null}
      <p class="sentence"><a href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></p>`,
  };
}
