import { countReplaysOf } from '../../db/repositories/webhooks/replays';
import { countReplayStates, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { institutionScope } from '../../db/database';
import { deliveryStatuses } from '../../db/repositories/webhooks/deliveryStatus';
import { endOfRange } from '../../domain/webhooks/endOfRange';
import { maxEventsCounted } from '../../domain/webhooks/recoverDeliveries';
import { DomainError } from '../../domain/errors';
import type { DeadFilter } from '../../domain/webhooks/replayDeadDeliveries';
import { html, type Html } from '../html';
import { actionButton, descriptionList, idCode, section, workflowLink } from '../components';
import { endpointText } from '../endpointName';
import { plural, timesOf, type Times } from '../format';
import { hiddenSelection, parseSelection, selectionQuery, selectionText } from '../sendAgain';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { endpointBreadcrumbs, requireEndpoint } from './endpoint';
import { missedEvents } from './missedEvents';
import { probeSentence } from './probe';
import { countDead, deadNotice, type Resending } from './resending';

/** Returns which dead deliveries of the same kind were created before From, and how to replay them with the others. */
function earlierNotice(id: string, earlier: number, selection: DeadFilter): Html | null {
  if (earlier === 0) return null;
  const everything = selectionQuery({ ...selection, since: new Date(0) });
  return html`<p class="notice warn" id="earlier"><strong>${earlier.toLocaleString('en')} more</strong> ${earlier === 1 ? 'was' : 'were'} created before:
    <a href="${href(`${pathTo.endpoint(id)}/replay-dead`, everything)}">replay ${earlier === 1 ? 'it' : 'them'}, too…</a></p>`;
}

const deadDeliveries: Resending = {
  name: 'replay-dead',
  title: 'Replay dead deliveries?',
  button: 'Replay them',
  count: async (scope, { id }, selection) => ({
    matched: await countDead(scope, id, selection),
    complete: true,
    left: earlierNotice(id, await countDead(scope, id, { ...selection, since: new Date(0), until: selection.since }), selection),
  }),
  words: (matched, selected) => html`<strong>${plural(matched, 'dead delivery')}</strong> created ${selected} will be sent again, oldest first, each with a new window of 12 hours.`,
  nothing: (selected) => `No dead delivery of this endpoint was created ${selected}, or their events were pruned.`,
};

/** Returns what is selected, or the error that says why nothing can be. */
function readSelection(query: URLSearchParams, { time_zone }: SupportEndpoint): DeadFilter | DomainError {
  try {
    return parseSelection(query, time_zone);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'validation_error') return error;
    throw error;
  }
}

/** Says what is wrong with a selection, and leads back to its form. */
const wrongSelectionPage = (endpoint: SupportEndpoint, title: string, { message, code }: DomainError): Page => ({
  title,
  status: 422,
  body: html`${endpointBreadcrumbs(endpoint)}<h1>${title}</h1><p class="sub">${endpointText(endpoint)} ${idCode(endpoint.id)}</p>
    <p class="notice bad" id="problem">${message} (${code})</p>
    <div class="actions sentence"><a class="button plain" href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></div>`,
});

const confirmationPage = ({ name, title, button, count, words, nothing }: Resending) => async (request: ConsoleRequest): Promise<Page> => {
  const { deps, query } = request;
  const endpoint = await requireEndpoint(request);
  const times = timesOf(request, endpoint);
  const selection = readSelection(query, endpoint);
  if (selection instanceof DomainError) return wrongSelectionPage(endpoint, title, selection);
  const scope = institutionScope(deps.domain.database, endpoint.institution_id);
  const { matched, complete, impossible, details, left, list } = await count(scope, endpoint, { ...selection, until: await endOfRange(scope, times.now, selection.until) }, times);
  const path = pathTo.endpoint(endpoint.id);
  const selected = selectionText(selection, endpoint.time_zone);
  const isPossible = impossible === undefined && (matched > 0 || !complete);
  const isActive = endpoint.status === 'active';
  const sentence = impossible?.(selectionText({ ...selection, eventTypes: undefined }, endpoint.time_zone)) ?? (isPossible ? words(matched, selected) : nothing(selected));
  return {
    title,
    times,
    body: html`${endpointBreadcrumbs(endpoint)}<h1>${title}</h1><p class="sub">${endpointText(endpoint)} ${idCode(endpoint.id)}</p>
      <p class="sentence" id="matched">${sentence}</p>
      ${complete ? null : html`<p class="notice calm">Counted among the oldest ${maxEventsCounted.toLocaleString('en')} events of this time; there may be more.</p>`}
      ${details}${left}
      ${isPossible && !isActive ? html`<p class="notice warn" id="inactive">${endpoint.status === 'disabled' ? 'Reactivate' : 'Resume'} the endpoint first: while it is ${endpoint.status} it receives no deliveries.</p>` : null}
      <div class="actions sentence">${isPossible && isActive ? actionButton(request, href(`${path}/${name}`), button, 'main', hiddenSelection(selection)) : null}<a class="button plain" href="${href(path)}">Back to the endpoint</a></div>
      ${list}`,
  };
};

