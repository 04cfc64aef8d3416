import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { offboardingStatuses } from '../../../db/repositories/offboarding/offboardings';
import { count, text, timestamp, timestampOrNull } from '../../http/request/fields';

export const newOffboardingSchema = Joi.object({
  reason: text(500).allow(null).default(null).description('Why the institution leaves, for your own records; deleted with its data.').example('The contract ends.'),
});

const archiveSchema = Joi.object({
  url: Joi.string().required().description('Of the archive, for anybody who has it.').example('https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795172400&signature=9f86d081'),
  url_expires_at: timestamp().required().description('An hour after the response; ask again for another URL.').example('2026-11-20T10:30:00.000Z'),
  size: count.description('In bytes.').example(1_048_576),
  sha256: Joi.string().required().example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  written_at: timestamp().required().example('2026-11-20T09:35:00.000Z'),
});

const removedSchema = Joi.object({
  store: Joi.string().required().description('A table of the database; `files` are the bytes of files with their rows.').example('users'),
  count: count.example(312),
  at: timestamp().required().description('When the last of it was removed.').example('2026-12-20T09:31:00.000Z'),
});

const certificateSchema = Joi.object({
  text: Joi.string().required().description('JSON: the offboarding and all of `removed`. The id of the institution, counts and times alone.').example('{"offboarding":"offboard_ins_01jd4k6f2mep2s5xg5yhc8m1zr:1"}'),
  sha256: Joi.string().required().description('Of `text`, in UTF-8; hexadecimal digits.').example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
});

export const offboardingSchema = Joi.object({
  institution_id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: Joi.string().valid(...offboardingStatuses).required().example('read_only'),
  workflow_id: Joi.string().required().description('For a look at its workflow.').example('offboard_ins_01jd4k6f2mep2s5xg5yhc8m1zr:1'),
  reason: Joi.string().required().allow(null).example('The contract ends.'),
  requested_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  erase_after: timestamp().required().description('30 days after the request: until then the institution is read-only and can be kept.').example('2026-12-20T09:30:00.000Z'),
  cancelled_at: timestampOrNull('When it was cancelled.').example(null),
  erasing_since: timestampOrNull('When the erasure began.').example(null),
  erased_at: timestampOrNull('When everything was erased.').example(null),
  archive: archiveSchema.required().allow(null).description('Everything of the institution. Null until it is written, and from the erasure or the cancellation on.'),
  progress: Joi.object({ done: count.example(0), total: count.example(66) }).required().description('Stores from which something was removed so far, of all that the service has.'),
  removed: Joi.array().items(removedSchema).required().description('What was removed from each store so far, its sandbox included.'),
  certificate: certificateSchema.required().allow(null).description('Null until everything is erased.'),
}).meta({ title: 'Offboarding' });
export type OffboardingResponse = SchemaType<typeof offboardingSchema>;
