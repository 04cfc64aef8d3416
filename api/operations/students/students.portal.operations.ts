import { listStudents, type StudentFilter } from '../../../db/repositories/students/students';
import { platformOperation } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentStudent } from './students.presenter';
import { studentQuery, studentSchema } from './students.schemas';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { adminRoles } from '../../http/security/roles';

/** The students of an institution by the portal as by the API (section What the service does, rule 2): the same rows, shown alike. */
export const portalStudents = [
  platformOperation<IdParams, StudentFilter & Paging>({
    method: 'GET',
    path: '/institutions/:id/students',
    operationId: 'listStudentsOfInstitution',
    tag: 'Students',
    roles: adminRoles,
    institution: 'path',
    summary: "List an institution's students, newest first.",
    request: { params: institutionParams, query: studentQuery },
    response: listOf(studentSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ query, reads, caller: { now } }) => presentPage(await listStudents(reads, query, query), query, (row) => presentStudent(row, now)),
  }),
];
