import type { Sql } from '../../db/statement';
import { statusIsOpen } from '../../db/repositories/webhooks/openDeliveries';
import { waitUntil } from '../../local/waitUntil';

const owed = 'SELECT count(*)::int AS n FROM owed_workflows';
const queued = 'SELECT count(*)::int AS n FROM event_queue';
const open = `SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${statusIsOpen} AND endpoint_id <> ALL ($1)`;

async function countOf(sql: Sql, statement: string, values: unknown[] = []): Promise<number> {
  const [row] = await sql<{ n: number }>(statement, values);
  return row?.n ?? 0;
}

/** Waits until Temporal has been told everything, every event is fanned out, and nothing is to be delivered but to these endpoints. */
export function settled(sql: Sql, butFor: readonly string[], withinMs: number): Promise<void> {
  return waitUntil({
    what: 'the end of what is under way',
    withinMs,
    check: async () => {
      const left = [await countOf(sql, owed), await countOf(sql, queued), await countOf(sql, open, [butFor])];
      if (left.some((count) => count > 0)) throw new Error(`${left[0] ?? 0} workflows owed, ${left[1] ?? 0} events queued, ${left[2] ?? 0} deliveries open`);
    },
  });
}

/** How many deliveries of an endpoint wait. */
export const openOf = (sql: Sql, endpointId: string): Promise<number> => countOf(sql, `SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${statusIsOpen} AND endpoint_id = $1`, [endpointId]);

/** Of one endpoint since a moment: events of its institution, and deliveries of them, those that are delivered apart. */
export interface Delivered {
  events: number;
  deliveries: number;
  delivered: number;
}

/** What an endpoint for every event was to be sent since it is there, and what it was. */
export async function deliveredTo(sql: Sql, endpointId: string): Promise<Delivered> {
  const [row] = await sql<Delivered>(
    `SELECT count(*)::int AS events, count(d.id)::int AS deliveries, (count(d.id) FILTER (WHERE d.status = 'delivered'))::int AS delivered
       FROM webhook_endpoints w JOIN events e ON e.institution_id = w.institution_id AND e.created_at > w.created_at
       LEFT JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = w.id
      WHERE w.id = $1`,
    [endpointId],
  );
  return row ?? { events: 0, deliveries: 0, delivered: 0 };
}
