import { readExamAnalytics } from '../../../db/repositories/exams/analytics';
import { listExamAttempts } from '../../../db/repositories/attempts/list';
import { listExamScores } from '../../../db/repositories/exams/scores';
import { requireExam } from '../../../domain/exams/requireExam';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { examParams } from './exams.schemas';
import { presentExamAnalytics, presentExamAttempt, presentExamScore } from './results.presenter';
import { examAnalyticsSchema, examAttemptSchema, examScoreSchema } from './results.schemas';

const tag = 'Exams';

export const results = [
  operation({
    method: 'GET',
    path: '/exams/:id/attempts',
    operationId: 'listExamAttempts',
    tag,
    access: { key: 'submissions:read' },
    summary: 'List the attempts at an exam: who started and when, the latest first.',
    request: { params: examParams, query: pagingQuery },
    response: listOf(examAttemptSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ params, query, reads }) => {
      await requireExam(reads, params.id);
      return presentPage(await listExamAttempts(reads, params.id, query), query, presentExamAttempt);
    },
  }),
  operation({
    method: 'GET',
    path: '/exams/:id/scores',
    operationId: 'listExamScores',
    tag,
    access: { key: 'submissions:read' },
    summary: 'List the students assigned to an exam with their scores, by login email.',
    description: 'Each student appears once, with the latest version of their submission; those without one are not_submitted.',
    request: { params: examParams, query: pagingQuery },
    response: listOf(examScoreSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ params, query, reads }) => {
      await requireExam(reads, params.id);
      return presentPage(await listExamScores(reads, params.id, query), query, presentExamScore);
    },
  }),
  operation({
    method: 'GET',
    path: '/exams/:id/analytics',
    operationId: 'getExamAnalytics',
    tag,
    access: { key: 'submissions:read' },
    summary: 'Get the analytics of an exam: statistics of its submissions and attempts.',
    description: 'Each student counts once, with the latest version of their submission, also after leaving the groups that the exam is assigned to.',
    request: { params: examParams },
    response: examAnalyticsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads }) => {
      await requireExam(reads, params.id);
      return presentExamAnalytics(await readExamAnalytics(reads, params.id));
    },
  }),
];
