import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { shownDeveloperStatuses } from '../../../domain/developers/developerStatus';
import { emailAddress, idParams, paging, text, timestamp, timestampOrNull } from '../../http/request/fields';
import { institutionFilter } from '../institutions/institutions.staff.schemas';

export const developerParams = idParams('Id of the developer.', 'dev_01jd4k6f2mep2s5xg5yhc8m1zr');

/** The query of the portal's list of developers. */
export const developersQuery = Joi.object({
  institution_id: institutionFilter,
  ...paging,
});

export const newDeveloperSchema = Joi.object({
  email: emailAddress().required().description('An address of their own: the invitation goes there, and it is what they sign in with.').example('linus@example.org'),
  name: text(200).required().example('Linus Developer'),
}).required();

export const developerSchema = Joi.object({
  id: Joi.string().required().example('dev_01jd4k6f2mep2s5xg5yhc8m1zr'),
  email: Joi.string().required().description('The address for emails and for signing in.').example('linus@example.org'),
  name: Joi.string().allow(null).required().example('Linus Developer'),
  status: Joi.string()
    .valid(...shownDeveloperStatuses)
    .required()
    .description('`expired`: the invitation was not accepted within 7 days, and can be sent again.')
    .example('invited'),
  scope_ceiling: Joi.array()
    .items(Joi.string())
    .allow(null)
    .required()
    .description('The scopes that the keys they created may use at most; null: no ceiling.')
    .example(['students:read', 'webhooks:write']),
  invited_by: Joi.string().required().description('The portal user, or `platform`.').example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  invited_at: timestamp().required().description('Of the newest invitation.').example('2026-11-20T09:30:00.000Z'),
  expires_at: timestamp().required().description('Until when it can be accepted; of no meaning once it is.').example('2026-11-27T09:30:00.000Z'),
  accepted_at: timestampOrNull('When the newest invitation was accepted.'),
  suspended_at: timestampOrNull('Null unless suspended.'),
  revoked_at: timestampOrNull('Null unless revoked.'),
  created_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
}).meta({ title: 'Developer' });
export type DeveloperResponse = SchemaType<typeof developerSchema>;

export const suspensionSchema = Joi.object({
  keep_keys: Joi.boolean().default(false).description('Whether the keys that the developer created stay valid; false by default: every one is revoked.').example(false),
});

export const developerChanges = Joi.object({
  scope_ceiling: Joi.array()
    .items(text(50))
    .max(100)
    .allow(null)
    .required()
    .description('The scopes that the keys they created, older ones too, may use at most; null: no ceiling.')
    .example(['students:read', 'webhooks:write']),
}).required();

/** The request of a developer who follows the link of their invitation email. */
export const developerAcceptanceSchema = Joi.object({
  token: text(200).required().description('From the link of the email.').example('dev_01jd4k6f2mep2s5xg5yhc8m1zr.1.kN0hX8…'),
}).required();

export const acceptedDeveloperSchema = Joi.object({
  id: Joi.string().required().description('The developer.').example('dev_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: Joi.string().valid('active').required().example('active'),
  institution: Joi.object({
    id: Joi.string().required().description('For signing in, where a developer is one in several.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
    name: Joi.string().required().example('North School'),
  }).required(),
}).meta({ title: 'AcceptedDeveloper' });
