import { countAttemptsBetween, findFirstChangeOfEndpoint, findLastChangeOfEndpoint, listEarlierFailures, readAttemptsMeanwhile, type AttemptsMeanwhile } from '../../db/repositories/support/delays';
import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import type { EndpointOfEvent, SupportEvent } from '../../db/repositories/support/events';
import { findLastOutage, maxOutageAttempts, type Outage } from '../../db/repositories/support/outages';
import { lateMs } from '../../db/repositories/webhooks/lateDeliveries';
import type { Sql } from '../../db/statement';
import { timeOfId } from '../ids';
import { joinWords } from '../../lib/joinWords';
import { failureLimits } from '../webhooks/circuitBreaker';
import { rateLimitText } from '../webhooks/rateLimits';

/** What is stored of why a delivery was late, beyond its own row. */
export interface DelayFacts {
  /** How its earlier attempts failed, each way once; empty if they are no longer stored. */
  failures: readonly string[];
  /** The last call before the event that set the status of its endpoint. */
  statusBefore: AuditedChange | undefined;
  /** The call that set the rate limit of its endpoint last; undefined if the audit log has none. */
  limitChange: AuditedChange | undefined;
  /** Where that was after the delivery, so that the limit before it is not stored: the last one before, the first one after, how long the delivery waited, in ms, and what was sent to its endpoint in that time. */
  underEarlierLimit: { set: AuditedChange | undefined; setAgain: AuditedChange; waitedMs: number; meanwhile: AttemptsMeanwhile } | undefined;
  /** The failed attempts at its endpoint in a row, up to its delivery, that held it; undefined where there were none, or it has failed attempts of its own. */
  outage: Outage | undefined;
  /** Whether the endpoint was sent as many deliveries as its rate limit lets through, when this one was sent. */
  isLimitUsed: boolean;
}

/** Maximum number of attempts that are read of the time in which a delivery waited. */
const maxAttemptsMeanwhile = 1_000;

/** How many attempts in the first half of that time show that deliveries were let through one after the other. */
const provingAttempts = 5;

/** How long before a delivery the use of the rate limit is looked at, in ms. */
const limitWindowMs = 10_000;

/** The words of a kind of caller; others are their own. Of the faculty only the admin changes endpoints. */
const kindWords: Readonly<Record<string, string>> = { faculty: 'admin', key: 'API key' };

/** Names who made a change, and by which request. */
export function byWhom({ actor_kind, actor_id, actor_name, request_id }: AuditedChange): string {
  const name = actor_name === null ? '' : ` “${actor_name}”`;
  return `by ${actor_kind === actor_id ? 'the' : (kindWords[actor_kind] ?? actor_kind)}${name} ${actor_id} (request ${request_id})`;
}

/** Names when a change was made, by whom, and by which request. */
export const whenAndByWhom = (change: AuditedChange): string => `at ${change.at.toISOString()} ${byWhom(change)}`;

/** How many changes of its status a hold names: what paused the endpoint, and what resumed it. */
const changesOfHold = 2;

async function isLimitUsedAt(sql: Sql, { endpoint_id, rate_limit }: EndpointOfEvent, deliveredAt: Date): Promise<boolean> {
  if (rate_limit === null) return false;
  // Half of what may be sent: attempts that are made at the same time begin a little earlier or later than the limit lets them through.
  const wanted = Math.ceil((rate_limit * limitWindowMs) / 1_000 / 2);
  return (await countAttemptsBetween(sql, endpoint_id, { after: new Date(deliveredAt.getTime() - limitWindowMs), until: deliveredAt }, wanted)) === wanted;
}

/** Returns the last outage of an endpoint before a delivery, if the circuit was open and held what happened: fewer failures in a row hold nothing. */
async function findHoldingOutage(sql: Sql, event: SupportEvent, endpointId: string, deliveredAt: Date): Promise<Outage | undefined> {
  const outage = await findLastOutage(sql, endpointId, deliveredAt);
  return outage !== undefined && outage.to > event.created_at && outage.failed_attempts >= failureLimits.failuresToOpen ? outage : undefined;
}

