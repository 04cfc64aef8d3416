import { institutionScope, type InstitutionScope } from '../../db/database';
import type { AttemptRow } from '../../db/repositories/webhooks/deliveries';
import { attemptsShown, findSupportDelivery, newestAttempts, type SupportDelivery } from '../../db/repositories/support/delivery';
import { toRealTime } from '../../domain/clock';
import { DomainError } from '../../domain/errors';
import { deliveryEnd, heldUntil } from '../../domain/webhooks/deliveryEnd';
import { keptUntil } from '../../domain/retention/periods';
import { explainEvent } from '../../domain/support/explainEvent';
import { backlogWorkflowId } from '../../domain/outbox/workflows';
import { openStatuses } from '../../domain/webhooks/transitions';
import { html, type Html, type HtmlValue } from '../html';
import { actionButton, badge, breadcrumbs, descriptionList, idCode, emptyState, section, workflowLink } from '../components';
import { endpointLink, endpointName, type NamedEndpoint } from '../endpointName';
import { absoluteTime, duration, realTimesOf, timeElement, timesOf, plural, relative, untilElement, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { isLate, statusSentence, stopOf, waitingWorkflowId } from './deliveryStatus';
import { addressNote } from './endpointChanges';
import { personInPayload } from '../disclosedPerson';
import { prettyJson } from './prettyJson';
import { reasonText } from './reasonText';
import { readSentAgain, sentBy, type SentAgain } from './replayRefs';

/** Returns the delivery of a page. Throws `not_found` for an unknown id. */
export async function requireDelivery(request: ConsoleRequest): Promise<SupportDelivery> {
  const wanted = idParam(request);
  const found = await findSupportDelivery(request.deps.domain.database.sql, wanted);
  if (found === undefined) throw new DomainError('not_found', `There is no delivery ${wanted}. Deliveries are kept for 90 days.`);
  return found;
}

/** Returns the endpoint of a delivery. */
export const endpointOf = ({ endpoint_id, endpoint_url, endpoint_description }: SupportDelivery): NamedEndpoint => ({ id: endpoint_id, url: endpoint_url, description: endpoint_description });

/** Returns the breadcrumbs of a delivery. */
export const deliveryBreadcrumbs = (delivery: SupportDelivery): Html =>
  breadcrumbs([delivery.institution_name, pathTo.institution(delivery.institution_id)], [endpointName(endpointOf(delivery)), pathTo.endpoint(delivery.endpoint_id)]);

/** What is in the way of a replay of a delivery, as the end of a sentence; undefined if nothing is. */
function replayObstacleOf({ endpoint_deleted, endpoint_status, payload }: SupportDelivery): string | undefined {
  if (payload === null) return 'its event was pruned';
  if (endpoint_deleted) return 'its endpoint is deleted';
  return endpoint_status === 'active' ? undefined : `its endpoint is ${endpoint_status}`;
}

function actions(request: ConsoleRequest, delivery: SupportDelivery): Html {
  const path = pathTo.delivery(delivery.id);
  const obstacle = replayObstacleOf(delivery);
  if (!openStatuses.has(delivery.status)) {
    const until = html`<span class="faint">It can be replayed until ${untilElement(keptUntil('events', delivery.event_created_at), timesOf(request, delivery))}, while its event is kept:</span>`;
    return obstacle === undefined ? html`${until}${actionButton(request, href(`${path}/replay`), 'Replay', delivery.status === 'delivered' ? 'plain' : 'main')}` : html`<span class="faint">It cannot be replayed: ${obstacle}.</span>`;
  }
  const despite = stopOf(delivery)?.because ?? obstacle;
  return html`${despite === undefined ? null : html`<span class="faint">Retry now sends it although ${despite}:</span>`}${actionButton(request, href(`${path}/retry`), 'Retry now', 'main')}<a class="button danger" href="${href(`${path}/cancel`)}">Cancel…</a>`;
}

const succeeded = ({ error_class, response_code }: AttemptRow): boolean =>
  error_class === null && response_code !== null && response_code >= 200 && response_code < 300;

/** Error classes of failures before a connection was made. */
const withoutConnection: ReadonlySet<string> = new Set(['dns', 'blocked', 'tls']);

/**
 * Returns what is known about the connection of an attempt, after a comma; '' if it is not known whether there was one: then
 * the attempt's error says it.
 */
function connectionText({ connect_ms, response_code, error_class }: AttemptRow): string {
  if (connect_ms !== null) return `, ${duration(connect_ms)} to connect`;
  if (response_code !== null || error_class === 'http') return ', on an open connection';
  return error_class !== null && withoutConnection.has(error_class) ? ', no connection was made' : '';
}

/** A response with fewer characters is shown unfolded. */
const shortAnswer = 200;

/** Returns how an attempt ended: its status code, or where it failed. */
const outcomeOf = ({ response_code, error_class }: AttemptRow): string => (response_code === null ? (error_class ?? 'no answer') : `HTTP ${response_code}`);

function attemptItem(attempt: AttemptRow, times: Times): Html {
  const { number, cycle, started_at, duration_ms, error_class, error, response_body, resent } = attempt;
  const good = succeeded(attempt);
  return html`<li id="attempt-${number}"${good ? html` class="good"` : null}>
    <div class="attempt-head"><strong>Attempt ${number}</strong>${badge(good ? 'delivered' : 'failed', outcomeOf(attempt))}
      <time datetime="${started_at.toISOString()}">${relative(started_at, times.now)} ${absoluteTime(started_at, times)}</time></div>
    <p class="attempt-more">${duration(duration_ms)} in total${connectionText(attempt)}${resent ? ', sent twice: the open connection broke first' : ''}${
      cycle > 1 ? `, cycle ${cycle}` : ''}${error_class === null ? '' : `, error class ${error_class}`}</p>
    ${error === null ? null : html`<p class="attempt-more">${error}</p>`}
    ${response_body === null || response_body === '' ? null : html`<details id="answer-${number}"${response_body.length < shortAnswer ? html` open` : null}><summary>Response of attempt ${number} (first 4 KiB)</summary><pre tabindex="0">${response_body}</pre></details>`}
  </li>`;
}

/** Of more attempts than these the newest and the first are shown unfolded. */
const newestUnfolded = 5;

/** Returns the attempts, newest first; those between the newest and the first are folded where there are many. */
function attemptItems(attempts: readonly AttemptRow[], times: Times): Html {
  const folded = attempts.slice(newestUnfolded, -1);
  const items = (some: readonly AttemptRow[]): Html => html`${some.map((attempt) => attemptItem(attempt, times))}`;
  if (folded.length < 2) return items(attempts);
  const outcomes = new Set(folded.map(outcomeOf));
  const [only] = outcomes;
  return html`${items(attempts.slice(0, newestUnfolded))}
    <li id="attempts-between"><details id="attempts-folded"><summary>${folded.length} more attempts${outcomes.size === 1 ? `, all ${only ?? ''}` : ''}</summary><ol class="timeline" reversed>${items(folded)}</ol></details></li>
    ${items(attempts.slice(-1))}`;
}

/** What comes at the time of the next attempt: nothing is attempted while the endpoint or its institution is stopped. */
const nextLabel = (delivery: SupportDelivery): string => (stopOf(delivery) === undefined ? 'Next attempt' : 'Held, not attempted');

function timeline(delivery: SupportDelivery, attempts: readonly AttemptRow[], times: Times): Html {
  const { next_attempt_at } = delivery;
  if (attempts.length === 0 && next_attempt_at === null) return emptyState(delivery.attempts > 0 ? 'Its attempts are no longer stored.' : openStatuses.has(delivery.status) ? 'No attempt has been made yet.' : 'No attempt was made.');
  return html`<ol class="timeline" reversed>
    ${next_attempt_at === null ? null : html`<li id="attempt-next" class="ahead"><div class="attempt-head"><strong>${nextLabel(delivery)}</strong>
      <time datetime="${next_attempt_at.toISOString()}">${relative(next_attempt_at, times.now)} ${absoluteTime(next_attempt_at, times)}</time></div></li>`}
    ${attemptItems(attempts, times)}</ol>
    ${delivery.attempts > attemptsShown ? html`<p class="pad faint">The newest ${attemptsShown} are shown.</p>` : null}`;
}

function workflow(request: ConsoleRequest, delivery: SupportDelivery): HtmlValue {
  const workflowId = waitingWorkflowId(delivery);
  const { endpoint_id, backlog_run } = delivery;
  // What sent it is not stored; what was held was sent by a backlog.
  if (workflowId === undefined && isLate(delivery) && backlog_run > 0) return html`<span class="faint">none of its own; what was held at its endpoint was sent by</span> ${workflowLink(request, backlogWorkflowId(endpoint_id, backlog_run))}`;
  if (workflowId === undefined) return html`<span class="faint">none was needed${delivery.cycle > 1 ? ` in cycle ${delivery.cycle}` : null}</span>`;
  return workflowLink(request, workflowId);
}

/** When attempts end. A pause moves it on for as long as it lasts. */
function deadline(delivery: SupportDelivery, times: Times): HtmlValue {
  const deadlineStop = stopOf(delivery)?.deadlineStop;
  return deadlineStop !== undefined ? `stopped while ${deadlineStop}` : timeElement(delivery.deadline_at, times, 'not set yet');
}

/** What else the details of a delivery have: who sent it, and what is to be known of the address. */
interface More {
  sentAgain: SentAgain;
  address: Html | null;
}

/** Returns what is to be known of the address that a delivery's page shows; null if that is the one it was sent to. */
function readAddressNote(scope: InstitutionScope, { endpoint_id }: SupportDelivery, attempts: readonly AttemptRow[], times: Times): Promise<Html | null> {
  const first = attempts.at(-1);
  // The audit log has the real time.
  return first === undefined ? Promise.resolve(null) : addressNote(scope, endpoint_id, toRealTime(times, first.started_at), times);
}

function details(request: ConsoleRequest, delivery: SupportDelivery, { sentAgain, address }: More): Html {
  const times = timesOf(request, delivery);
  const end = deliveryEnd(delivery);
  const sender = sentBy(sentAgain, delivery, times);
  return descriptionList(
    ['Event', html`<a href="${href(pathTo.event(delivery.event_id))}"><code>${delivery.event_id}</code></a>`],
    ['Endpoint', html`${endpointLink(endpointOf(delivery))}${delivery.endpoint_deleted ? ' (deleted)' : null}${address}`],
    ['Created', timeElement(delivery.created_at, times)],
    delivery.next_attempt_at === null ? undefined : [nextLabel(delivery), timeElement(delivery.next_attempt_at, times)],
    delivery.held_at === null ? undefined : ['Held since', timeElement(delivery.held_at, times)],
    openStatuses.has(delivery.status) ? ['Deadline', deadline(delivery, times)] : undefined,
    delivery.held_at === null || stopOf(delivery)?.deadlineStop === undefined ? undefined : ['Given up if still held', timeElement(heldUntil(delivery.held_at), times)],
    end === undefined ? undefined : ['Ended', html`${end.short === null ? null : html`${end.short}, `}${timeElement(end.at, times, 'when and why is not stored')}`],
    delivery.delivered_at === null ? undefined : ['Delivered', timeElement(delivery.delivered_at, times)],
    delivery.cycle > 1 ? ['Cycle', html`${delivery.cycle} (replayed ${plural(delivery.cycle - 1, 'time')})`] : undefined,
    sender === null ? undefined : ['Sent by', sender],
    ['Workflow', workflow(request, delivery)],
    ['Changes', html`<a href="${href(pathTo.auditLog(delivery.institution_id), { target: delivery.id })}">who replayed, retried or cancelled it</a>`],
  );
}

/** Returns why a delivery was late, or who cancelled it, as its event says it; undefined for any other. */
async function causeOf(request: ConsoleRequest, delivery: SupportDelivery): Promise<HtmlValue> {
  if (!isLate(delivery) && delivery.status !== 'cancelled') return undefined;
  const explained = await explainEvent(request.deps.domain.database.sql, delivery.event_id);
  const cause = explained?.endpoints.find(({ delivery_id }) => delivery_id === delivery.id)?.cause;
  return cause === undefined ? undefined : reasonText(cause, delivery.endpoint_id, realTimesOf(request, delivery));
}

/** Shows a delivery: its status, its attempts, its payload and the possible actions. */
export async function deliveryPage(request: ConsoleRequest): Promise<Page> {
  const { deps } = request;
  const delivery = await requireDelivery(request);
  const times = timesOf(request, delivery);
  const attempts = await newestAttempts(deps.domain.database.sql, delivery.id);
  const scope = institutionScope(deps.domain.database, delivery.institution_id);
  const sentAgain = await readSentAgain(scope, delivery);
  const payload = delivery.payload === null
    ? emptyState('The event was pruned after 30 days, so its payload is no longer kept; the delivery cannot be replayed.')
    : html`<div class="pad"><pre tabindex="0" aria-label="Payload">${prettyJson(delivery.payload)}</pre></div>`;
  return {
    title: `${delivery.event_type} ${delivery.status}`,
    times,
    disclosed: personInPayload(delivery.payload, delivery.institution_id),
    announce: `The delivery is ${delivery.status}.`,
    body: html`${deliveryBreadcrumbs(delivery)}
      <div class="head"><div class="title"><div class="title-line"><h1>${delivery.event_type}</h1><span id="status">${badge(delivery.status)}</span></div>
        <p class="sub">${idCode(delivery.id)}</p></div><div class="actions" id="actions">${actions(request, delivery)}</div></div>
      <p class="sentence" id="sentence">${statusSentence(delivery, times, await causeOf(request, delivery))}</p>
      ${section('details', 'Details', details(request, delivery, { sentAgain, address: await readAddressNote(scope, delivery, attempts, times) }))}
      <div class="columns">
        ${section('attempts', html`Attempts <span class="faint">${delivery.attempts}</span>`, timeline(delivery, attempts, times))}
        ${section('payload', 'Payload', payload)}
      </div>`,
  };
}
