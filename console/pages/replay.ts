import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { countReplaysOf } from '../../db/repositories/webhooks/replays';
import type { SupportEndpoint } from '../../db/repositories/support/endpoints';
import { countReplayOutcomes, listReplayedAgain, type ReplayCount } from '../../db/repositories/support/replayOutcomes';
import { findBeginnings, listSentTypes, type SentType } from '../../db/repositories/support/sentAgain';
import { institutionScope } from '../../db/database';
import { deliveryStatuses } from '../../db/repositories/webhooks/deliveryStatus';
import type { DeadFilter } from '../../domain/webhooks/replayDeadDeliveries';
import { readSentSelection } from '../../domain/webhooks/sentSelection';
import { html, type Html, type HtmlValue } from '../html';
import { descriptionList, idCode, section, workflowLink } from '../components';
import { endpointText } from '../endpointName';
import { realTimesOf, timeElement, timesOf, timeText, type Times } from '../format';
import { parseSelection, selectionText } from '../sendAgain';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { actorText } from './auditedCall';
import { endpointBreadcrumbs, requireEndpoint } from './endpoint';
import { probeSentence } from './probe';
import { replayedAgainLine } from './replayedAgain';
import { stoppedNotice } from './resendEnd';
import { deadNotice } from './resending';
import { findShownWorkflow } from './workflowState';

/** The outcomes, states and types of at most this many replayed deliveries are counted. */
const maxCounted = 20_000;

/** So many of the deliveries that were replayed again are named. */
const againShown = 20;

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
async function deadLeft(request: ConsoleRequest, endpoint: SupportEndpoint): Promise<Html | null> {
  const selection = parseSelection(request.query, endpoint.time_zone);
  const { until } = selection;
  if (until === undefined) return null;
  return deadNotice(institutionScope(request.deps.domain.database, endpoint.institution_id), endpoint.id, { ...selection, until }, timesOf(request, endpoint).now);
}

/** What a call may have been narrowed by, in the words of its page; the log has the names of fields, not their values. */
const narrowedBy: readonly (readonly [field: string, words: string])[] = [['since', 'since'], ['until', 'until'], ['event_types', 'event types'], ['response_codes', 'response codes']];

/** Returns what a call has chosen to be sent, which the input of its workflow alone has; without that by which fields it chose. */
function choiceText({ changed }: AuditedChange, selection: DeadFilter | undefined, timeZone: string): string {
  if (selection !== undefined) return `${selectionText(selection, timeZone)}${selection.eventTypes === undefined ? ', of all event types' : ''}`;
  const words = narrowedBy.flatMap(([field, name]) => (changed.includes(field) ? [name] : []));
  const missing = changed.includes('event_types') ? '' : ', of all event types';
  return `by ${words.join(', ')}${missing}; Temporal, which has the values, does not have this workflow now`;
}

/** Returns what was sent so far: how many of each event type, and when the first and the last of their events happened. */
function sentText(types: readonly SentType[], times: Times): Html | string {
  const [first, last] = [types.map((type) => type.first_event_at), types.map((type) => type.last_event_at)].map((bounds) => bounds.toSorted((one, other) => one.getTime() - other.getTime()));
  const [from, until] = [first?.[0], last?.at(-1)];
  if (from === undefined || until === undefined) return 'nothing so far';
  return html`${types.map(({ event_type, count }) => html`<span class="second">${count.toLocaleString('en')} ${event_type}</span>`)}<span class="second">events from ${timeText(from, times)} until ${timeText(until, times)}</span>`;
}

type Row = readonly [name: string, value: HtmlValue];

/** Returns who began a replay or recovery, when, what it was asked for, and what it has sent. */
function requestRows(request: ConsoleRequest, endpoint: SupportEndpoint, replayId: string, { beginning, selection, types }: { beginning: AuditedChange | undefined; selection: DeadFilter | undefined; types: readonly SentType[] }): Row[] {
  const log = pathTo.auditLog(endpoint.institution_id);
  const begun: Row[] = beginning === undefined
    ? [['Begun by', 'not known: the audit log no longer has the call']]
    : [
        ['Begun by', actorText(beginning, log)],
        ['Begun', html`${timeElement(beginning.at, realTimesOf(request, endpoint))}<span class="second">request <a href="${href(log, { request: beginning.request_id })}"><code>${beginning.request_id}</code></a></span>`],
        ['Chosen', choiceText(beginning, selection, endpoint.time_zone)],
      ];
  return [...begun, ['Sent', sentText(types, timesOf(request, endpoint))], ['Deliveries', html`<a href="${href(pathTo.deliveries(endpoint.institution_id), { sent_by: replayId })}">what it has sent</a>`]];
}

