import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { institutionStatuses } from '../../../db/entities/institution';
import { maxAllowanceCents } from '../../../domain/merits/limits';
import { isTimeZone } from '../../../lib/timeZone';
import { idFilter } from '../../http/request/filters';
import { emailAddress, paging, reference, text, timestamp, wholeNumber } from '../../http/request/fields';
import { clockSchema } from '../sandbox/clock.schemas';
import { institutionAdmin } from './institutions.schemas';

// At least two labels of letters, digits and inner hyphens; the last one is not a number, which excludes IP addresses.
const domainName = /^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!\d+$)(?!-)[a-z0-9-]{2,63}(?<!-)$/;

const loginDomain = text(253)
  .lowercase()
  .pattern(domainName, 'domain name')
  .messages({ 'string.pattern.name': '{{#label}} must be a domain name, such as north.example' })
  .description('The domain of the generated login emails; lower-cased, and no other institution may have it.')
  .example('north.example');

const timeZone = text(64)
  .custom((value: string, helpers) => (isTimeZone(value) ? value : helpers.error('zone.unknown')))
  .messages({ 'zone.unknown': '{{#label}} must be an IANA time zone, such as Europe/Berlin' })
  .description('The IANA time zone in which days are counted.')
  .example('Europe/Berlin');

const allowanceCents = wholeNumber(0, maxAllowanceCents).description('What merit credits draw down, in cents.').example(500_000);

/** The query parameter that names the institution. */
export const institutionId = reference().required().description('Id of the institution.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr');

/** The institution filter of lists in the portal: required for the platform. */
export const institutionFilter = idFilter('ins').description('Required from the platform; a portal user has but their own.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr');

export const institutionParams = Joi.object({ id: institutionId });

export const institutionQuery = Joi.object({ name: text(200).description('Part of the name, in upper or lower case.').example('North School'), ...paging });

export const newInstitutionSchema = Joi.object({
  name: text(200).required().example('North School'),
  login_domain: loginDomain.required(),
  admin_email: emailAddress().required().description("The institution admin's mailbox. Never returned.").example('office@north.example'),
  admin_name: text(200).required().example('Ada Admin'),
  time_zone: timeZone.default('UTC'),
  allowance_cents: allowanceCents.default(0),
});

export const newAllowanceSchema = Joi.object({ allowance_cents: allowanceCents.required() }).required();

export const institutionSchema = Joi.object({
  id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('North School'),
  status: Joi.string()
    .valid(...institutionStatuses)
    .required()
    .description('Only the keys of an approved institution are valid.')
    .example('approved'),
  login_domain: Joi.string().required().example('north.example'),
  time_zone: Joi.string().required().example('Europe/Berlin'),
  admin: institutionAdmin.description('The faculty record of the institution admin.'),
  allowance_cents: Joi.number().integer().required().example(500_000),
  sandbox_of: Joi.string().allow(null).required().description('The institution whose sandbox this is.').example(null),
  clock: clockSchema.allow(null).required().description('Of a sandbox: what its clock shows, which its calls may have moved. Null for any other institution, which has the real time.'),
  created_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
}).meta({ title: 'Institution' });
export type InstitutionResponse = SchemaType<typeof institutionSchema>;
