import type { InstitutionScope } from '../../database';
import type { DeliveryStatus } from '../webhooks/deliveryStatus';
import { statement } from '../../statement';

/** What a replay or recovery has brought a delivery: by its own cycle, regardless of what became of the delivery after that. */
type ReplayOutcome = 'delivered' | 'given_up' | 'open';

/** How many deliveries of a replay have the same present status, the same outcome of the replay, and were replayed again or not. */
export interface ReplayCount {
  status: DeliveryStatus;
  outcome: ReplayOutcome;
  replayed_again: boolean;
  count: number;
}

const replayed = 'SELECT delivery_id, cycle FROM webhook_replays WHERE institution_id = $1 AND ref = $2';

// A delivery has one status alone, that of its present cycle; of an earlier cycle its last attempt says how it ended.
const lastOfCycle =
  `SELECT a.response_code, a.error_class, a.error_class IS NULL AND a.response_code BETWEEN 200 AND 299 AS succeeded FROM webhook_attempts a
    WHERE a.delivery_id = d.id AND a.cycle = r.cycle AND d.cycle > r.cycle ORDER BY a.number DESC LIMIT 1`;

const outcomes = statement(
  'support_replay_outcomes',
  `SELECT d.status, d.cycle > r.cycle AS replayed_again,
          CASE WHEN d.cycle > r.cycle THEN CASE WHEN last.succeeded THEN 'delivered' ELSE 'given_up' END
               WHEN d.status = 'delivered' THEN 'delivered' WHEN d.status IN ('dead', 'cancelled') THEN 'given_up' ELSE 'open' END AS outcome,
          count(*)::int AS count
     FROM (${replayed} LIMIT $3) r JOIN deliveries d ON d.id = r.delivery_id LEFT JOIN LATERAL (${lastOfCycle}) last ON true GROUP BY 1, 2, 3`,
);

/** Counts the deliveries sent under a ref by present status and by what that brought them, at most `limit`. */
export function countReplayOutcomes(scope: InstitutionScope, ref: string, limit: number): Promise<ReplayCount[]> {
  return scope.sql(outcomes, [scope.institutionId, ref, limit]);
}

/** A delivery that was replayed again after a replay, and the last attempt of the earlier one. */
export interface ReplayedAgain {
  delivery_id: string;
  endpoint_id: string;
  /** The ref of the next replay; null if that had none. */
  again_by: string | null;
  /** Null if no attempt of the earlier replay is stored. */
  succeeded: boolean | null;
  response_code: number | null;
  error_class: string | null;
}

const again = (chosen: string): string =>
  `SELECT d.id AS delivery_id, d.endpoint_id, (SELECT n.ref FROM webhook_replays n WHERE n.delivery_id = d.id AND n.cycle = r.cycle + 1 LIMIT 1) AS again_by,
          last.succeeded, last.response_code, last.error_class
     FROM (${replayed} ${chosen}) r JOIN deliveries d ON d.id = r.delivery_id AND d.cycle > r.cycle LEFT JOIN LATERAL (${lastOfCycle}) last ON true
    ORDER BY d.id DESC`;

const newestAgain = statement('support_replayed_again', `${again('LIMIT $3')} LIMIT $4`);
const againAmong = statement('support_replayed_again_among', again('AND delivery_id = ANY ($3::text[])'));

/** Returns the newest `shown` deliveries that were replayed again, among at most `limit` that were sent under a ref. */
export function listReplayedAgain(scope: InstitutionScope, ref: string, limit: number, shown: number): Promise<ReplayedAgain[]> {
  return scope.sql(newestAgain, [scope.institutionId, ref, limit, shown]);
}

/** Returns those of some deliveries that were sent under a ref and replayed again after that. */
export function listReplayedAgainAmong(scope: InstitutionScope, ref: string, deliveryIds: readonly string[]): Promise<ReplayedAgain[]> {
  return scope.sql(againAmong, [scope.institutionId, ref, deliveryIds]);
}
