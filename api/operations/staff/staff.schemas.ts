import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { staffRoles } from '../../../db/repositories/staff/staff';
import { staffTokenPrefix } from '../../../domain/staff/tokens';
import { deletedSchema, emailAddress, idParams, paging, reference, timestamp, timestampOrNull } from '../../http/request/fields';

const staffExample = 'stf_01jd4k6f2mep2s5xg5yhc8m1zr';
const tokenExample = 'stk_01jd4k6f2mep2s5xg5yhc8m1zr';

export const staffParams = idParams('Id of the person.', staffExample);
export const staffTokenParams = Joi.object({
  id: reference().required().description('Id of the person.').example(staffExample),
  token_id: reference().required().description('Id of the token.').example(tokenExample),
});

export const staffQuery = Joi.object({ email: emailAddress().description('Who has exactly this email.').example('sam@platform.example'), ...paging });

export const staffSchema = Joi.object({
  id: Joi.string().required().example(staffExample),
  name: Joi.string().required().example('Sam Support'),
  email: Joi.string().required().example('sam@platform.example'),
  role: Joi.string().valid(...staffRoles).required().example('support'),
  status: Joi.string().valid('active', 'revoked').required().example('active'),
  signs_in_with: Joi.string().allow(null).required().description('The issuer of the identity provider that they have signed in with; null for none.').example('https://id.platform.example'),
  created_by: Joi.string().required().description('A person of the staff, `platform`, or `oidc` where the identity provider brought them.').example('platform'),
  created_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  revoked_at: timestampOrNull('When they were revoked; null if they are not.'),
}).meta({ title: 'StaffMember' });
export type StaffResponse = SchemaType<typeof staffSchema>;

export const revokedStaffSchema = deletedSchema(staffExample);

const tokenFields = {
  id: Joi.string().required().example(tokenExample),
  staff_id: Joi.string().required().description('Whose it is.').example(staffExample),
  name: Joi.string().required().example('Command line, laptop'),
  last_four: Joi.string().required().example('x7Qa'),
  status: Joi.string().valid('active', 'expired', 'revoked').required().example('active'),
  created_by: Joi.string().required().description('A person of the staff, or `platform`.').example('platform'),
  created_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  expires_at: timestamp().required().example('2027-02-18T09:30:00.000Z'),
  last_used_at: timestampOrNull('Exact to a minute.'),
};

export const staffTokenSchema = Joi.object(tokenFields).meta({ title: 'StaffToken' });
export type StaffTokenResponse = SchemaType<typeof staffTokenSchema>;

export const createdStaffTokenSchema = Joi.object({
  ...tokenFields,
  staff_token: Joi.string().required().description('The token itself; it is shown here and never again.').example(`${staffTokenPrefix}${'0'.repeat(43)}`),
}).meta({ title: 'CreatedStaffToken' });

export const revokedStaffTokenSchema = deletedSchema(tokenExample);
