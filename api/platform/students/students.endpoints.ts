import { listStudents, type StudentFilter } from '../../../db/repositories/students';
import { platformEndpoint } from '../../http/endpoint';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/fields';
import { presentStudent } from '../../resources/students/students.presenter';
import { studentQuery, studentSchema } from '../../resources/students/students.schemas';
import { institutionParams } from '../institutions/institutions.schemas';
import { adminRoles } from '../roles';

/** The students of an institution by the portal as by the API (section What the service does, rule 2): the same rows, shown alike. */
export const students = [
  platformEndpoint<IdParams, StudentFilter & Paging>({
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
