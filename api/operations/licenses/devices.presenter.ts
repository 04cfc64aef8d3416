import type { ActivationRow } from '../../../db/repositories/devices/activations';
import type { DeviceColumns, SeatRow } from '../../../db/repositories/devices/seats';
import type { ActivationResponse, SeatResponse } from './devices.schemas';

const presentDevice = ({ device_id, device_name, platform, app_version }: DeviceColumns): DeviceColumns => ({ device_id, device_name, platform, app_version });

/** A seat (section License). */
export function presentSeat(row: SeatRow): SeatResponse {
  return {
    id: row.id,
    app: row.app,
    ...presentDevice(row),
    last_seen_at: row.last_seen_at.toISOString(),
    signed_in_at: row.signed_in_at.toISOString(),
  };
}

/** A device that signed in on a license. */
export function presentActivation(row: ActivationRow): ActivationResponse {
  return { ...presentDevice(row), first_seen_at: row.first_seen_at.toISOString(), last_seen_at: row.last_seen_at.toISOString() };
}
