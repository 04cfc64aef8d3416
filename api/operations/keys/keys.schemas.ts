import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { keyEnvironments } from '../../../db/entities/apiKey';
import { keyStatuses } from '../../../domain/keys/keyStatus';
import { deletedSchema, idParams, dateTime, paging, text, timestamp, wholeNumber } from '../../http/request/fields';
import { institutionFilter } from '../institutions/institutions.staff.schemas';

export const keyParams = idParams('Id of the key.', 'key_01jd4k6f2mep2s5xg5yhc8m1zr');

/** The query of the portal's list of keys. */
export const keysQuery = Joi.object({
  institution_id: institutionFilter,
  ...paging,
});

export const newKeySchema = Joi.object({
  name: text(100).required().example('SIS nightly sync'),
  scopes: Joi.array()
    .items(text(100))
    .max(100)
    .required()
    .description('At least one scope of GET /scopes, otherwise invalid_scopes.')
    .example(['students:write', 'groups:read']),
  rate_limit_per_min: wholeNumber(10, 6000).default(600).description('Requests a minute.').example(600),
  environment: Joi.string()
    .valid(...keyEnvironments)
    .default('live')
    .description('`test` makes a key of the sandbox, and with the first one the sandbox itself.')
    .example('live'),
  expires_at: dateTime().allow(null).description('In the future; null or left out for a key that does not expire.').example('2027-09-01T07:30:00.000Z'),
});

const keyFields = {
  key_id: Joi.string().required().example('key_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('SIS nightly sync'),
  scopes: Joi.array().items(Joi.string()).required().example(['students:write', 'groups:read']),
  rate_limit_per_min: Joi.number().integer().required().example(600),
  environment: Joi.string().valid(...keyEnvironments).required().description('`test`: the key belongs to the sandbox of the institution.').example('live'),
  prefix: Joi.string().required().example('svc_live_'),
  last_four: Joi.string().required().example('x7Qa'),
  status: Joi.string().valid(...keyStatuses).required().example('active'),
  created_by: Joi.string().required().description('The portal user, or `platform`.').example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  created_at: timestamp().required().example('2026-09-01T07:30:00.000Z'),
  last_used_at: timestamp().allow(null).required().description('Exact to a minute.').example('2026-11-20T09:31:00.000Z'),
  expires_at: timestamp().allow(null).required().example('2027-09-01T07:30:00.000Z'),
  revoked_at: timestamp().allow(null).required().description('Null while nobody has revoked it.').example(null),
};

export const keySchema = Joi.object(keyFields).meta({ title: 'Key' });
export type KeyResponse = SchemaType<typeof keySchema>;

export const createdKeySchema = Joi.object({
  ...keyFields,
  api_key: Joi.string().required().description('The key itself; it is shown here and never again.').example(`svc_live_${'0'.repeat(32)}`),
}).meta({ title: 'CreatedKey' });

export const revokedKeySchema = deletedSchema('key_01jd4k6f2mep2s5xg5yhc8m1zr');
