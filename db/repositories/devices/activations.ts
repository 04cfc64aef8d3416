import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import type { DeviceColumns } from './seats';

/** A device that was registered to a license when somebody signed in with it first. */
export interface ActivationRow extends DeviceColumns {
  first_seen_at: Date;
  last_seen_at: Date;
}

const updateLastSeen = statement(
  'activation_see',
  `UPDATE activations SET device_name = $4, platform = $5, app_version = $6, last_seen_at = greatest(last_seen_at, $7)
    WHERE institution_id = $1 AND license_id = $2 AND device_id = $3 RETURNING 1`,
);

const register = statement(
  'activation_register',
  `INSERT INTO activations (institution_id, license_id, device_id, device_name, platform, app_version, first_seen_at, last_seen_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
);

/** Notes a device with a locked license; answers whether the license saw it for the first time. */
export async function recordDevice(scope: InstitutionScope, licenseId: string, device: DeviceColumns, now: Date): Promise<boolean> {
  const values = [scope.institutionId, licenseId, device.device_id, device.device_name, device.platform, device.app_version, now];
  if ((await scope.sql(updateLastSeen, values)).length > 0) return false;
  await scope.sql(register, values);
  return true;
}

const deleteOldest = statement(
  'activations_forget',
  `DELETE FROM activations WHERE institution_id = $1 AND license_id = $2 AND device_id IN (
     SELECT device_id FROM activations WHERE institution_id = $1 AND license_id = $2 ORDER BY last_seen_at DESC, device_id OFFSET $3)`,
);

/** Forgets the devices of a locked license that were seen longest ago, but for the newest `kept`. */
export async function deleteOldestActivations(scope: InstitutionScope, licenseId: string, kept: number): Promise<void> {
  await scope.sql(deleteOldest, [scope.institutionId, licenseId, kept]);
}

/** One page of the devices that a license has seen, the newest first. */
export function listActivations({ sql, institutionId }: InstitutionScope, licenseId: string, page: Page): Promise<PageOf<ActivationRow>> {
  const conditions = [{ sql: 'institution_id = $', value: institutionId }, { sql: 'license_id = $', value: licenseId }];
  const columns = 'device_id, device_name, platform, app_version, first_seen_at, last_seen_at';
  return readPage(sql, { columns, from: 'activations', conditions, order: newestFirst('first_seen_at', 'device_id') }, page);
}
