import { listExams } from '../../../db/repositories/exams/exams';
import type { Transaction } from '../../../domain/context';
import { exampleTimes } from '../../../domain/exampleSchool';
import { closeExam, publishExam } from '../../../domain/exams/changeStatus';
import { createExam } from '../../../domain/exams/createExam';
import { readExamDetails } from '../../../domain/exams/readExamDetails';
import { removeExam } from '../../../domain/exams/removeExam';
import { updateExam } from '../../../domain/exams/updateExam';
import { operation, type Operation } from '../../http/operation';
import type { ExampleChanges } from '../../http/operationExample';
import { deleted, deletedSchema, listOf, presentPage } from '../../http/request/fields';
import { presentExam, presentExamSummary } from './exams.presenter';
import { examChanges, examParams, examQuery, examSchema, examSummarySchema, newExamSchema, type ExamResponse } from './exams.schemas';

const tag = 'Exams';

/** The counts of an exam that nobody has begun. */
const notStarted = { started: 0, submitted: 0, graded: 0, average_percentage: null };

const transitionOperation = (verb: string, response: ExampleChanges<ExamResponse>, command: (tx: Transaction, id: string) => Promise<unknown>, docs: { summary: string; description: string }): Operation =>
  operation({
    method: 'POST',
    path: `/exams/:id/${verb}`,
    operationId: `${verb}Exam`,
    tag,
    access: { key: 'exams:write' },
    ...docs,
    request: { params: examParams },
    response: examSchema,
    example: { response },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await command(tx, params.id);
      return presentExam(await readExamDetails(tx, params.id));
    },
  });

export const exams = [
  operation({
    method: 'GET',
    path: '/exams',
    operationId: 'listExams',
    tag,
    access: { key: 'exams:read' },
    summary: 'List exams, newest first.',
    description: 'Items have everything of an exam but `code_spec`, groups and stats, which GET /exams/{id} has.',
    request: { query: examQuery },
    response: listOf(examSummarySchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads }) => presentPage(await listExams(reads, query, query), query, presentExamSummary),
  }),
  operation({
    method: 'POST',
    path: '/exams',
    operationId: 'createExam',
    tag,
    access: { key: 'exams:write' },
    summary: 'Create an exam, published unless `publish` is false.',
    description:
      'A published exam with `group_ids` is assigned, announced and mailed at once; a draft when it is published. ' +
      'A group that is not of the institution: not_found, and nothing is created. A coding exam with hidden tests is created with ' +
      '`publish` false (otherwise `conflict`), and published once its code secret is set.',
    request: { body: newExamSchema },
    response: examSchema,
    example: {
      response: {
        status: 'draft', published_at: null, updated_at: exampleTimes.examCreated, stats: notStarted, code_secret_set: false,
      },
    },
    errors: ['not_found', 'conflict', 'invalid_faculty'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => presentExam(await readExamDetails(tx, await createExam(tx, body))),
  }),
  operation({
    method: 'GET',
    path: '/exams/:id',
    operationId: 'getExam',
    tag,
    access: { key: 'exams:read' },
    summary: 'Get an exam with its groups and stats.',
    request: { params: examParams },
    response: examSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads }) => presentExam(await readExamDetails(reads, params.id)),
  }),
  operation({
    method: 'PATCH',
    path: '/exams/:id',
    operationId: 'updateExam',
    tag,
    access: { key: 'exams:write' },
    summary: 'Change an exam; fields left out stay, `group_ids` replaces the assignments.',
    description:
      'Conflict: anything but title, due_date, allow_late_submission and late_penalty_percentage of a closed exam; max_score below a score ' +
      'that was given; another code_spec once an attempt has started; hidden tests in a published exam without its code secret. Groups newly assigned to a published exam are announced.',
    request: { params: examParams, body: examChanges },
    response: examSchema,
    errors: ['not_found', 'conflict', 'invalid_faculty'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => {
      await updateExam(tx, params.id, body);
      return presentExam(await readExamDetails(tx, params.id));
    },
  }),
  operation({
    method: 'DELETE',
    path: '/exams/:id',
    operationId: 'deleteExam',
    tag,
    access: { key: 'exams:write' },
    summary: 'Delete an exam that nobody has attempted, with its assignments.',
    description: 'Conflict once an attempt has started.',
    request: { params: examParams },
    response: deletedSchema('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await removeExam(tx, params.id);
      return deleted(params.id);
    },
  }),
  transitionOperation('publish', { status: 'published', stats: notStarted }, publishExam, {
    summary: 'Publish a draft: its groups see it, and their students and guardians are notified by mail.',
    description:
      'No-op for a published exam. Conflict for a closed exam, and for a draft with hidden tests but no code secret ' +
      '(PUT /exams/{id}/code-secret sets it).',
  }),
  transitionOperation('close', { status: 'closed', closed_at: '2026-11-22T16:00:00.000Z', updated_at: '2026-11-22T16:00:00.000Z' }, closeExam, {
    summary: 'Close a published exam: no attempt begins any more, and those in progress end.',
    description:
      'What is not handed in by then cannot be handed in any more, and nothing opens the exam again. To let those who are writing finish, set a `due_date` by which they can, ' +
      'with `allow_late_submission` false, and close the exam after it; GET /exams/{id}/attempts lists who is still in progress. Grading stays possible. A closed exam is answered as it is; a draft is a conflict.',
  }),
];
