import { listExamsOfOwner } from '../../../db/repositories/exams/exams';
import { findFaculty } from '../../../db/repositories/faculty/faculty';
import { listStudentExams } from '../../../db/repositories/exams/studentExams';
import { requireFound } from '../../../domain/errors';
import { requireStudent } from '../../../domain/students/requireStudent';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, personParams, presentPage } from '../../http/request/fields';
import { facultyParams } from '../faculty/faculty.schemas';
import { presentExamSummary, presentStudentExam } from './exams.presenter';
import { examSummarySchema, studentExamSchema } from './exams.schemas';

export const examsByPerson = [
  operation({
    method: 'GET',
    path: '/students/:id/exams',
    operationId: 'listStudentExams',
    tag: 'Students',
    access: { key: 'exams:read' },
    summary: 'List the exams that a student sees, with the state of their attempt and submission, newest first.',
    description: 'An exam is visible once it is published and assigned to a group that the student belongs to; a closed one stays visible.',
    request: { params: personParams, query: pagingQuery },
    response: listOf(studentExamSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads }) => {
      const student = await requireStudent(reads, params.id);
      return presentPage(await listStudentExams(reads, student.id, query), query, presentStudentExam);
    },
  }),
  operation({
    method: 'GET',
    path: '/faculty/:id/exams',
    operationId: 'listFacultyExams',
    tag: 'Faculty',
    access: { key: 'exams:read' },
    summary: 'List the exams that a faculty member owns, newest first.',
    request: { params: facultyParams, query: pagingQuery },
    response: listOf(examSummarySchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads }) => {
      const owner = requireFound(await findFaculty(reads, params.id), 'faculty member');
      return presentPage(await listExamsOfOwner(reads, owner.id, query), query, presentExamSummary);
    },
  }),
];
