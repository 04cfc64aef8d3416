import type { Sql } from '../../db/statement';
import { statusIsOpen } from '../../db/repositories/webhooks/openDeliveries';
import { waitUntil } from '../../local/waitUntil';

const outboxCount = 'SELECT count(*)::int AS n FROM owed_workflows';
const queuedEventCount = 'SELECT count(*)::int AS n FROM event_queue';
const openDeliveryCount = `SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${statusIsOpen} AND endpoint_id <> ALL ($1)`;

async function countOf(sql: Sql, statement: string, values: unknown[] = []): Promise<number> {
  const [row] = await sql<{ n: number }>(statement, values);
  return row?.n ?? 0;
}

/** Waits until Temporal has been told everything, every event is fanned out, and nothing is to be delivered but to these endpoints. */
export function waitUntilSettled(sql: Sql, butFor: readonly string[], withinMs: number): Promise<void> {
  return waitUntil({
    what: 'the end of what is under way',
    withinMs,
    check: async () => {
      const left = [await countOf(sql, outboxCount), await countOf(sql, queuedEventCount), await countOf(sql, openDeliveryCount, [butFor])];
      if (left.some((count) => count > 0)) throw new Error(`${left[0] ?? 0} workflows owed, ${left[1] ?? 0} events queued, ${left[2] ?? 0} deliveries open`);
    },
  });
}

/** How many deliveries of an endpoint wait. */
export const countOpenDeliveries = (sql: Sql, endpointId: string): Promise<number> => countOf(sql, `SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${statusIsOpen} AND endpoint_id = $1`, [endpointId]);

/** Of one endpoint since a moment: events of its institution, and deliveries of them, those that are delivered apart. */
export interface DeliveryCounts {
  events: number;
  deliveries: number;
  delivered: number;
}

/** What an endpoint for every event was to be sent since it is there, and what it was. */
export async function countDeliveries(sql: Sql, endpointId: string): Promise<DeliveryCounts> {
  const [row] = await sql<DeliveryCounts>(
    `SELECT count(*)::int AS events, count(d.id)::int AS deliveries, (count(d.id) FILTER (WHERE d.status = 'delivered'))::int AS delivered
       FROM webhook_endpoints w JOIN events e ON e.institution_id = w.institution_id AND e.created_at > w.created_at
       LEFT JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = w.id
      WHERE w.id = $1`,
    [endpointId],
  );
  return row ?? { events: 0, deliveries: 0, delivered: 0 };
}
