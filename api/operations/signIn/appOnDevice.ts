import type { AppName } from '../../../db/repositories/devices/seats';
import type { AppOnDevice } from '../../../domain/devices/assignSeat';
import type { Credentials } from './signIn.schemas';

/** Returns the app and its device if a sign-in names them; both or neither. */
export function toAppOnDevice(app: AppName | undefined, device: Credentials['device'] | undefined): AppOnDevice | undefined {
  if (app === undefined || device === undefined) return undefined;
  const { id, name, platform, app_version } = device;
  return { app, device: { device_id: id, device_name: name, platform, app_version } };
}
