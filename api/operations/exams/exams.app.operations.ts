import { findStudentExam, listStudentExams } from '../../../db/repositories/exams/studentExams';
import { toRealTime } from '../../../domain/clock';
import { requireFound } from '../../../domain/errors';
import { signSpecFiles } from '../../../domain/exams/signSpecFiles';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { presentStudentExam } from './exams.presenter';
import { examParams, studentExamSchema } from './exams.schemas';
import { presentStudentCodeSpec } from './codeSpec.app.presenter';
import { appExamSchema } from './exams.app.schemas';

const tag = 'Apps';

export const appExams = [
  operation({
    method: 'GET',
    path: '/app/exams',
    operationId: 'listAppExams',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: "List the exams that the session's student sees, newest first.",
    request: { query: pagingQuery },
    response: listOf(studentExamSchema),
    errors: [],
    transaction: 'none',
    discloses: 'caller',
    handle: async ({ query, reads, principal }) => presentPage(await listStudentExams(reads, principal.actorId, query), query, presentStudentExam),
  }),
  operation({
    method: 'GET',
    path: '/app/exams/:id',
    operationId: 'getAppExam',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Get an exam as its student sees it; the coding spec once an attempt has started.',
    description: 'The files of the coding spec come with URLs that are valid for one hour.',
    request: { params: examParams },
    response: appExamSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'caller',
    handle: async ({ params, reads, principal, caller, domain }) => {
      const row = requireFound(await findStudentExam(reads, principal.actorId, params.id), 'exam');
      const visibleSpec = row.attempt_id === null ? null : row.code_spec;
      const signed = await signSpecFiles(reads, domain.files, visibleSpec, { studentId: principal.actorId, now: toRealTime(caller, caller.now) });
      return { ...presentStudentExam(row), code_spec: signed && presentStudentCodeSpec(signed) };
    },
  }),
];