/** Shows who began a replay or recovery, its progress, what it has sent and brought, which deliveries were replayed again later, and their states now. */
export async function replayPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query, params } = request;
  const endpoint = await requireEndpoint(request);
  const replayId = params.replay ?? '';
  const words = replayId.startsWith('rcv_')
    ? { title: 'Recovery', noun: 'recovery', heading: 'Recovery of missed events', done: 'All are released.', open: 'The recovery continues.', stopped: 'The recovery ended before all were released.' }
    : { title: 'Replay', noun: 'replay', heading: 'Replay of dead deliveries', done: 'All are released.', open: 'The replay continues.', stopped: 'The replay ended before all were released.' };
  const { noun } = words;
  const matched = Math.min(Number.parseInt(query.get('matched') ?? '', 10) || 0, 10_000_000);
  const { database } = deps.domain;
  const scope = institutionScope(database, endpoint.institution_id);
  const [started, counts, types, beginnings, selection, work] = await Promise.all([
    countReplaysOf(scope, replayId),
    countReplayOutcomes(scope, replayId, maxCounted),
    listSentTypes(scope, replayId, maxCounted),
    findBeginnings(scope, [replayId]),
    readSentSelection(deps.domain, replayId, request.epochs),
    findShownWorkflow(request, replayId),
  ]);
  const sum = (matches: (entry: ReplayCount) => boolean): number => counts.filter(matches).reduce((total, { count }) => total + count, 0);
  const delivered = sum(({ outcome }) => outcome === 'delivered');
  const replayedAgain = sum(({ replayed_again }) => replayed_again);
  const states = deliveryStatuses.map((status) => [status, sum((entry) => entry.status === status)] as const).filter(([, count]) => count > 0);
  const again = replayedAgain === 0 ? [] : await listReplayedAgain(scope, replayId, maxCounted, againShown);
  const total = Math.max(matched, started, work?.progress?.total ?? 0);
  const stopped = stoppedNotice(request, endpoint, work, { noun, left: total - started });
  const bar = (label: string, value: number): readonly [string, Html] =>
    [label, html`<span class="big">${value.toLocaleString('en')} of ${total.toLocaleString('en')}</span><progress aria-label="${label}" max="${Math.max(total, 1)}" value="${value}"></progress>`];
  return {
    title: `${words.title}: ${delivered} of ${total} delivered`,
    times: timesOf(request, endpoint),
    announce: started === total ? words.done : stopped === null ? words.open : words.stopped,
    body: html`${endpointBreadcrumbs(endpoint)}<h1>${words.heading}</h1><p class="sub">${endpointText(endpoint)} ${idCode(replayId)}</p>
      ${heldNotice(endpoint, timesOf(request, endpoint))}${stopped}
      ${section('progress', 'Progress', descriptionList(
        bar('Released', started),
        bar(`Delivered by this ${noun}`, delivered),
        ['Given up', html`<span class="big">${sum(({ outcome }) => outcome === 'given_up').toLocaleString('en')}</span>`],
        ...(replayedAgain === 0 ? [] : [['Replayed again later', html`<span class="big">${replayedAgain.toLocaleString('en')}</span>`] as const]),
        ['Workflow', workflowLink(request, replayId)],
      ))}
      ${section('request', 'Request', descriptionList(...requestRows(request, endpoint, replayId, { beginning: beginnings.get(replayId), selection, types })))}
      ${again.length === 0 ? null : section('again', 'Replayed again later', html`<div class="pad">${again.map((entry) => replayedAgainLine(entry, noun))}${replayedAgain > again.length ? html`<span class="second">The newest ${again.length} of ${replayedAgain.toLocaleString('en')} are shown.</span>` : null}</div>`)}
      ${states.length === 0 ? null : section('states', 'Their states now', descriptionList(
        ...states.map(([status, count]) => [status, html`<a class="big" href="${href(pathTo.deliveries(endpoint.institution_id), { sent_by: replayId, status })}">${count.toLocaleString('en')}</a>`] as const),
      ))}
      ${replayId.startsWith('rcv_') && query.get('since') !== null ? await deadLeft(request, endpoint) : null}
      ${started > maxCounted ? html`<p class="notice calm">The outcomes, states and types of ${maxCounted.toLocaleString('en')} of them are counted.</p>` : null}
      <p class="sentence"><a href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></p>`,
  };
}
