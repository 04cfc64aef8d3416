import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { wantedStatuses } from '../../../domain/students/transitions';
import { userStatuses } from '../../../db/entities/user';
import { licenseDays } from '../../../domain/licenses/limits';
import { emailAddress, paging, text, timestamp, timestampOrNull, wholeNumber } from '../../http/request/fields';
import { idFilter, loginEmailFilter, sinceDateTime } from '../../http/request/filters';
import { personLicenseSchema } from '../licenses/personLicense';

const studentStatus = Joi.string().valid(...userStatuses);

const fullName = text(200).allow(null).description('Shown in the apps.').example('Ada Lovelace');
const externalId = text(100).allow(null).description("The institution's own (SIS) identifier; need not be unique unless the config has `unique_student_ids`.").example('SIS-1042');
const personalEmail = emailAddress().description('Write-only: one-time codes and announcements of exams go there. Never returned. A login email of the institution has no mailbox: validation_error.').example('ada@example.org');

export const studentSchema = Joi.object({
  id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  email: Joi.string().required().description('The same value as login_email.').example('student1.9f86d081@north.example'),
  login_email: Joi.string().required().description('What the student types to sign in.').example('student1.9f86d081@north.example'),
  user_type: Joi.string().valid('institution_student').required().example('institution_student'),
  full_name: Joi.string().allow(null).required().example('Ada Lovelace'),
  student_id: Joi.string().allow(null).required().description("The institution's own (SIS) identifier.").example('SIS-1042'),
  status: studentStatus.required().example('active'),
  personal_email_mapped: Joi.boolean().required().description('Whether a personal email is mapped.').example(true),
  license: personLicenseSchema.required(),
  created_at: timestamp().required().example('2026-09-01T08:00:00.000Z'),
  updated_at: timestamp()
    .required()
    .description('When the name, `student_id`, status or mapped personal email last changed; the license does not count.')
    .example('2026-09-01T09:30:00.000Z'),
  erased_at: timestampOrNull('When the erasure of the student was requested; null otherwise.').example(null),
}).meta({ title: 'Student' });
export type StudentResponse = SchemaType<typeof studentSchema>;

export const studentQuery = Joi.object({
  email: loginEmailFilter('student').description('A login email. What is no address is a `validation_error`; an address that is nobody’s login email, such as a personal email, finds nobody.'),
  status: studentStatus.description('Only students with this status.'),
  student_id: text(100).description("The institution's own identifier; all students with it are returned."),
  group_id: idFilter('grp').description('Members of this group.'),
  updated_since: sinceDateTime(
    'Inclusive, of `updated_at`. Ask from five minutes before the newest `updated_at` that you have seen: changes bear the moment at which their call began.',
  ).example('2026-09-01T00:00:00Z'),
  ...paging,
});

/** The body of one new student; the same for one at a time and in bulk. */
export const newStudentSchema = Joi.object({
  full_name: fullName,
  student_id: externalId,
  personal_email: personalEmail.allow(null),
  license_days: wholeNumber(licenseDays.min, licenseDays.max)
    .default(licenseDays.default)
    .description('How long the license runs, in days.')
    .example(365),
});

export const studentChanges = Joi.object({
  full_name: fullName,
  student_id: externalId,
  status: Joi.string().valid(...wantedStatuses).description('`active` reactivates a suspended student; a pending one stays pending.').example('active'),
  personal_email: personalEmail,
});
