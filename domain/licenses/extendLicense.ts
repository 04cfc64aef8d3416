import { LicenseEntity } from '../../db/entities/license';
import type { LicenseRow } from '../../db/repositories/licenses';
import type { Transaction } from '../context';
import { DomainError, invalid } from '../errors';
import { takeLicense } from './takeLicense';
import { furthestExpiryDays } from './terms';
import { licenseTransitions } from './transitions';

/** How far a license is extended (section License): `days` or a moment, exactly one of them. */
export interface Extension {
  days?: number | undefined;
  expires_at?: Date | undefined;
}

const dayMs = 86_400_000;

const after = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMs);

/** The field that was given; `validation_error` for none and for both. */
function givenField({ days, expires_at }: Extension): 'days' | 'expires_at' {
  if (days === undefined && expires_at === undefined) throw invalid({ path: 'days', message: 'days or expires_at is required' });
  if (days === undefined) return 'expires_at';
  if (expires_at === undefined) return 'days';
  throw invalid({ path: 'expires_at', message: 'expires_at must not be given together with days' });
}

/** The expiry that an extension asks for: `days` count from the later of now and the present expiry. */
function wantedExpiry({ days, expires_at }: Extension, present: Date, now: Date): Date {
  return expires_at ?? after(present > now ? present : now, days ?? 0);
}

/**
 * Moves a license's expiry; an expired one becomes active, a suspended one stays suspended. `conflict` for a
 * revoked or lifetime license; `validation_error` for an expiry that is not in the future or over 100 years away.
 */
export async function extendLicense(tx: Transaction, id: string, extension: Extension): Promise<LicenseRow> {
  const path = givenField(extension);
  const license = await takeLicense(tx, id);
  const status = licenseTransitions.extend[license.status];
  if (status === 'conflict') throw new DomainError('conflict', 'A revoked license cannot be extended.');
  if (license.expires_at === null) throw new DomainError('conflict', 'A lifetime license has no expiry to extend.');
  const expiresAt = wantedExpiry(extension, license.expires_at, tx.now);
  if (expiresAt <= tx.now) throw invalid({ path, message: `${path} must lie in the future` });
  if (expiresAt > after(tx.now, furthestExpiryDays)) {
    throw invalid({ path, message: `${path} must not lead further than ${furthestExpiryDays} days ahead` });
  }
  await tx.manager.update(LicenseEntity, { id: license.id, institutionId: tx.institutionId }, { status, expiresAt, updatedAt: tx.now });
  return { ...license, status, expires_at: expiresAt };
}
