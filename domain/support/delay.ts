import { countAttemptsBetween, findLastChangeOfEndpoint, listEarlierFailures } from '../../db/repositories/support/delays';
import type { AuditedChange, EndpointOfEvent, SupportEvent } from '../../db/repositories/support/events';
import { lateMs } from '../../db/repositories/webhooks/lateDeliveries';
import type { Sql } from '../../db/statement';
import { timeOfId } from '../ids';
import { joinWords } from '../../lib/joinWords';
import { rateLimitText } from '../webhooks/rateLimits';

/** What is stored of why a delivery was late, beyond its own row. */
export interface DelayFacts {
  /** How its earlier attempts failed, each way once; empty if they are no longer stored. */
  failures: readonly string[];
  /** The last call before the event that set the status of its endpoint. */
  statusBefore: AuditedChange | undefined;
  /** The call that set the rate limit of its endpoint last; undefined if the audit log has none. */
  limitChange: AuditedChange | undefined;
  /** Whether the endpoint was sent as many deliveries as its rate limit lets through, when this one was sent. */
  isLimitUsed: boolean;
}

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
const whenAndByWhom = (change: AuditedChange): string => `at ${change.at.toISOString()} ${byWhom(change)}`;

/** How many changes of its status a hold names: what paused the endpoint, and what resumed it. */
const changesOfHold = 2;

async function isLimitUsedAt(sql: Sql, { endpoint_id, rate_limit }: EndpointOfEvent, deliveredAt: Date): Promise<boolean> {
  if (rate_limit === null) return false;
  // Half of what may be sent: attempts that are made at the same time begin a little earlier or later than the limit lets them through.
  const wanted = Math.ceil((rate_limit * limitWindowMs) / 1_000 / 2);
  return (await countAttemptsBetween(sql, endpoint_id, { after: new Date(deliveredAt.getTime() - limitWindowMs), until: deliveredAt }, wanted)) === wanted;
}

/** Reads why a delivery was late; undefined for any that was not, or that a replay sent. */
export async function readDelay(sql: Sql, event: SupportEvent, endpoint: EndpointOfEvent): Promise<DelayFacts | undefined> {
  const { delivery_id, delivered_at, cycle, attempts, endpoint_id } = endpoint;
  if (delivery_id === null || delivered_at === null || cycle !== 1 || delivered_at.getTime() - event.created_at.getTime() < lateMs) return undefined;
  const failures = (attempts ?? 0) > 1 ? await listEarlierFailures(sql, delivery_id, attempts ?? 0) : [];
  // The audit log has the real time, behind the clock of a sandbox.
  const limitChange = await findLastChangeOfEndpoint(sql, event.institution_id, endpoint_id, 'rate_limit', new Date());
  const statusBefore = await findLastChangeOfEndpoint(sql, event.institution_id, endpoint_id, 'status', timeOfId(event.id) ?? event.created_at);
  return { failures, statusBefore, limitChange, isLimitUsed: await isLimitUsedAt(sql, endpoint, delivered_at) };
}

/** Says how the earlier attempts of a delivery failed. */
function failuresText(attempts: number, failures: readonly string[]): string {
  const outcomes = failures.length === 0 ? '' : ` (${joinWords(failures)})`;
  return attempts === 2 ? `Its first attempt failed${outcomes}.` : `Its first ${attempts - 1} attempts failed${outcomes}.`;
}

/** What makes a delivery wait where nothing of it is stored, without the subject. */
const guesses = 'was held before, its receiver was so slow that it waited, or no worker was running';

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
    return `The status of its endpoint was set ${hold.map(whenAndByWhom).join(', and ')}: it was held until then.`;
  }
  if ((attempts ?? 0) > 1) return failuresText(attempts ?? 0, delay?.failures ?? []);
  return waitText(rate_limit, delivered_at, delay);
}

/** Says why a delivery waited whose first attempt was accepted. What a limit was before its last change is not stored. */
function waitText(rateLimit: number | null, deliveredAt: Date | null, delay: DelayFacts | undefined): string {
  const set = delay?.limitChange;
  const setText = set === undefined ? '' : whenAndByWhom(set);
  if (set !== undefined && deliveredAt !== null && set.at > deliveredAt) return `It waited for the rate limit of its endpoint, which may have been another one until it was set ${setText}, ${guesses}.`;
  if (rateLimit === null) return `It ${guesses}.`;
  const limit = `its endpoint takes at most ${rateLimitText(rateLimit)} (rate_limit${set === undefined ? '' : `, set ${setText}`})`;
  return delay?.isLimitUsed === true ? `It waited for the rate limit: ${limit}.` : `It waited for the rate limit, as ${limit}, ${guesses}.`;
}
