import Joi from 'joi';
import { maxEnrolmentCodes } from '../../../domain/signIn/enrolmentCode';
import { count, reference, timestamp } from '../../http/request/fields';

const codeFields = {
  id: Joi.string().required().description('The student.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  login_email: Joi.string().required().description('What the student types to sign in.').example('student1.9f86d081@north.example'),
  code: Joi.string().required().description('10 characters, shown in this answer alone; a new one replaces it.').example('7KHPW4RXCM'),
  expires_at: timestamp().required().description('30 days after it was made.').example('2026-12-20T09:30:00.000Z'),
};

export const enrolmentCodeSchema = Joi.object(codeFields).meta({ title: 'EnrolmentCode' });

export const enrolmentCodesBody = Joi.object({
  student_ids: Joi.array()
    .items(reference())
    .min(1)
    .max(maxEnrolmentCodes)
    .required()
    .description('1 to 200 students, by internal id or login email.')
    .example(['student1.9f86d081@north.example']),
}).required();

const index = Joi.number().integer().required().description('The place in the call, from 0.');

const created = Joi.object({ index: index.example(0), ...codeFields }).meta({ title: 'EnrolmentCodeCreated' });

const failed = Joi.object({
  index: index.example(1),
  error: Joi.string().valid('not_found', 'conflict').required().description('`conflict`: the personal email is mapped already, or the student is named twice in the call.').example('not_found'),
  message: Joi.string().required().description('What went wrong, for people.').example('No such student in this institution.'),
}).meta({ title: 'EnrolmentCodeFailed' });

export const enrolmentCodesSchema = Joi.object({
  created: count.description('How many codes were made.').example(1),
  failed: count.description('How many were not.').example(0),
  results: Joi.array()
    .items(Joi.alternatives().try(created, failed))
    .required()
    .description('One entry per student, in input order.')
    .example([{ index: 0, id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr', login_email: 'student1.9f86d081@north.example', code: '7KHPW4RXCM', expires_at: '2026-12-20T09:30:00.000Z' }]),
}).meta({ title: 'EnrolmentCodes' });
