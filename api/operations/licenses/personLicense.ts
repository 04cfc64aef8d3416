import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { licenseTypes, licenseStatuses } from '../../../db/entities/license';
import type { PersonLicenseColumns } from '../../../db/repositories/people/licensedPeople';
import { licenseStatusAt } from '../../../domain/licenses/expiry';
import { isoOrNull, timestamp } from '../../http/request/fields';

/** The license inside a student or faculty record. */
export const personLicenseSchema = Joi.object({
  id: Joi.string().required().example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: Joi.string().valid(...licenseStatuses).required().example('active'),
  license_type: Joi.string().valid(...licenseTypes).required().description("The person's kind.").example('student'),
  expires_at: timestamp().allow(null).required().description('Null for a lifetime license.').example('2027-09-01T08:00:00.000Z'),
  is_lifetime: Joi.boolean().required().example(false),
}).meta({ title: 'PersonLicense' });
export type PersonLicenseResponse = SchemaType<typeof personLicenseSchema>;

/** The license in a person's record (section Student); expired as soon as its time has passed. */
export function presentPersonLicense(row: PersonLicenseColumns, now: Date): PersonLicenseResponse {
  return {
    id: row.license_id,
    status: licenseStatusAt(row.license_status, row.license_expires_at, now),
    license_type: row.license_type,
    expires_at: isoOrNull(row.license_expires_at),
    is_lifetime: row.license_is_lifetime,
  };
}
