import type { Sql } from '../../db/statement';
import type { Receiver } from '../support/receiver';
import { events, type School } from '../upgrade/school';

/** A time in which something was done to the cluster, in ms since 1970. */
export interface Disturbance {
  from: number;
  to: number;
}

/** What was done, compared with what was asked for. */
export interface EffectFigures {
  events: number;
  lost_events: number;
  /** Arrivals whose body is not that of the event. */
  wrong_events: number;
  /** Arrivals of what had arrived before. */
  duplicates: number;
  /** Those of them whose first arrival was not in flight when something was done. */
  unexplained_duplicates: number;
  /** Students whose creation was answered with success and who are not there. */
  lost_commits: number;
  /** Students who are there twice by one call. */
  double_effects: number;
}

/** An attempt takes up to 10 s. */
const attemptMs = 10_000;

/** Compares what the receiver of everything got since `since`, and what callers were answered, with Postgres. */
export async function effectsOf(sql: Sql, school: School, receiver: Receiver, created: readonly string[], disturbances: readonly Disturbance[], since: Date): Promise<EffectFigures> {
  const published = await sql<{ id: string; body: string }>(
    'SELECT id, body FROM events WHERE institution_id = $1 AND created_at >= $2 AND type = ANY ($3)',
    [school.id, since, events],
  );
  const bodies = new Map(published.map(({ id, body }) => [id, body]));
  const firstAt = new Map<string, number>();
  let [wrong, duplicates, unexplained] = [0, 0, 0];
  for (const { headers, body, at } of receiver.received) {
    const id = String(headers['webhook-id']);
    if (!bodies.has(id)) continue;
    if (bodies.get(id) !== body) wrong += 1;
    const first = firstAt.get(id);
    if (first === undefined) {
      firstAt.set(id, at);
      continue;
    }
    duplicates += 1;
    if (!disturbances.some(({ from, to }) => first >= from - attemptMs && first <= to)) unexplained += 1;
  }
  const found = await sql<{ id: string }>('SELECT id FROM users WHERE id = ANY ($1)', [created]);
  const doubles = await sql<{ n: number }>("SELECT count(*)::int AS n FROM users WHERE institution_id = $1 AND full_name LIKE 'New %' AND created_at >= $2 GROUP BY full_name HAVING count(*) > 1", [school.id, since]);
  return {
    events: published.length,
    lost_events: published.filter(({ id }) => !firstAt.has(id)).length,
    wrong_events: wrong,
    duplicates,
    unexplained_duplicates: unexplained,
    lost_commits: created.length - found.length,
    double_effects: doubles.length,
  };
}
