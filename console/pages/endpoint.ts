import { institutionScope } from '../../db/database';
import { maxStatsAttempts, findSupportEndpoint, readAttemptStats, readBacklog, findLastAttemptOfEndpoint, type AttemptStats, type Backlog, type LastAttemptOfEndpoint, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { findLastOutage } from '../../db/repositories/support/outages';
import { DomainError } from '../../domain/errors';
import { joinWords } from '../../lib/joinWords';
import { backlogWorkflowId } from '../../domain/outbox/workflows';
import { attemptsToDisable, countRecentAttempts, disableAfterMs } from '../../domain/webhooks/disableEndpoint';
import { findDeadByDisabling, findLastDisabledAt } from '../../domain/webhooks/endpointHealth';
import { countStatistics } from '../../domain/webhooks/endpointStatistics';
import { rateLimitText } from '../../domain/webhooks/rateLimits';
import { html, type Html, type HtmlValue } from '../html';
import { actionButton, badge, breadcrumbs, descriptionList, idCode, section, workflowLink } from '../components';
import { endpointName } from '../endpointName';
import { count, duration, percent, timeElement, timesOf, inlineTimeElement, plural, timeText, type Times } from '../format';
import { statisticsSection } from '../endpointStatistics';
import { sendAgainSections } from '../sendAgain';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { earlierSecretText, findLastEndpointChange, lastChangeItem, suspectNotice } from './endpointChanges';
import { lastOutageItem } from './lastOutage';
import { healthOf, isUntriedSinceFailure } from './health';
import { probeSentence } from './probe';

const hourMs = 3_600_000;

/** Returns the endpoint of a page. Throws `not_found` for an unknown id. */
export async function requireEndpoint(request: ConsoleRequest): Promise<SupportEndpoint> {
  const wanted = idParam(request);
  const found = await findSupportEndpoint(request.deps.domain.database.sql, wanted);
  if (found === undefined) throw new DomainError('not_found', `There is no endpoint ${wanted}.`);
  return found;
}

/** Returns the breadcrumbs of an endpoint. */
export const endpointBreadcrumbs = ({ institution_id, institution_name }: SupportEndpoint): Html => breadcrumbs([institution_name, pathTo.institution(institution_id)]);

function actions(request: ConsoleRequest, { id: endpointId, status, deleted_at }: SupportEndpoint): HtmlValue {
  if (deleted_at !== null) return null;
  const path = pathTo.endpoint(endpointId);
  return status === 'active'
    ? actionButton(request, href(`${path}/pause`), 'Pause', 'plain')
    : actionButton(request, href(`${path}/resume`), status === 'paused' ? 'Resume' : 'Reactivate', 'main');
}

function disabledSentence({ disabled_reason }: SupportEndpoint, at: Date | undefined, times: Times): Html {
  return html`Disabled${disabled_reason === null ? null : html` (${disabled_reason.charAt(0).toLowerCase()}${disabled_reason.slice(1).replace(/\.$/, '')})`}: it receives no deliveries until it is reactivated.
    ${at === undefined ? 'The event of it is no longer stored, so it is not known when.' : html`It was disabled ${inlineTimeElement(at, times)}.`}${disabled_reason?.includes('410') === true ? ' If its receiver still responds with 410, the first delivery disables it again.' : null}`;
}

/** Returns the outcome of an attempt: a status code or an error class; undefined for none. */
const outcomeOf = (attempt: LastAttemptOfEndpoint | undefined): string | undefined =>
  attempt?.response_code == null ? (attempt?.error_class ?? undefined) : `HTTP ${attempt.response_code}`;

/** Returns how the last of several attempts failed, behind their number. */
const lastFailureText = (outcome: string | undefined, failures: number): string => (outcome === undefined ? '' : `${failures === 1 ? '' : ', the last one'} with ${outcome}`);

/** Leads from a failing endpoint to its last attempt, with the beginning of the response. */
function lastAttemptLine({ consecutive_failures, deleted_at }: SupportEndpoint, attempt: LastAttemptOfEndpoint | undefined): Html | null {
  if (attempt === undefined || consecutive_failures === 0 || deleted_at !== null) return null;
  const { delivery_id, number, response_start } = attempt;
  return html`<p class="sentence" id="last-attempt"><a href="${href(pathTo.delivery(delivery_id))}#attempt-${number}">The last attempt</a>${
    response_start === null || response_start === '' ? ` ended with ${outcomeOf(attempt) ?? 'no answer'}.` : html` was answered with ${outcomeOf(attempt) ?? 'nothing'}: <code>${response_start}</code>`}</p>`;
}

function statusSentence(endpoint: SupportEndpoint, { disabledAt, lastAttempt }: { disabledAt: Date | undefined; lastAttempt: LastAttemptOfEndpoint | undefined }, times: Times): HtmlValue {
  const { status, paused_at, deleted_at, institution_status, consecutive_failures, first_failed_at, last_success_at, last_failure_at } = endpoint;
  if (deleted_at !== null) return html`Deleted ${inlineTimeElement(deleted_at, times)}: it no longer receives deliveries, and its open ones were cancelled.`;
  if (status === 'disabled') return disabledSentence(endpoint, disabledAt, times);
  const isSuspended = institution_status !== 'approved';
  if (status === 'paused') return html`Paused${paused_at === null ? null : html` ${inlineTimeElement(paused_at, times)}`}${isSuspended ? `, and its institution is ${institution_status}` : null}: deliveries are held until it is resumed${isSuspended ? ' and the institution is approved' : null}, and their deadlines move with the pause. Those held for 30 days are given up.`;
  if (isSuspended) return `Its institution is ${institution_status}: deliveries are held until it is approved, and their deadlines move by that time. Those held for 30 days are given up.`;
  if (consecutive_failures > 0) return html`The last ${plural(consecutive_failures, 'attempt')} failed${lastFailureText(outcomeOf(lastAttempt), consecutive_failures)}${first_failed_at === null ? null : html`; it has been failing since ${inlineTimeElement(first_failed_at, times)}`}.`;
  if (last_failure_at !== null && isUntriedSinceFailure(endpoint)) return html`It was made active again after failures, and no attempt was made since. The last one failed ${inlineTimeElement(last_failure_at, times)}.`;
  return last_success_at === null ? 'It is active, and has not received a delivery yet.' : 'It is active and accepts its deliveries.';
}

/** Says when what an open circuit holds is given up. */
function heldDeadlineText({ held, first_held_deadline_at: first, last_held_deadline_at: last }: Backlog, times: Times): Html | null {
  if (first === null || last === null) return null;
  const when = held === 1 ? html`the held one is given up ${inlineTimeElement(first, times)}` : html`the first of the ${count(held)} held ones is given up ${inlineTimeElement(first, times)}, the last one ${inlineTimeElement(last, times)}`;
  return html`<li>An open circuit does not stop the 12 hours of a delivery: ${when}. A pause of the endpoint stops that time. What was given up can be replayed for 30 days from its event.</li>`;
}

/** Returns when an open circuit has nothing left to probe with, if nothing new happens: now, where nothing waits; undefined where that is not known. */
function endOfProbes({ pending, retrying, held, last_held_deadline_at: last }: Backlog, { now }: Times): Date | undefined {
  if (pending + retrying > 0) return undefined;
  if (held === 0) return now;
  return last !== null && last > now ? last : undefined;
}

/** Whether an open circuit has nothing left to probe with so early that no attempt counts once its time to be disabled comes. */
function endsBeforeItCounts(backlog: Backlog, disabling: Disabling | undefined, times: Times): boolean {
  const end = endOfProbes(backlog, times);
  return end !== undefined && disabling !== undefined && end.getTime() <= disabling.at.getTime() - attemptsToDisable.withinMs;
}

/** Whether the page of an endpoint says that it stays active: only an open circuit that is probed does. */
const isOpenUntilThen = ({ circuit, status, institution_status }: SupportEndpoint, backlog: Backlog, disabling: Disabling | undefined, times: Times): boolean =>
  circuit === 'open' && status === 'active' && institution_status === 'approved' && endsBeforeItCounts(backlog, disabling, times);

/** Says that an endpoint stays active if nothing new happens: where what an open circuit holds is given up so early that no attempt counts once its time to be disabled comes. */
function probesEndText(backlog: Backlog, disabling: Disabling | undefined, times: Times): Html | null {
  const end = endOfProbes(backlog, times);
  if (end === undefined || disabling === undefined || !endsBeforeItCounts(backlog, disabling, times)) return null;
  const { minAttempts, withinMs } = attemptsToDisable;
  const probes = backlog.held === 0 ? html`nothing is probed` : html`probes end ${inlineTimeElement(end, times)} with the last held delivery`;
  return html`<li>If nothing new happens, ${probes}, and it stays active: from ${timeText(disabling.at, times)} on it is disabled once
    ${plural(minAttempts, 'attempt')} of later events have failed within ${withinMs / hourMs} hours. Nor is its owner warned by email before that many have failed.</li>`;
}

function circuitNotice({ circuit, circuit_opened_at, probe_at, status, deleted_at, institution_status }: SupportEndpoint, backlog: Backlog, disabling: Disabling | undefined, times: Times): Html | null {
  const { pending, retrying, held, dead } = backlog;
  if (circuit === 'closed' || circuit_opened_at === null || probe_at === null || status === 'disabled' || deleted_at !== null) return null;
  const stopEnds = [...(status === 'paused' ? ['it is resumed'] : []), ...(institution_status === 'approved' ? [] : ['its institution is approved'])];
  if (stopEnds.length > 0) {
    return html`<p class="notice warn">The circuit has also been open since ${inlineTimeElement(circuit_opened_at, times)}, after 20 failures in a row: once ${joinWords(stopEnds)}
      only one delivery is tried at a time. After the first success all of them are sent.</p>`;
  }
  return html`<div class="notice warn"><p>The circuit has been open since ${inlineTimeElement(circuit_opened_at, times)}: after 20 failures in a row its deliveries are held.</p>
    <ul><li>${pending + retrying + held > 0
      ? html`The oldest one is retried as a probe. ${probeSentence(probe_at, times, true)} After the first success all of them are sent.`
      : html`${probeSentence(probe_at, times, false)}${dead === 0 ? null : html` What was given up (${count(dead)} dead) is not sent by a success, nor by a test: <a href="#replay">replay it</a> once the receiver works.`}`}</li>
    ${heldDeadlineText(backlog, times)}${probesEndText(backlog, disabling, times)}</ul></div>`;
}

/** Returns when a failing endpoint will be disabled; undefined if it is not failing, or its clock is paused. */
function disableTime({ status, failing_since, resting_since, deleted_at }: SupportEndpoint): Date | undefined {
  if (status !== 'active' || failing_since === null || resting_since !== null || deleted_at !== null) return undefined;
  return new Date(failing_since.getTime() + disableAfterMs);
}

/** Returns what an endpoint whose time to be disabled has come still waits for. */
const attemptsText = (recentAttempts: number): string =>
  `once ${plural(attemptsToDisable.minAttempts, 'attempt')} were made within ${attemptsToDisable.withinMs / hourMs} hours (${recentAttempts} so far)`;

/** When a failing endpoint will be disabled, and the attempts that count for it. */
interface Disabling {
  at: Date;
  recentAttempts: number;
}

function warningNotice({ warned_percent }: SupportEndpoint, disabling: Disabling | undefined, times: Times): Html | null {
  if (warned_percent === null || disabling === undefined) return null;
  const { at, recentAttempts } = disabling;
  return html`<p class="notice warn">Its owner was warned at ${warned_percent} % of the 72 hours after which a failing endpoint is disabled. Unless an attempt
    succeeds before, it will be disabled ${at > times.now ? html`${inlineTimeElement(at, times)} or later, ${conditionText(recentAttempts)}` : attemptsText(recentAttempts)}.</p>`;
}

/** Returns the condition under which a failing endpoint is disabled once its time has come. */
const conditionText = (recentAttempts: number): string =>
  `with at least ${plural(attemptsToDisable.minAttempts, 'attempt')} in the ${attemptsToDisable.withinMs / hourMs} hours before (${
    recentAttempts < attemptsToDisable.minAttempts ? recentAttempts : `${recentAttempts} or more`} in the last ${attemptsToDisable.withinMs / hourMs} hours)`;

/** Returns when a failing endpoint is disabled, and the condition of it; where that time is past, what it waits for. */
function disablingText({ at, recentAttempts }: Disabling, times: Times, staysActive: boolean): Html {
  if (staysActive) return html`${timeElement(at, times)}<span class="second">or later, if later events fail; if nothing new happens it stays active</span>`;
  if (at > times.now) return html`${timeElement(at, times)}<span class="second">or later, ${conditionText(recentAttempts)}</span>`;
  return html`due ${inlineTimeElement(at, times)}; waits until ${attemptsText(recentAttempts).replace(/^once /, '')}`;
}

/** Says of an endpoint with a rate limit what it takes: deliveries wait although it is active and accepts them. */
const rateLimitSentence = ({ rate_limit, status, deleted_at }: SupportEndpoint): string | null =>
  rate_limit === null || status === 'disabled' || deleted_at !== null ? null : ` It takes at most ${rateLimitText(rate_limit)}.`;

const tags = (names: readonly string[]): Html => html`<span class="tags">${names.map((name) => html`<code class="id">${name}</code>`)}</span>`;

/** Returns what the endpoint's owner chose: subscriptions, rate limit, signature and the names of custom headers. */
function settingsSection({ events, rate_limit, public_key, previous_public_key, previous_secret_expires_at, secret_rotated_at, header_names }: SupportEndpoint, times: Times): Html {
  const graceEnd = previous_secret_expires_at !== null && previous_secret_expires_at > times.now ? previous_secret_expires_at : null;
  return section('settings', 'Settings', descriptionList(
    ['Subscriptions', tags(events)],
    ['Rate limit', rate_limit === null ? html`<span class="faint">none</span>` : rateLimitText(rate_limit)],
    ['Custom headers', header_names.length === 0 ? html`<span class="faint">none</span>` : html`${tags(header_names)} <span class="faint">Values are never shown.</span>`],
    ['Signature', public_key === null ? 'hmac' : 'ed25519, in addition to hmac'],
    ['Secret rotated', html`${timeElement(secret_rotated_at, times, 'never')}${earlierSecretText(secret_rotated_at, previous_secret_expires_at, times)}`],
    public_key === null ? undefined : ['Public key', idCode(public_key)],
    previous_public_key === null || graceEnd === null ? undefined : ['Previous public key', idCode(previous_public_key)],
  ));
}

function lastHourSection({ attempts, successes, p50, p95 }: AttemptStats): Html {
  const rate = attempts === 0 ? '–' : percent(successes, attempts);
  return section('last-hour', 'Last hour', html`${descriptionList(
    ['Success', html`<span class="big">${rate}</span>`],
    ['Attempts', html`<span class="big">${attempts === maxStatsAttempts ? `${attempts.toLocaleString('en')}+` : attempts.toLocaleString('en')}</span>`],
    ['Latency of responses p50', html`<span class="big">${duration(p50)}</span>`],
    ['Latency of responses p95', html`<span class="big">${duration(p95)}</span>`],
  )}${attempts === maxStatsAttempts ? html`<p class="pad faint">Of the newest ${attempts.toLocaleString('en')} attempts.</p>` : null}`);
}

function backlogSection(request: ConsoleRequest, endpoint: SupportEndpoint, backlog: Backlog): Html {
  const list = (status: 'pending' | 'retrying' | 'held' | 'dead'): Html =>
    html`<a class="big" href="${href(pathTo.deliveries(endpoint.institution_id), { status, endpoint: endpoint.id })}">${count(backlog[status])}</a>`;
  const workflow = endpoint.backlog_run === 0 ? undefined : backlogWorkflowId(endpoint.id, endpoint.backlog_run);
  const all = html`<nav class="links" aria-label="Deliveries of this endpoint"><a href="${href(pathTo.deliveries(endpoint.institution_id), { endpoint: endpoint.id })}">all deliveries</a></nav>`;
  return section('backlog', 'Backlog', descriptionList(
    ['Pending', list('pending')],
    ['Retrying', list('retrying')],
    ['Held', list('held')],
    ['Dead', list('dead')],
    backlog.held_since === null ? undefined : ['Held since', timeElement(backlog.held_since, timesOf(request, endpoint))],
    workflow === undefined ? undefined : [endpoint.backlog_open ? 'Waiting workflow' : 'Last backlog workflow', workflowLink(request, workflow)],
  ), all);
}

/** Shows an endpoint: whether it takes deliveries, its backlog, and how its attempts went. */
export async function endpointPage(request: ConsoleRequest): Promise<Page> {
  const { deps } = request;
  const { sql } = deps.domain.database;
  const endpoint = await requireEndpoint(request);
  const times = timesOf(request, endpoint);
  const scope = institutionScope(deps.domain.database, endpoint.institution_id);
  const [backlog, lastHour, lastDay, lastMonth, disabledAt, lastAttempt, lastChange, lastOutage] = await Promise.all([
    readBacklog(sql, endpoint.id, endpoint.institution_id),
    readAttemptStats(sql, endpoint.id, new Date(times.now.getTime() - hourMs)),
    countStatistics(scope, endpoint.id, '24h', times.now),
    countStatistics(scope, endpoint.id, '30d', times.now),
    findLastDisabledAt(scope, endpoint.id),
    findLastAttemptOfEndpoint(sql, endpoint.id),
    findLastEndpointChange(scope, endpoint.id),
    findLastOutage(sql, endpoint.id, endpoint.last_failure_at),
  ]);
  const deadByDisabling = await findDeadByDisabling(scope, endpoint.id, disabledAt);
  const health = healthOf(endpoint);
  const disableAt = disableTime(endpoint);
  const disabling = disableAt && { at: disableAt, recentAttempts: await countRecentAttempts(scope, endpoint.id, times.now) };
  return {
    title: `Endpoint ${endpointName(endpoint)}`,
    times,
    announce: `The endpoint is ${health.label}.`,
    body: html`${endpointBreadcrumbs(endpoint)}
      <div class="head"><div class="title"><div class="title-line"><h1>${endpointName(endpoint)}</h1><span id="status">${badge(health.badge, health.label)}</span></div>
        <p class="sub">${idCode(endpoint.id)} ${endpointName(endpoint) === endpoint.url ? null : endpoint.url}</p></div><div class="actions" id="actions">${actions(request, endpoint)}</div></div>
      <p class="sentence" id="sentence">${statusSentence(endpoint, { disabledAt, lastAttempt }, times)}${rateLimitSentence(endpoint)}</p>${lastAttemptLine(endpoint, lastAttempt)}${suspectNotice(endpoint, lastChange, backlog, times)}
      ${circuitNotice(endpoint, backlog, disabling, times)}${warningNotice(endpoint, disabling, times)}
      ${backlogSection(request, endpoint, backlog)}
      ${lastHourSection(lastHour)}
      ${section('details', 'Details', descriptionList(
        ['Circuit', endpoint.circuit === 'closed' ? 'closed' : badge('open')],
        ['Last success', timeElement(endpoint.last_success_at, times, 'never')],
        ['Last failure', timeElement(endpoint.last_failure_at, times, 'never')],
        lastOutageItem(lastOutage, times),
        ['Failures in a row', endpoint.consecutive_failures.toLocaleString('en')],
        endpoint.first_failed_at === null ? undefined : ['Failing since', timeElement(endpoint.first_failed_at, times)],
        disabling === undefined ? undefined : ['Disabled if it goes on failing', disablingText(disabling, times, isOpenUntilThen(endpoint, backlog, disabling, times))],
        ['Created', timeElement(endpoint.created_at, times)],
        lastChangeItem(endpoint, { lastChange, disabledAt }, times),
        ['Changes', html`<a href="${href(pathTo.auditLog(endpoint.institution_id), { target: endpoint.id })}">who changed it, and when</a>`],
      ))}
      ${settingsSection(endpoint, times)}
      <div class="columns">${statisticsSection('24h', lastDay, times)}${statisticsSection('30d', lastMonth, times)}</div>
      ${sendAgainSections(request, endpoint, { disabledAt, oldestDeadAt: deadByDisabling.oldest_created_at ?? undefined })}`,
  };
}