/** Reads why a delivery was late; undefined for any that was not, or that a replay sent. */
export async function readDelay(sql: Sql, event: SupportEvent, endpoint: EndpointOfEvent): Promise<DelayFacts | undefined> {
  const { delivery_id, delivered_at, cycle, attempts, endpoint_id } = endpoint;
  if (delivery_id === null || delivered_at === null || cycle !== 1 || delivered_at.getTime() - event.created_at.getTime() < lateMs) return undefined;
  const failures = (attempts ?? 0) > 1 ? await listEarlierFailures(sql, delivery_id, attempts ?? 0) : [];
  // The audit log has the real time, behind the clock of a sandbox.
  const limitChange = await findLastChangeOfEndpoint(sql, event.institution_id, endpoint_id, 'rate_limit', new Date());
  const deliveredAt = new Date(delivered_at.getTime() - event.clock_offset_ms);
  const underEarlierLimit = limitChange === undefined || limitChange.at <= deliveredAt ? undefined : {
    set: await findLastChangeOfEndpoint(sql, event.institution_id, endpoint_id, 'rate_limit', deliveredAt),
    setAgain: (await findFirstChangeOfEndpoint(sql, event.institution_id, endpoint_id, 'rate_limit', deliveredAt)) ?? limitChange,
    waitedMs: delivered_at.getTime() - event.created_at.getTime(),
    meanwhile: await readAttemptsMeanwhile(sql, endpoint_id, { after: event.created_at, until: delivered_at }, maxAttemptsMeanwhile),
  };
  const statusBefore = await findLastChangeOfEndpoint(sql, event.institution_id, endpoint_id, 'status', timeOfId(event.id) ?? event.created_at);
  const outage = (attempts ?? 0) > 1 ? undefined : await findHoldingOutage(sql, event, endpoint_id, delivered_at);
  return { failures, statusBefore, limitChange, underEarlierLimit, outage, isLimitUsed: await isLimitUsedAt(sql, endpoint, delivered_at) };
}

/** Says how the earlier attempts of a delivery failed. */
function failuresText(attempts: number, failures: readonly string[]): string {
  const outcomes = failures.length === 0 ? '' : ` (${joinWords(failures)})`;
  return attempts === 2 ? `Its first attempt failed${outcomes}.` : `Its first ${attempts - 1} attempts failed${outcomes}.`;
}

/** Says since when the endpoint of a delivery failed, and how often, until it took the delivery. */
function outageText({ from, to, failed_attempts: failed }: Outage): string {
  const isCountedUp = failed >= maxOutageAttempts;
  const times = isCountedUp ? `at least since ${from.toISOString()}, until ${to.toISOString()}` : `from ${from.toISOString()} to ${to.toISOString()}`;
  return `Its endpoint failed ${times} (${failed.toLocaleString('en')}${isCountedUp ? ' or more' : ''} failed attempts), and the delivery was held until it answered again.`;
}

/** What makes a delivery wait where nothing of it is stored. */
const guesses = ['it was held before', 'its receiver was so slow that it waited', 'no worker was running'];

/** Says that one of several causes it was. */
const oneOf = (causes: readonly string[]): string => `Either ${causes.join(', or ')}.`;

/** Says what was sent to its endpoint while a delivery waited, if that shows a rate limit: deliveries from the beginning on, which took little of the time. */
function limitProof({ count, early, totalMs, slowestMs }: AttemptsMeanwhile, waitedMs: number): string | undefined {
  if (early < provingAttempts || totalMs > waitedMs / 2) return undefined;
  return `While it waited ${count >= maxAttemptsMeanwhile ? `${maxAttemptsMeanwhile} or more` : count} others were sent one after the other, and none took longer than ${slowestMs} ms`;
}

