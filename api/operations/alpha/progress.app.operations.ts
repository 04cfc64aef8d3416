import { recordProgress } from '../../../domain/alpha/recordProgress';
import { operation } from '../../http/operation';
import { presentProgress } from './progress.app.presenter';
import { progressReportSchema, progressSchema } from './progress.app.schemas';

export const progress = [
  operation({
    method: 'POST',
    path: '/app/alpha/progress',
    operationId: 'recordProgress',
    tag: 'Apps',
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Tell of a student\'s work on a concept; once a `ref`.',
    description:
      'The best score counts; a concept is mastered from 80 on, and an enrollment completed with its last concept. Minutes add up to the day, 1,440 at most. ' +
      'Conflict for other progress under the same ref, while the enrollment is paused or withdrawn, and once a student\'s day has 1,000 tellings.',
    request: { body: progressReportSchema },
    response: progressSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ body, tx, principal }) => presentProgress(await recordProgress(tx, principal.actorId, body)),
  }),
];