/** Shows how many dead deliveries would be replayed, and asks for confirmation. */
export const replayDeadPage = confirmationPage(deadDeliveries);

/** Shows how many events have no delivery to an endpoint, and asks whether they get one. */
export const recoverPage = confirmationPage(missedEvents);

/** The states of at most this many replayed deliveries are counted. */
const maxCountedStates = 20_000;

const statusOrder: readonly string[] = deliveryStatuses;

/** What keeps released deliveries from being sent. */
function heldNotice({ status, circuit, probe_at, institution_status }: SupportEndpoint, times: Times): Html | null {
  const isSuspended = institution_status !== 'approved';
  const thenCircuit = circuit === 'open' ? ', and after that by the open circuit until one has succeeded' : null;
  if (status === 'paused') {
    return html`<p class="notice warn">The endpoint is paused${isSuspended ? `, and the institution is ${institution_status}` : null}: released deliveries are held until it is resumed${isSuspended ? ' and the institution is approved' : null}${thenCircuit}.</p>`;
  }
  if (status === 'disabled') return html`<p class="notice warn">The endpoint is disabled: released deliveries are given up.</p>`;
  if (isSuspended) return html`<p class="notice warn">The institution is ${institution_status}: released deliveries are held until it is approved${thenCircuit}.</p>`;
  if (circuit === 'closed' || probe_at === null) return null;
  return html`<p class="notice warn">The circuit is open: released deliveries are held, and only the oldest one is tried. ${probeSentence(probe_at, times, true)}</p>`;
}

/** Returns what a recovery of the selection in the query string leaves out. */
async function deadLeft({ deps, query }: ConsoleRequest, endpoint: SupportEndpoint): Promise<Html | null> {
  const selection = parseSelection(query, endpoint.time_zone);
  const { until } = selection;
  if (until === undefined) return null;
  return deadNotice(endpoint.id, await countDead(institutionScope(deps.domain.database, endpoint.institution_id), endpoint.id, { ...selection, until }), selection);
}

/** Shows the progress of a replay or recovery, and the states of its deliveries. */
export async function replayPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query, params } = request;
  const endpoint = await requireEndpoint(request);
  const replayId = params.replay ?? '';
  const words = replayId.startsWith('rcv_')
    ? { title: 'Recovery', heading: 'Recovery of missed events', done: 'All are released.', open: 'The recovery continues.' }
    : { title: 'Replay', heading: 'Replay of dead deliveries', done: 'All are released.', open: 'The replay continues.' };
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
    body: html`${endpointBreadcrumbs(endpoint)}<h1>${words.heading}</h1><p class="sub">${endpointText(endpoint)} ${idCode(replayId)}</p>
      ${heldNotice(endpoint, timesOf(request, endpoint))}
      ${section('progress', 'Progress', descriptionList(bar('Released', started), bar('Delivered', delivered), ['Workflow', workflowLink(request, replayId)]))}
      ${ordered.length === 0 ? null : section('states', 'Their states', descriptionList(
        ...ordered.map(({ status, count }) => [status, html`<span class="big">${count.toLocaleString('en')}</span>`] as const),
      ))}
      ${replayId.startsWith('rcv_') && query.get('since') !== null ? await deadLeft(request, endpoint) : null}
      ${started > maxCountedStates ? html`<p class="notice calm">The states of ${maxCountedStates.toLocaleString('en')} of them are counted.</p>` : null}
      <p class="sentence"><a href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></p>`,
  };
}
