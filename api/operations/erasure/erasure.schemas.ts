import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { exampleId, examples } from '../../../domain/exampleSchool';
import { erasureKinds, type ErasureKind } from '../../../db/repositories/erasure/erasures';
import { erasureSteps, removedAtOnce, storeNames } from '../../../domain/erasure/stores';
import { count, timestamp, timestampOrNull } from '../../http/request/fields';

const removedSchema = Joi.object({
  store: Joi.string().valid(...removedAtOnce, ...storeNames).required().example('sessions'),
  count: count.description('Rows that were deleted, or lost their text; files; payloads.').example(3),
  at: timestamp().required().description('When the last of it was removed, or when the search found nothing.').example('2026-11-20T09:30:01.000Z'),
});

const certificateSchema = Joi.object({
  text: Joi.string()
    .required()
    .description('JSON: the erasure, the person, and all of `removed`. Ids, counts and times alone.')
    .example('{"erasure":"erase_stu_01jd4k6f2mep2s5xg5yhc8m1zr:1"}'),
  sha256: Joi.string().required().description('Of `text`, in UTF-8; hexadecimal digits.').example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
});

export const erasureSchema = Joi.object({
  person: Joi.object({
    id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    kind: Joi.string().valid(...erasureKinds).required().example('student'),
  }).required(),
  status: Joi.string().valid('running', 'done').required().example('done'),
  workflow_id: Joi.string().required().description('For a question to support.').example('erase_stu_01jd4k6f2mep2s5xg5yhc8m1zr:1'),
  requested_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  completed_at: timestampOrNull('Null until the erasure is done.').example('2026-11-20T09:31:00.000Z'),
  progress: Joi.object({ done: count.example(erasureSteps), total: count.example(erasureSteps) })
    .required()
    .description('Stores that were gone through, or are being gone through, of all.'),
  removed: Joi.array().items(removedSchema).required().description('What was removed from each store so far.'),
  certificate: certificateSchema.required().allow(null).description('Null until the erasure is done.'),
}).meta({ title: 'Erasure' });

const exampleOf = <Kind extends ErasureKind>(kind: Kind, id: string) => {
  const workflowId = `erase_${id}:1`;
  return { person: { id, kind }, workflow_id: workflowId, certificate: { text: JSON.stringify({ erasure: workflowId }) } };
};

/** What is other in the example of an erasure by whom it erases; a guardian is the person behind the links. */
export const erasureExamples = { student: exampleOf('student', examples.student.id), faculty: exampleOf('faculty', examples.teacher.id), guardian: exampleOf('guardian', exampleId('usr')) };

export type ErasureResponse = SchemaType<typeof erasureSchema>;
