import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { enrollmentStatuses } from '../../../db/repositories/alpha/enrollments';
import { writableStatuses } from '../../../domain/alpha/changeEnrollment';
import { enrollmentLimits } from '../../../domain/alpha/enrollStudents';
import { idParams, paging, reference, timestamp, timestampOrNull, wholeNumber } from '../../http/request/fields';
import { personFilter } from '../../http/request/filters';

const exampleId = 'enr_01jd4k6f2mep2s5xg5yhc8m1zr';
const exampleStudentId = 'stu_01jd4k6f2mep2s5xg5yhc8m1zr';
const exampleCurriculumId = 'cur_01jd4k6f2mep2s5xg5yhc8m1zr';

/** `{ id }` of an enrollment's path. */
export const enrollmentParams = idParams('Id of the enrollment.', exampleId);

const { minutes, students } = enrollmentLimits;

/** The fields of an enrollment in every response. */
export const enrollmentFields = {
  id: Joi.string().required().example(exampleId),
  curriculum_id: Joi.string().required().example(exampleCurriculumId),
  student_id: Joi.string().required().description('Internal id.').example(exampleStudentId),
  status: Joi.string()
    .valid(...enrollmentStatuses)
    .required()
    .description('`completed` once every concept is mastered.')
    .example('active'),
  daily_target_minutes: Joi.number().integer().required().example(minutes.default),
  created_at: timestamp().required().example('2026-09-03T08:00:00.000Z'),
  updated_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  completed_at: timestampOrNull('Null unless it is completed.').example(null),
};

export const enrollmentSchema = Joi.object(enrollmentFields).meta({ title: 'Enrollment' });
export type EnrollmentResponse = SchemaType<typeof enrollmentSchema>;

export const enrollmentQuery = Joi.object({
  student_id: personFilter('student').description("The student's internal id or login email; a text in neither form is a `validation_error`.").example(exampleStudentId),
  ...paging,
});

export const enrollmentRequestSchema = Joi.object({
  curriculum_id: reference().required().description('A published curriculum.').example(exampleCurriculumId),
  student_ids: Joi.array()
    .items(reference())
    .max(students)
    .required()
    .description('By internal id or login email; unknown, foreign, repeated and suspended ones are skipped. `no_valid_students` when all are.')
    .example([exampleStudentId, 'student2.60303ae2@north.example']),
  daily_target_minutes: wholeNumber(minutes.min, minutes.max)
    .description(`Minutes a day that count towards the streak; ${minutes.default} without it.`)
    .example(minutes.default),
}).required();

const count = (description: string) => Joi.number().integer().required().description(description).example(1);

export const enrollmentResultSchema = Joi.object({
  enrolled: count('Enrollments that are new.'),
  already_enrolled: count('Enrollments that existed before and stay unchanged.').example(0),
  skipped: count('Entries of `student_ids` without an enrollment.'),
  unknown_students: Joi.array()
    .items(Joi.string())
    .required()
    .description('Those of them that are neither the internal id nor the login email of a student of the institution: as sent, each once. The others are repeated or suspended.')
    .example(['W-1042']),
  enrollments: Joi.array().items(enrollmentSchema).required().description('Of all students who were not skipped.'),
}).meta({ title: 'Enrolled' });
export type EnrollmentResultResponse = SchemaType<typeof enrollmentResultSchema>;

export const enrollmentChange = Joi.object({
  status: Joi.string()
    .valid(...writableStatuses)
    .required()
    .description('`completed` is reached by mastering every concept.')
    .example('paused'),
}).required();
