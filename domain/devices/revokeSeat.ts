import { endSessionsOfSeats, revokeSeatOf, type SeatRow } from '../../db/repositories/devices/seats';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { requireLockedLicense } from '../licenses/requireLockedLicense';

/**
 * Revokes a seat: it ends with its session at once, of which the device hears at its next heartbeat. `not_found` where the license
 * has no active seat of this id. The device may sign in again, to a new seat.
 */
export async function revokeSeat(tx: Transaction, licenseId: string, seatId: string): Promise<SeatRow> {
  const license = await requireLockedLicense(tx, licenseId);
  const seat = await revokeSeatOf(tx, license.id, seatId, tx.now);
  if (seat === undefined) throw notFound('seat');
  await endSessionsOfSeats(tx, [seat.session_id], tx.now);
  return seat;
}
