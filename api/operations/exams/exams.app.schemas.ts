import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { timestamp } from '../../http/request/fields';
import { codeSpecFields, exampleTests, specParts } from './codeSpec.schemas';
import { studentExamFields } from './exams.schemas';

const file = Joi.object({
  id: Joi.string().required().example('file_01jd4k6f2mep2s5xg5yhc8m1zr'),
  url: Joi.string().required().description('Where the bytes are until then.').meta({ format: 'uri' }).example('https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795167060&signature=9f86d081'),
  url_expires_at: timestamp().required().example('2026-11-20T10:30:00.000Z'),
}).required();
export type SignedFile = SchemaType<typeof file>;

const parts = specParts(file);
const { rubric_md: _rubric, starter: _starter, sample_tests: _sample, hidden_tests: _hidden, ...seenFields } = codeSpecFields;

/** A coding spec whose files can be fetched. */
export const studentCodeSpecSchema = Joi.object({
  ...seenFields,
  starter: parts.starter.required(),
  sample_tests: parts.sample_tests.required().example(exampleTests),
  hidden_tests: parts.hidden_tests.required(),
})
  .description('What the app works by, its files with URLs that are valid for one hour. Null before the first attempt, and for a document exam.')
  .meta({ title: 'OpenedCodeSpec' });
export type StudentCodeSpecResponse = SchemaType<typeof studentCodeSpecSchema>;

/** An exam in its student's app. */
export const appExamSchema = Joi.object({ ...studentExamFields, code_spec: studentCodeSpecSchema.allow(null).required() })
  .meta({ title: 'AppExam' });
