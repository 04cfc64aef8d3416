import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** An event to be written to an attempt's feed. */
export interface FeedEvent {
  id: string;
  type: string;
  at: Date;
  detail: object | null;
}

// The sums count the stored events, not the sent ones, so that repetitions do not count.
const store = statement(
  'attempt_feed_store',
  `WITH stored AS (
     INSERT INTO attempt_events (attempt_id, id, institution_id, type, at, detail)
     SELECT $2, id, $1, type, at, detail FROM json_to_recordset($3::json) AS sent (id text, type text, at timestamptz, detail jsonb)
     ON CONFLICT DO NOTHING
     RETURNING type, detail
   ), sums AS (
     SELECT count(*)::int AS events, count(*) FILTER (WHERE type = 'focus_lost') AS focus_losses,
            count(*) FILTER (WHERE type = 'recorder_error') AS recorder_errors,
            coalesce(sum((detail ->> 'away_seconds')::float8) FILTER (WHERE type = 'focus_gained'), 0) AS seconds_away
       FROM stored
   )
   UPDATE attempts a
      SET event_count = a.event_count + s.events, focus_losses = a.focus_losses + s.focus_losses, recorder_errors = a.recorder_errors + s.recorder_errors,
          seconds_away = a.seconds_away + s.seconds_away
     FROM sums s WHERE a.institution_id = $1 AND a.id = $2
   RETURNING s.events AS stored, a.event_count AS total`,
);

/**
 * Stores the events that a locked attempt does not have yet and updates its sums; returns their number, and the total number
 * of events from apps.
 */
export async function storeEvents(scope: InstitutionScope, attemptId: string, events: readonly FeedEvent[]): Promise<{ stored: number; total: number }> {
  const [row] = await scope.sql<{ stored: number; total: number }>(store, [scope.institutionId, attemptId, JSON.stringify(events)]);
  if (row === undefined) throw new Error('A locked attempt has no row');
  return row;
}
