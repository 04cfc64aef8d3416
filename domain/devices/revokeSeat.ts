import { endSessionsOfSeats, revokeSeatOf, type SeatRow } from '../../db/repositories/devices/seats';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import { requireLockedLicense } from '../licenses/requireLockedLicense';

/**
 * Revokes a seat and ends its session; the device is notified by its next heartbeat and may sign in again to a new seat.
 * `not_found` if the license has no active seat with this id.
 */
export async function revokeSeat(tx: Transaction, licenseId: string, seatId: string): Promise<SeatRow> {
  const license = await requireLockedLicense(tx, licenseId);
  const seat = requireFound(await revokeSeatOf(tx, license.id, seatId, tx.now), 'active seat', { hint: 'Its id begins with seat_, and it may have ended already: GET /v1/licenses/{id}/devices has the active ones of a license.' });
  await endSessionsOfSeats(tx, [seat.session_id], tx.now);
  return seat;
}