/** What a call of the console sets the status of an endpoint to, by its path: the audit log has the names of fields, not their values. */
export const statusByPath: Readonly<Record<string, 'paused' | 'active'>> = { '/console/endpoints/{id}/pause': 'paused', '/console/endpoints/{id}/resume': 'active' };

/** Says which calls held the deliveries of an endpoint and released them. */
function holdText(hold: readonly AuditedChange[]): string {
  const isNamed = hold.some(({ path }) => path in statusByPath);
  const texts = hold.map((change, place) => {
    const status = statusByPath[change.path];
    if (status === undefined) return place > 0 && isNamed ? `its status was set ${whenAndByWhom(change)}` : `${place > 0 ? '' : 'the status of its endpoint was set '}${whenAndByWhom(change)}`;
    return `${place > 0 ? 'it' : 'its endpoint'} was ${status === 'paused' ? 'paused' : 'resumed'} ${whenAndByWhom(change)}`;
  });
  const text = texts.join(', and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Says what sent a late delivery, as far as it is stored; `missedBecause` is why a recovery had to. */
export function causeOfDelay(
  { attempts, cycle, sent_by, delivered_at, rate_limit }: EndpointOfEvent,
  { statusChanges, missedBecause, delay }: { statusChanges: readonly AuditedChange[]; missedBecause: string; delay: DelayFacts | undefined },
): string {
  if (sent_by?.startsWith('rcv_') === true) return `The recovery ${sent_by} sent it: ${missedBecause}.`;
  if (sent_by?.startsWith('rpl_') === true) return `The replay ${sent_by} of dead deliveries sent it again.`;
  if ((cycle ?? 1) > 1) return 'It was replayed.';
  const inBetween = statusChanges.filter(({ at }) => delivered_at !== null && at <= delivered_at);
  if (inBetween.length > 0) {
    const hold = [...(delay?.statusBefore === undefined ? [] : [delay.statusBefore]), ...inBetween].slice(-changesOfHold);
    return `${holdText(hold)}: it was held until then.`;
  }
  if ((attempts ?? 0) > 1) return failuresText(attempts ?? 0, delay?.failures ?? []);
  return waitText(rate_limit, delay);
}

/** Says why a delivery waited whose first attempt was accepted. What a limit was before its last change is not stored. */
function waitText(rateLimit: number | null, delay: DelayFacts | undefined): string {
  const set = delay?.limitChange;
  const limit = rateLimit === null ? undefined : `its endpoint takes at most ${rateLimitText(rateLimit)} (rate_limit${set === undefined ? '' : `, set ${whenAndByWhom(set)}`})`;
  const usedLimit = limit !== undefined && delay?.isLimitUsed === true ? limit : undefined;
  if (delay?.outage !== undefined) return `${outageText(delay.outage)}${usedLimit === undefined ? '' : ` After that it waited for the rate limit: ${usedLimit}.`}`;
  const earlier = delay?.underEarlierLimit;
  if (set !== undefined && earlier !== undefined) {
    const proof = limitProof(earlier.meanwhile, earlier.waitedMs);
    const sets = earlier.set === undefined ? `was set only after that, ${whenAndByWhom(earlier.setAgain)}; what it was before is not stored` : `was set ${whenAndByWhom(earlier.set)}, and again after the delivery, ${whenAndByWhom(earlier.setAgain)}; values are not stored`;
    return proof === undefined ? oneOf([`it waited for the rate limit of its endpoint (rate_limit ${sets})`, ...guesses]) : `It waited for the rate limit of its endpoint, which ${sets}. ${proof}.`;
  }
  if (limit === undefined) return oneOf(guesses);
  return usedLimit !== undefined ? `It waited for the rate limit: ${usedLimit}.` : oneOf([`it waited for the rate limit, as ${limit}`, ...guesses]);
}
