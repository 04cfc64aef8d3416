import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { rowErrors } from '../../../db/repositories/provisioning/batches';
import { newStudentSchema } from './students.schemas';

/** The body of a bulk call: each item is validated separately, so that an invalid one does not affect the others. */
export const bulkBodySchema = Joi.object({
  students: Joi.array()
    .items(Joi.any().meta({ documentedAs: newStudentSchema }))
    .min(1)
    .max(200)
    .required()
    .description('1 to 200 students, each with the fields of POST /students.')
    .example([
      { full_name: 'Ada Lovelace', student_id: 'SIS-1042' },
      { full_name: 'Alan Turing', student_id: 'SIS-1043', personal_email: 'alan@example.org' },
    ]),
});

const index = Joi.number().integer().required().description('The place in the call, from 0.');

const created = Joi.object({
  index: index.example(0),
  id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  login_email: Joi.string().required().description('What the student types to sign in.').example('student1.9f86d081@north.example'),
}).meta({ title: 'BulkStudentCreated' });

const failed = Joi.object({
  index: index.example(1),
  error: Joi.string()
    .valid(...rowErrors)
    .required()
    .description(
      '`validation_error`: `issues` names every problem. `conflict`: the personal email is mapped already, or an earlier item has it. ' +
        'With `unique_student_ids` also: the `student_id` is used already, or an earlier item has it; `existing` is that student. ' +
        '`internal_error`: not created in time, and not created later.',
    )
    .example('conflict'),
  message: Joi.string().required().description('What went wrong, for people.').example('personal_email is already used by another person in this institution.'),
  issues: Joi.array()
    .items(Joi.object({
      path: Joi.string().allow('').required().description('Where in the item, in dotted form; empty for the item itself.').example('license_days'),
      message: Joi.string().required().description('What would be right.').example('license_days must be a number'),
    }))
    .description('With `validation_error` only.'),
  existing: Joi.object({
    id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    login_email: Joi.string().required().example('student1.9f86d081@north.example'),
  }).description('With a `conflict` of the `student_id` only: the student who has it.'),
}).meta({ title: 'BulkStudentFailed' });

export const bulkResponseSchema = Joi.object({
  created: Joi.number().integer().required().description('How many students were created.').example(1),
  failed: Joi.number().integer().required().description('How many were not.').example(1),
  results: Joi.array().items(Joi.alternatives().try(created, failed)).required().description('One entry per item, in input order.').example([
    { index: 0, id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr', login_email: 'student1.9f86d081@north.example' },
    { index: 1, error: 'conflict', message: 'personal_email is already used by another person in this institution.' },
  ]),
}).meta({ title: 'BulkStudents' });
export type BulkStudentsResponse = SchemaType<typeof bulkResponseSchema>;
