import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { timestamp, timestampOrNull } from '../../http/request/fields';

const archive = Joi.object({
  url: Joi.string().required().description('Of the archive, for anybody who has it.').example('https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795172400&signature=9f86d081'),
  url_expires_at: timestamp().required().description('An hour after the response; ask again for another URL.').example('2026-11-20T10:30:00.000Z'),
  size: Joi.number().integer().required().description('In bytes.').example(1_048_576),
  sha256: Joi.string().required().example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
});

export const exportSchema = Joi.object({
  id: Joi.string().required().example('exp_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().required().description('Internal id.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: Joi.string().valid('preparing', 'ready', 'expired').required().example('ready'),
  with_recordings: Joi.boolean().required().description('Whether recordings are in the archive: if the key that asked for it has submissions:write.').example(true),
  created_at: timestamp().required().example('2026-11-20T09:25:00.000Z'),
  ready_at: timestampOrNull('When the archive was complete.'),
  expires_at: timestampOrNull('When the archive is deleted: 7 days after it was complete.').example('2026-11-27T09:30:00.000Z'),
  archive: archive.allow(null).required().description('Null unless it is `ready` and the key may have it.'),
}).meta({ title: 'StudentExport' });
export type ExportResponse = SchemaType<typeof exportSchema>;
