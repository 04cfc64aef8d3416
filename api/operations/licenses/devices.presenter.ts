import type { ActivationRow } from '../../../db/repositories/devices/activations';
import type { DeviceColumns, SeatRow } from '../../../db/repositories/devices/seats';

const presentDevice = ({ device_id, device_name, platform, app_version }: DeviceColumns): object => ({ device_id, device_name, platform, app_version });

/** A seat as the API answers it (section License). */
export function presentSeat(row: SeatRow): object {
  return {
    id: row.id,
    app: row.app,
    ...presentDevice(row),
    last_seen_at: row.last_seen_at.toISOString(),
    signed_in_at: row.signed_in_at.toISOString(),
  };
}

/** A device that signed in on a license. */
export function presentActivation(row: ActivationRow): object {
  return { ...presentDevice(row), first_seen_at: row.first_seen_at.toISOString(), last_seen_at: row.last_seen_at.toISOString() };
}
