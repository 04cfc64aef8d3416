import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { examples } from '../../../domain/exampleSchool';
import { facultyStatuses } from '../../../db/repositories/faculty/faculty';
import { licenseDays } from '../../../domain/licenses/limits';
import { idParams, paging, text, timestampOrNull, wholeNumber } from '../../http/request/fields';
import { loginEmailFilter } from '../../http/request/filters';
import { personLicenseSchema } from '../licenses/personLicense';

const exampleId = 'fac_01jd4k6f2mep2s5xg5yhc8m1zr';

export const facultyStatus = Joi.string().valid(...facultyStatuses);

const fullName = text(200).description('Shown in the apps.').example('Grace Hopper');
const externalId = text(100).allow(null).description("The institution's own (HR) identifier; need not be unique.").example('HR-204');

/** `{ id }` of a faculty member's path. */
export const facultyParams = idParams('Internal id or generated login email.', exampleId);

export const facultySchema = Joi.object({
  id: Joi.string().required().example(exampleId),
  login_email: Joi.string().required().description('What the teacher types to sign in.').example('faculty2.9f86d081@north.example'),
  full_name: Joi.string().required().example('Grace Hopper'),
  faculty_id: Joi.string().allow(null).required().description("The institution's own (HR) identifier.").example('HR-204'),
  status: facultyStatus.required().example('active'),
  is_admin: Joi.boolean().required().description('Whether this is the institution admin, who owns what nobody else is named for.').example(false),
  profile_completed: Joi.boolean()
    .required()
    .description("False until the first-login profile is complete; until then sign-in codes go to the admin's mailbox.")
    .example(true),
  license: personLicenseSchema.required(),
  erased_at: timestampOrNull('When the erasure of the member was requested; null otherwise.').example(null),
}).meta({ title: 'Faculty' });

/** What is other in a teacher's example than in a student's: the license. */
export const facultyExample = { license: examples.teacherLicense } as const;
export type FacultyResponse = SchemaType<typeof facultySchema>;

export const facultyQuery = Joi.object({
  email: loginEmailFilter('faculty').description('A login email. What is no address is a `validation_error`; an address that is nobody’s login email, such as a personal email, finds nobody.'),
  faculty_id: text(100).description("The institution's own identifier; all faculty members with it are returned."),
  status: facultyStatus.description('Only faculty with this status.'),
  ...paging,
});

export const newFacultySchema = Joi.object({
  full_name: fullName.required(),
  faculty_id: externalId,
  license_days: wholeNumber(licenseDays.min, licenseDays.max)
    .default(licenseDays.default)
    .description('How long the license runs, in days.')
    .example(365),
});

export const facultyChanges = Joi.object({
  full_name: fullName,
  faculty_id: externalId,
  status: facultyStatus.description('`suspended` ends their sessions at once; they can own nothing new until `active` again.').example('active'),
});
