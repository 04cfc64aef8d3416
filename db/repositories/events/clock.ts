import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** Whose clock, and what runs statements. */
type ClockScope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

// As `stamp_events` finds it: a look-up by the institution alone goes through every version since the oldest snapshot.
const ofNewestGeneration =
  'institution_id = $1 AND generation >= (SELECT c.generation FROM event_clocks c WHERE c.institution_id = $1 ORDER BY c.generation DESC LIMIT 1)';

const last = statement('event_clock', 'SELECT last_event_ms($1)::float8 AS ms');

/** Returns the timestamp of the institution's newest event; 1970 before the first. */
export async function readLastEventTime(scope: ClockScope): Promise<Date> {
  const [clock] = await scope.sql<{ ms: number | null }>(last, [scope.institutionId]);
  return new Date(clock?.ms ?? 0);
}

const writeOffset = statement('sandbox_event_clock_write', `UPDATE event_clocks SET offset_ms = $2 WHERE ${ofNewestGeneration}`);

/** Writes how far the clock of the institution's events is ahead. */
export async function writeEventClockOffset(scope: ClockScope, offsetMs: number): Promise<void> {
  await scope.sql(writeOffset, [scope.institutionId, offsetMs]);
}

const reset = `UPDATE event_clocks SET last_ms = 0, offset_ms = 0 WHERE ${ofNewestGeneration}`;

/** Sets the clock of the institution's events to that of one without events. */
export async function resetEventClock(scope: ClockScope): Promise<void> {
  await scope.sql(reset, [scope.institutionId]);
}
