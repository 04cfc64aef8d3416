import type { InstitutionScope } from '../../database';
import type { AppName, SeatEnding } from '../devices/seats';
import { statement } from '../../statement';

/** A seat as support sees it: never its device. */
export interface FoundSeat {
  id: string;
  app: AppName;
  platform: string;
  status: 'active' | SeatEnding;
  signed_in_at: Date;
  last_seen_at: Date;
  ended_at: Date | null;
}

/** Maximum number of seats that are shown of a person. */
const maxSeats = 20;

const columns = 'id, app, platform, status, signed_in_at, last_seen_at, ended_at';

const seats = statement(
  'support_found_seats',
  `SELECT ${columns} FROM seats
    WHERE institution_id = $1 AND user_id = $2 ORDER BY (status = 'active') DESC, signed_in_at DESC, id DESC LIMIT ${maxSeats}`,
);

/** Returns the seats of a person, active ones first, then those that ended within 90 days; at most 20. */
export function listFoundSeats(scope: InstitutionScope, userId: string): Promise<FoundSeat[]> {
  return scope.sql(seats, [scope.institutionId, userId]);
}

/** A seat with whose it is. */
export interface FoundSeatOfPerson extends FoundSeat {
  user_id: string;
  license_id: string;
}

const seat = statement('support_found_seat', `SELECT ${columns}, user_id, license_id FROM seats WHERE institution_id = $1 AND id = $2`);

/** Returns a seat of the institution. */
export async function findFoundSeat(scope: InstitutionScope, id: string): Promise<FoundSeatOfPerson | undefined> {
  const [row] = await scope.sql<FoundSeatOfPerson>(seat, [scope.institutionId, id]);
  return row;
}

// Only a new seat evicts another, at the moment of its creation. A later sign-in on its device changes signed_in_at, never created_at.
const successors = statement(
  'support_seat_successors',
  `SELECT n.id FROM seats e JOIN seats n ON n.institution_id = e.institution_id AND n.user_id = e.user_id AND n.app = e.app AND n.id <> e.id AND n.created_at = e.ended_at
    WHERE e.institution_id = $1 AND e.id = $2 AND e.status = 'evicted' LIMIT 2`,
);

/** Returns the seat that took the place of an evicted one; undefined where the rows do not say it for certain. */
export async function findSuccessorOfSeat(scope: InstitutionScope, id: string): Promise<string | undefined> {
  const [first, ...others] = await scope.sql<{ id: string }>(successors, [scope.institutionId, id]);
  return others.length === 0 ? first?.id : undefined;
}
