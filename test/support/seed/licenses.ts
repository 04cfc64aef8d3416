import { LicenseEntity, type LicenseStatus } from '../../../db/entities/license';
import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';
import { inDays } from '../time';

/** A lab-machine license written as it stands; by default active with 100 days to run. */
export async function seedLicense({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>, columns: Partial<LicenseEntity> = {}): Promise<LicenseEntity> {
  const now = new Date();
  const license: LicenseEntity = {
    id: newId('lic'),
    institutionId: id,
    userId: null,
    licenseType: 'institution',
    status: 'active',
    maxActivations: 30,
    isLifetime: false,
    expiresAt: inDays(100),
    revokedAt: null,
    revokeReason: null,
    createdAt: now,
    updatedAt: now,
    ...columns,
  };
  await api.domain.database.manager.insert(LicenseEntity, license);
  return license;
}

/** The stored status, which may differ from the one shown. */
export async function storedStatus({ api }: TestApi, id: string): Promise<LicenseStatus> {
  return (await api.domain.database.manager.findOneByOrFail(LicenseEntity, { id })).status;
}

/** So many lapsed lab-machine licenses that no sweep has seen, written in one statement. */
export async function seedExpiredLicenses({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>, count: number): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO licenses (id, institution_id, license_type, status, max_activations, expires_at, created_at, updated_at)
     SELECT 'lic_' || $1 || '_' || n, $1, 'institution', 'active', 1, $3::timestamptz - n * interval '1 second', $3, $3
       FROM generate_series(1, $2::int) n`,
    [id, count, inDays(-1)],
  );
}
