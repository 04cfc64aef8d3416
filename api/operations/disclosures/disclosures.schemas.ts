import Joi from 'joi';
import { disclosedThings, readerKinds } from '../../../db/repositories/disclosures/disclosures';
import type { SchemaType } from '../../../lib/schemaType';
import { paging, reference, timestamp } from '../../http/request/fields';
import { idFilter, sinceDateTime, untilDateTime } from '../../http/request/filters';
import { institutionId } from '../institutions/institutions.staff.schemas';

/** Reads of one person's data, or of the data of many, among them perhaps this person. */
const about = ['person', 'many'] as const;

export const disclosureQuery = Joi.object({
  about: Joi.string()
    .valid(...about)
    .default('person')
    .description('`person`: reads of the data of this person alone; `many`: lists and exports of the institution, each of which may have contained this person.')
    .example('person'),
  actor_id: idFilter('key', 'platform').description('Whose reads: a key, a person, or `platform`.').example('key_01jd4k6f2mep2s5xg5yhc8m1zr'),
  since: sinceDateTime('Reads after this moment.').example('2026-11-20T09:30:00Z'),
  until: untilDateTime('Reads up to this moment, inclusively.').example('2026-11-20T10:30:00Z'),
  ...paging,
});

/** `{ id }` is the institution. */
export const personOfInstitutionParams = Joi.object({
  id: institutionId,
  person_id: reference().required().description('Id or login email of the person.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

export const disclosureSchema = Joi.object({
  id: Joi.string().required().example('dsc_01jd4k6f2mep2s5xg5yhc8m1zr'),
  at: timestamp().required().description("When it was recorded, by the database's clock: within a second of the read, later while the database is away.").example('2026-11-20T09:40:00.000Z'),
  actor: Joi.object({
    kind: Joi.string()
      .valid(...readerKinds)
      .required()
      .description('An API key, the platform by its own token, a person of its staff (by token or in the support console), an admin (`faculty`) or a developer of the institution in the portal, or the session of a guardian.')
      .example('key'),
    id: Joi.string().required().description('Of the platform: `platform`.').example('key_01jd4k6f2mep2s5xg5yhc8m1zr'),
    name: Joi.string().allow(null).required().description('Of a key or a person of the staff, as it is now; null for others.').example('Student information system'),
  }).required(),
  what: Joi.string()
    .valid(...disclosedThings)
    .required()
    .description('`record`: the data of one person; `recording`: with the URLs of recordings in it; `list` and `export`: the data of many, as a list or as a file.')
    .example('record'),
  operation: Joi.string().required().description('The `operationId`.').example('getStudent'),
  query: Joi.object()
    .pattern(Joi.string(), Joi.string().allow(null))
    .required()
    .description('The parameters of the call by their names. Null where the value is a text, which may name a person.')
    .example({ id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr' }),
  request_id: Joi.string().required().description('The `X-Request-Id` of the response.').example('req_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).meta({ title: 'Disclosure' });
export type DisclosureResponse = SchemaType<typeof disclosureSchema>;
