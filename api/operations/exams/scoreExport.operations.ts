import { exportScores } from '../../../domain/exams/exportScores';
import { operation } from '../../http/operation';
import { examParams } from './exams.schemas';

const example = [
  'email,student_id,status,score,max_score,percentage,is_late,submitted_at,graded_at',
  'student1.9f86d081@north.example,SIS-1042,graded,80,100,72,true,2026-11-20T10:40:00.000Z,2026-11-21T08:00:00.000Z',
  'student2.60303ae2@north.example,SIS-1043,not_submitted,,100,,,,',
  '',
].join('\r\n');

export const scoreExport = [
  operation({
    method: 'GET',
    path: '/exams/:id/export.csv',
    operationId: 'exportExamScores',
    tag: 'Exams',
    access: { key: 'submissions:read' },
    summary: 'Export the scores of an exam as CSV, a record for each assigned student.',
    description:
      'RFC 4180 in UTF-8 with a header record, by login email. A student counts once, by the latest version of their submission; without one ' +
      'the status is `not_submitted`. `student_id` is the institution’s own. A text that a spreadsheet would run as a formula has an ' +
      'apostrophe in front. The answer is sent as it is made: where something fails in between, the connection is reset and the ' +
      'file is to be asked for again.',
    request: { params: examParams },
    response: { contentType: 'text/csv', description: 'The file, streamed.', example },
    errors: ['not_found'],
    transaction: 'none',
    reads: 'replica',
    discloses: 'many',
    handle: async ({ params, reads }) => ({ filename: `exam-${params.id}.csv`, pieces: exportScores(reads, params.id) }),
  }),
];
