import Joi from 'joi';
import { changeAdminStatus, transferAdmin } from '../../../domain/faculty/changeAdmin';
import { operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { reference } from '../../http/request/fields';
import { presentFaculty } from '../faculty/faculty.presenter';
import { facultySchema, facultyStatus } from '../faculty/faculty.schemas';
import { institutionParams } from './institutions.staff.schemas';

const tag = 'Institutions';

const newStatusSchema = Joi.object({
  status: facultyStatus.required().description('`suspended` ends their sessions at once; they neither have the portal nor own anything new until `active` again.').example('active'),
}).required();

const successorSchema = Joi.object({
  faculty_id: reference().required().description("The new admin's internal id or login email.").example('faculty2.9f86d081@north.example'),
}).required();

/** Operations on the institution admin, who cannot be suspended or replaced by keys or developers; they hand the role over themselves. */
export const institutionAdmin = [
  operation({
    method: 'PATCH',
    path: '/institutions/:id/admin',
    operationId: 'updateInstitutionAdmin',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Suspend the admin of an institution, or make them active again.',
    description: 'The only way: PATCH of the faculty member with an API key answers `conflict`. The same status again changes nothing.',
    request: { params: institutionParams, body: newStatusSchema },
    response: facultySchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ body, caller, tx }) => presentFaculty(await changeAdminStatus(tx, body.status), caller.now),
  }),
  operation({
    method: 'POST',
    path: '/institutions/:id/admin',
    operationId: 'handOverInstitutionAdmin',
    tag,
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Make another faculty member the admin of an institution; answers the new admin.',
    description:
      'The admin before becomes a faculty member like any other and keeps status, license, groups and exams. Sign-in codes of faculty whose profile is ' +
      "incomplete go to the new admin's mailbox: their own, or the one that the institution was created with while its admin has not completed their profile; " +
      'without either `conflict`. Who is the admin already is answered unchanged. `invalid_faculty` when no active faculty member is named.',
    request: { params: institutionParams, body: successorSchema },
    response: facultySchema,
    errors: ['not_found', 'conflict', 'invalid_faculty', 'institution_not_approved'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, caller, tx }) => presentFaculty(await transferAdmin(tx, body.faculty_id), caller.now),
  }),
];
