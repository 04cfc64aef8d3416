import { updateLicense, type LicenseRow } from '../../db/repositories/licenses/licenses';
import type { Transaction } from '../context';
import { DomainError, validationError } from '../errors';
import { requireLockedLicense } from './requireLockedLicense';
import { addDays, maxExpiryDays } from './limits';
import { licenseTransitions } from './transitions';

/** An extension of a license (section License): by `days` or to a time, exactly one of them. */
export type Extension = { days: number; expires_at?: undefined } | { days?: undefined; expires_at: Date };

/** Returns the requested expiry: `days` count from the later of now and the present expiry. */
function requestedExpiry({ days, expires_at }: Extension, present: Date, now: Date): Date {
  return days === undefined ? expires_at : addDays(present > now ? present : now, days);
}

/**
 * Changes a license's expiry; an expired license becomes active, a suspended one stays suspended. `conflict` for a
 * revoked or lifetime license; `validation_error` for an expiry that is not in the future or over 100 years ahead.
 */
export async function extendLicense(tx: Transaction, id: string, extension: Extension): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  const status = licenseTransitions.extend[license.status];
  if (status === 'conflict') throw new DomainError('conflict', 'A revoked license cannot be extended.');
  if (license.expires_at === null) throw new DomainError('conflict', 'A lifetime license has no expiry to extend.');
  const path = extension.days === undefined ? 'expires_at' : 'days';
  const expiresAt = requestedExpiry(extension, license.expires_at, tx.now);
  if (expiresAt <= tx.now) throw validationError({ path, message: `${path} must be in the future: it is ${tx.now.toISOString()} now` });
  if (expiresAt > addDays(tx.now, maxExpiryDays)) {
    throw validationError({ path, message: `${path} must be at most ${maxExpiryDays} days ahead` });
  }
  await updateLicense(tx, license.id, { status, expiresAt }, tx.now);
  return { ...license, status, expires_at: expiresAt };
}
