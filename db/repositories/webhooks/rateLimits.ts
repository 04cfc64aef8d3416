import type { Sql } from '../../statement';
import { claimDelivery, type Claim } from './retries';
import { acceptsDeliveries, type ClaimedDelivery } from './sending';

/** What a limited endpoint accepts now. */
export interface DeliverySlots {
  endpoint_id: string;
  /** How many deliveries may be attempted now; at most as many as wait. */
  granted: number;
  /** When the next ones may be, in ms from now. */
  wait_ms: number;
  /** Whether any delivery waits. */
  is_waiting: boolean;
}

// Slots are asked for deliveries that wait, so that none is taken for nothing.
const forPending =
  `WITH asked AS MATERIALIZED (
     SELECT w.endpoint_id, (SELECT count(*)::int FROM (
              SELECT 1 FROM open_deliveries d WHERE d.endpoint_id = w.endpoint_id AND d.status = 'pending' AND d.claimed_by IS NULL LIMIT w.room) AS waiting) AS wanted
       FROM unnest($1::text[], $2::int[]) AS w (endpoint_id, room)
       JOIN webhook_endpoints e ON e.id = w.endpoint_id
       JOIN institutions i ON i.id = e.institution_id AND ${acceptsDeliveries}
   )
   SELECT s.endpoint_id, s.granted, s.wait_ms, a.wanted > 0 AS is_waiting
     FROM take_delivery_slots(ARRAY(SELECT endpoint_id FROM asked), ARRAY(SELECT wanted FROM asked)) s JOIN asked a ON a.endpoint_id = s.endpoint_id`;

/** Takes slots of limited endpoints for their pending deliveries, at most the given number per endpoint; omits endpoints without a limit, and those that accept no deliveries. */
export function takeSlotsForPending(sql: Sql, room: ReadonlyMap<string, number>): Promise<DeliverySlots[]> {
  return sql(forPending, [[...room.keys()], [...room.values()]]);
}

const forOne = 'SELECT granted FROM take_delivery_slots(ARRAY[$1::text], ARRAY[1])';

/** Takes one slot of an endpoint; false if its limit is reached. */
export async function takeDeliverySlot(sql: Sql, endpointId: string): Promise<boolean> {
  const [row] = await sql<{ granted: number }>(forOne, [endpointId]);
  return row?.granted !== 0;
}

const forDelivery =
  `SELECT granted FROM take_delivery_slots(ARRAY(SELECT endpoint_id FROM open_deliveries WHERE institution_id = $1 AND id = $2 AND status = ANY ($3) AND (claimed_by IS NULL OR claimed_by = $4 OR claimed_until < clock_timestamp())), ARRAY[1])`;

/** Claims one delivery like {@link claimDelivery}, within the limit of its endpoint: `limited` if it is reached. */
export async function claimWithinLimit(sql: Sql, claim: Claim): Promise<ClaimedDelivery | 'limited' | undefined> {
  const claimed = await claimDelivery(sql, claim);
  if (claimed !== undefined) return claimed;
  const [slot] = await sql<{ granted: number }>(forDelivery, [claim.institutionId, claim.deliveryId, claim.statuses, claim.claimedBy]);
  if (slot === undefined) return undefined;
  return slot.granted === 0 ? 'limited' : claimDelivery(sql, claim, { hasSlot: true });
}
