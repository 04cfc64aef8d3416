import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { listReplayRefs, type DeliveryRef } from '../../db/repositories/webhooks/replays';
import { findBeginnings, listSingleReplays, maxSingleReplays } from '../../db/repositories/support/sentAgain';
import type { InstitutionScope } from '../../db/database';
import { html, type Html } from '../html';
import { realOf, timeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';
import { actorWords } from './auditedCall';

const workflowRef = /^(?:rcv|rpl)_[a-z0-9]{26}$/;

/** Whether a ref is its caller's own, and not that of a recovery or a replay of dead deliveries. */
export const isOwnRef = ({ ref }: Pick<DeliveryRef, 'ref'>): boolean => !workflowRef.test(ref);

/** The recoveries and replays of dead deliveries among some refs. */
const workflowRefs = (refs: readonly DeliveryRef[]): string[] => refs.filter((entry) => !isOwnRef(entry)).map(({ ref }) => ref);

const callerOf = ({ actor_kind, actor_name, actor_id }: AuditedChange): string => `${actorWords[actor_kind]} ${actor_name === null ? actor_id : `“${actor_name}”`}`;

/** What is stored of what sent a delivery again. */
export interface SentAgain {
  refs: readonly DeliveryRef[];
  /** Who began those of the refs that are recoveries or replays of dead deliveries, by their ids. */
  beginnings: ReadonlyMap<string, AuditedChange>;
  /** The calls that replayed it without a ref, newest first. */
  singleReplays: readonly AuditedChange[];
}

/** Returns the cycles that no ref has opened, newest first; a recovery opens the first one. */
const cyclesWithoutRef = (cycle: number, refs: readonly DeliveryRef[]): number[] =>
  Array.from({ length: cycle - 1 }, (_, index) => cycle - index).filter((number) => !refs.some((entry) => entry.cycle === number));

/** Reads what sent a delivery again. */
export async function readSentAgain(scope: InstitutionScope, { id, cycle }: { id: string; cycle: number }): Promise<SentAgain> {
  const refs = await listReplayRefs(scope, [id]);
  const beginnings = await findBeginnings(scope, workflowRefs(refs));
  return { refs, beginnings, singleReplays: cyclesWithoutRef(cycle, refs).length === 0 ? [] : await listSingleReplays(scope, id) };
}

interface SentDelivery {
  cycle: number;
  endpoint_id: string;
  institution_id: string;
}

function refLine(entry: DeliveryRef, beginning: AuditedChange | undefined, { endpoint_id, institution_id }: SentDelivery, times: Times): Html {
  const words = isOwnRef(entry)
    ? html`ref “${entry.ref}”`
    : html`<a href="${href(pathTo.replay(endpoint_id, entry.ref))}"><code>${entry.ref}</code></a>, ${
      beginning === undefined ? 'who began it is not known' : html`<a href="${href(pathTo.auditLog(institution_id), { target: entry.ref })}">${callerOf(beginning)} began it</a>`}`;
  return html`<span class="second">cycle ${entry.cycle}: ${words} ${timeElement(entry.created_at, times)}</span>`;
}

/** Returns who replayed a delivery without a ref, and when, by the real time; with the cycle if the audit log has the calls of all such cycles. */
function singleReplayLine(call: AuditedChange, cycle: number | undefined, { institution_id }: SentDelivery, times: Times): Html {
  const link = href(pathTo.auditLog(institution_id), { request: call.request_id });
  return html`<span class="second">${cycle === undefined ? null : `cycle ${cycle}: `}replayed by itself, without a ref, by <a href="${link}">${callerOf(call)}</a> ${timeElement(call.at, realOf(times))}</span>`;
}

/** Returns what sent a delivery in which cycle and who began that, newest first, as far as it is stored; null if nothing is. */
export function sentBy({ refs, beginnings, singleReplays }: SentAgain, delivery: SentDelivery, times: Times): Html | null {
  const cycles = cyclesWithoutRef(delivery.cycle, refs);
  const isWhole = singleReplays.length === Math.min(cycles.length, maxSingleReplays);
  const lines = [
    ...refs.map((entry) => ({ cycle: entry.cycle, line: refLine(entry, beginnings.get(entry.ref), delivery, times) })),
    ...singleReplays.map((call, index) => {
      const cycle = isWhole ? cycles[index] : undefined;
      return { cycle: cycle ?? 0, line: singleReplayLine(call, cycle, delivery, times) };
    }),
  ];
  return lines.length === 0 ? null : html`${lines.toSorted((one, other) => other.cycle - one.cycle).map(({ line }) => line)}`;
}
