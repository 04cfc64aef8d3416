import type { Sql } from '../../db/statement';
import type { Receiver } from '../support/receiver';
import { events, type School } from '../upgrade/school';
import { countEarlyLeases } from './leases';
import { countRepeats, type Arrival, type Disturbance, type RepeatFigures } from './repeats';

/** What was done, compared with what was asked for. */
export interface EffectFigures extends RepeatFigures {
  events: number;
  lost_events: number;
  /** Arrivals whose body is not that of the event. */
  wrong_events: number;
  /** Claims of deliveries that ended before their lease. */
  early_leases: number;
  /** Students whose creation was answered with success and who are not there. */
  lost_commits: number;
  /** Students who are there twice by one call. */
  double_effects: number;
}

/** Compares what the receiver of everything got since `since`, and what callers were answered, with Postgres. */
export async function effectsOf(sql: Sql, school: School, receiver: Receiver, created: readonly string[], disturbances: readonly Disturbance[], since: Date): Promise<EffectFigures> {
  const published = await sql<{ id: string; body: string }>(
    'SELECT id, body FROM events WHERE institution_id = $1 AND created_at >= $2 AND type = ANY ($3)',
    [school.id, since, events],
  );
  const bodies = new Map(published.map(({ id, body }) => [id, body]));
  const arrivals: Arrival[] = [];
  let wrong = 0;
  for (const { headers, body, at, sender } of receiver.received) {
    const id = String(headers['webhook-id']);
    if (!bodies.has(id)) continue;
    if (bodies.get(id) !== body) wrong += 1;
    arrivals.push({ id, at, sender });
  }
  const failed = await sql<{ event_id: string; attempts: number }>(
    `SELECT d.event_id, count(*)::int AS attempts FROM webhook_attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE a.endpoint_id = $1 AND a.started_at >= $2 AND a.error_class IS NOT NULL GROUP BY d.event_id`,
    [school.endpointId, since],
  );
  const arrived = new Set(arrivals.map(({ id }) => id));
  const found = await sql<{ id: string }>('SELECT id FROM users WHERE id = ANY ($1)', [created]);
  const doubles = await sql<{ n: number }>("SELECT count(*)::int AS n FROM users WHERE institution_id = $1 AND full_name LIKE 'New %' AND created_at >= $2 GROUP BY full_name HAVING count(*) > 1", [school.id, since]);
  return {
    events: published.length,
    lost_events: published.filter(({ id }) => !arrived.has(id)).length,
    wrong_events: wrong,
    ...countRepeats(arrivals, disturbances, new Map(failed.map(({ event_id, attempts }) => [event_id, attempts]))),
    early_leases: await countEarlyLeases(sql, since),
    lost_commits: created.length - found.length,
    double_effects: doubles.length,
  };
}
