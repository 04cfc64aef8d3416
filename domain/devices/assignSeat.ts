import { deleteOldestActivations, recordDevice } from '../../db/repositories/devices/activations';
import { findPersonLicense } from '../../db/repositories/licenses/personLicense';
import type { LicenseRow } from '../../db/repositories/licenses/licenses';
import { endSessionsOfSeats, evictOldest, insertSeat, transferSeat, type AppName, type DeviceColumns, type SeatHolder, type SeatRow } from '../../db/repositories/devices/seats';
import type { Transaction } from '../context';
import { validationError } from '../errors';
import { newId } from '../ids';
import { requireLockedLicense } from '../licenses/requireLockedLicense';
import { activationsPerLicense, seatsPerApp } from './limits';

/** An app and the device that it runs on. */
export interface AppOnDevice {
  app: AppName;
  device: DeviceColumns;
}

/**
 * Locks the license on which a locked person has seats, and records an expiry not yet noticed. `validation_error` for
 * `app` if the person has no license, such as a guardian.
 */
export async function lockLicenseForSeats(tx: Transaction, userId: string): Promise<LicenseRow> {
  const license = await findPersonLicense(tx, userId);
  if (license === undefined) throw validationError({ path: 'app', message: 'app is only allowed for people with a license' });
  return requireLockedLicense(tx, license.license_id);
}

/**
 * Assigns a session its device's seat in an app and returns the seat (section License); needs the locks of person and
 * license. A device that already has a seat keeps it, and the session that held it ends. If all seats are taken, the seat
 * signed in to longest ago is evicted and its session ends. A device new to the license is registered (`license.device_registered`).
 */
export async function assignSeat(tx: Transaction, holder: SeatHolder, device: DeviceColumns): Promise<SeatRow> {
  const taken = await transferSeat(tx, holder, device, tx.now);
  const seatId = taken?.id ?? newId('seat');
  if (taken === undefined) await insertSeat(tx, seatId, holder, device, tx.now);
  const evicted = await evictOldest(tx, holder, { seatId, others: seatsPerApp - 1 }, tx.now);
  await registerDevice(tx, holder, device, seatId);
  await endSessionsOfSeats(tx, [taken?.session_id ?? null, ...evicted], tx.now);
  return { id: seatId, app: holder.app, ...device, last_seen_at: tx.now, signed_in_at: tx.now };
}

async function registerDevice(tx: Transaction, { licenseId, userId, app }: SeatHolder, device: DeviceColumns, seatId: string): Promise<void> {
  if (!(await recordDevice(tx, licenseId, device, tx.now))) return;
  await deleteOldestActivations(tx, licenseId, activationsPerLicense);
  tx.emit('license.device_registered', { license_id: licenseId, user_id: userId, seat_id: seatId, app, platform: device.platform });
}
