import type { Sql } from '../../db/statement';
import { statusIsOpen } from '../../db/repositories/webhooks/openDeliveries';
import { waitUntil } from '../../local/waitUntil';

const outboxCount = 'SELECT count(*)::int AS n FROM owed_workflows';
const queuedEventCount = 'SELECT count(*)::int AS n FROM event_queue';
const openDeliveryCount = `SELECT count(*)::int AS n FROM deliveries WHERE ${statusIsOpen} AND endpoint_id <> ALL ($1)`;

async function countOf(sql: Sql, statement: string, values: unknown[] = []): Promise<number> {
  const [row] = await sql<{ n: number }>(statement, values);
  return row?.n ?? 0;
}

/** Waits until the outbox is empty, every event is fanned out, and no delivery is open except to these endpoints. */
export function waitUntilSettled(sql: Sql, butFor: readonly string[], withinMs: number): Promise<void> {
  return waitUntil({
    what: 'the end of everything in progress',
    withinMs,
    check: async () => {
      const left = [await countOf(sql, outboxCount), await countOf(sql, queuedEventCount), await countOf(sql, openDeliveryCount, [butFor])];
      if (left.some((count) => count > 0)) throw new Error(`${left[0] ?? 0} outbox rows, ${left[1] ?? 0} events queued, ${left[2] ?? 0} deliveries open`);
    },
  });
}

/** Returns the number of open deliveries of an endpoint. */
export const countOpenDeliveries = (sql: Sql, endpointId: string): Promise<number> => countOf(sql, `SELECT count(*)::int AS n FROM deliveries WHERE ${statusIsOpen} AND endpoint_id = $1`, [endpointId]);

/** The events of an endpoint's institution since a time, their deliveries, and those of them that are delivered. */
export interface DeliveryCounts {
  events: number;
  deliveries: number;
  delivered: number;
}

/** Returns the counts of an endpoint for every event, since its creation. */
export async function countDeliveries(sql: Sql, endpointId: string): Promise<DeliveryCounts> {
  const [row] = await sql<DeliveryCounts>(
    `SELECT count(*)::int AS events, count(d.id)::int AS deliveries, (count(d.id) FILTER (WHERE d.status = 'delivered'))::int AS delivered
       FROM webhook_endpoints w JOIN events e ON e.institution_id = w.institution_id AND e.created_at > w.created_at
       LEFT JOIN deliveries d ON d.event_id = e.id AND d.endpoint_id = w.id
      WHERE w.id = $1`,
    [endpointId],
  );
  return row ?? { events: 0, deliveries: 0, delivered: 0 };
}
