import Joi from 'joi';
import { findStudentExam, listStudentExams } from '../../../db/repositories/exams/studentExams';
import { releaseToAttempt } from '../../../domain/codeSecrets/releaseSecret';
import { notFound } from '../../../domain/errors';
import { platformOperation } from '../../http/operation';
import { idParams, listOf, pagingQuery, presentPage, timestamp, type IdParams, type Paging } from '../../http/request/fields';
import { hiddenKey } from './codeSecrets.schemas';
import { presentStudentExam } from './exams.presenter';
import { examParams, studentExamSchema } from './exams.schemas';
import { presentStudentCodeSpec } from './codeSpec.app.presenter';
import { appExamSchema } from './exams.app.schemas';

const tag = 'Apps';

export const appExams = [
  platformOperation<Record<string, never>, Paging>({
    method: 'GET',
    path: '/app/exams',
    operationId: 'listAppExams',
    tag,
    roles: ['student'],
    institution: 'caller',
    summary: "List the exams that the session's student sees, newest first.",
    request: { query: pagingQuery },
    response: listOf(studentExamSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads, principal }) => presentPage(await listStudentExams(reads, principal.actorId, query), query, presentStudentExam),
  }),
  platformOperation<IdParams>({
    method: 'GET',
    path: '/app/exams/:id',
    operationId: 'getAppExam',
    tag,
    roles: ['student'],
    institution: 'caller',
    summary: 'Get an exam as its student sees it; the coding spec once an attempt has started.',
    description: 'The files of the coding spec come with URLs that are valid for one hour.',
    request: { params: examParams },
    response: appExamSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads, principal, caller, domain }) => {
      const row = await findStudentExam(reads, principal.actorId, params.id);
      if (row === undefined) throw notFound('exam');
      const visibleSpec = row.attempt_id === null ? null : row.code_spec;
      const spec = visibleSpec === null ? null : await presentStudentCodeSpec(reads, domain.files, visibleSpec, { studentId: principal.actorId, now: caller.now });
      return { ...presentStudentExam(row), code_spec: spec };
    },
  }),
  platformOperation<IdParams>({
    method: 'POST',
    path: '/app/attempts/:id/hidden-tests/release',
    operationId: 'releaseHiddenTests',
    tag,
    roles: ['student'],
    institution: 'caller',
    summary: 'Hand the key of the hidden tests to an attempt in progress, once.',
    description: 'Stamps hidden_released_at. Conflict the second time, when the attempt is over, and when the exam takes nothing more.',
    request: { params: idParams('The attempt.', 'att_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: Joi.object({ hidden_key_b64: hiddenKey, hidden_released_at: timestamp().required().example('2026-11-20T10:00:00.000Z') }),
    errors: ['not_found', 'no_secret', 'conflict'],
    transaction: 'write',
    handle: async ({ params, principal, tx }) => ({
      hidden_key_b64: await releaseToAttempt(tx, params.id, principal.actorId),
      hidden_released_at: tx.now.toISOString(),
    }),
  }),
];
