import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import type { DeviceColumns } from './seats';

/** A device registered to a license by its first sign-in. */
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

/** Registers a device with a locked license; returns whether it is new to the license. */
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

/** Deletes the devices of a locked license except the `kept` last seen ones. */
export async function deleteOldestActivations(scope: InstitutionScope, licenseId: string, kept: number): Promise<void> {
  await scope.sql(deleteOldest, [scope.institutionId, licenseId, kept]);
}

/** Returns one page of a license's devices, newest first. */
export function listActivations({ sql, institutionId }: InstitutionScope, licenseId: string, page: Page): Promise<PageOf<ActivationRow>> {
  const conditions = [{ sql: 'institution_id = $', value: institutionId }, { sql: 'license_id = $', value: licenseId }];
  const columns = 'device_id, device_name, platform, app_version, first_seen_at, last_seen_at';
  return readPage(sql, { columns, from: 'activations', conditions, order: newestFirst('first_seen_at', 'device_id') }, page);
}
