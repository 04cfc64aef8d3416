import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { licenseTypes, licenseStatuses } from '../../../db/entities/license';
import type { Extension } from '../../../domain/licenses/extendLicense';
import { expiringSoonDays, extensionDays } from '../../../domain/licenses/limits';
import { count, dateTime, paging, text, timestamp, wholeNumber } from '../../http/request/fields';

const status = Joi.string().valid(...licenseStatuses);
const numbers = (active: number, expired: number, suspended: number, revoked: number) => ({
  active: count.example(active), expired: count.example(expired), suspended: count.example(suspended), revoked: count.example(revoked),
});

export const licenseSchema = Joi.object({
  id: Joi.string().required().example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
  license_type: Joi.string().valid(...licenseTypes).required().example('student'),
  status: status.required().description('`expired` as soon as the expiry has passed.').example('active'),
  user: Joi.object({
    user_id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    login_email: Joi.string().required().example('student1.9f86d081@north.example'),
  })
    .allow(null)
    .required()
    .description('Who carries the license; null for an institution license (lab machines).'),
  max_activations: Joi.number().integer().required().description('Devices, at most.').example(2),
  expires_at: timestamp().allow(null).required().description('Null for a lifetime license.').example('2027-09-01T08:00:00.000Z'),
  is_lifetime: Joi.boolean().required().example(false),
  revoked_at: timestamp().allow(null).required().example(null),
  revoke_reason: Joi.string().allow(null).required().example(null),
  created_at: timestamp().required().example('2026-09-01T08:00:00.000Z'),
}).meta({ title: 'License' });
export type LicenseResponse = SchemaType<typeof licenseSchema>;

const typeCounts = (active: number, expired: number, suspended: number, revoked: number) =>
  Joi.object({ ...numbers(active, expired, suspended, revoked), total: count.example(active + expired + suspended + revoked) }).required();

/** Counts of licenses by type and status, in `GET /licenses/summary` and `GET /institution`. */
export const licenseCounts = {
  by_type: Joi.object({ student: typeCounts(38, 1, 0, 1), faculty: typeCounts(5, 0, 0, 0), institution: typeCounts(2, 0, 0, 0) }).required(),
  by_status: Joi.object(numbers(45, 1, 0, 1)).required(),
  total: count.example(47),
};

export const licenseSummarySchema = Joi.object({
  ...licenseCounts,
  expiring_within_30_days: count.example(4).description(`Active licenses that expire within ${expiringSoonDays} days.`),
}).meta({ title: 'LicenseSummary' });
export type LicenseSummaryResponse = SchemaType<typeof licenseSummarySchema>;

export const licenseQuery = Joi.object({
  status: status.description('As shown: an unswept license whose time has passed is `expired`.').example('active'),
  expires_before: dateTime().description('Exclusive; lifetime licenses never match.').example('2027-10-01T00:00:00Z'),
  ...paging,
});

/** Exactly one of the two: the schema's type cannot express `xor`. */
export const extensionSchema = Joi.object<Extension>({
  days: wholeNumber(extensionDays.min, extensionDays.max)
    .description('Counts from the later of now and the present expiry. Exactly one of `days` and `expires_at`.')
    .example(365),
  expires_at: dateTime().description('The new expiry, in the future. Exactly one of `days` and `expires_at`.'),
})
  .xor('days', 'expires_at')
  .required();

export const revocationSchema = Joi.object({
  reason: text(500, 'multi-line').allow(null).description('Kept with the license.').example('Left the school'),
});
