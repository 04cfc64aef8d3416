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
    summary: 'Report a student\'s progress on a concept; idempotent per `ref`.',
    description:
      'The best score counts. A concept is mastered from a score of 80 on; an enrollment is completed with its last concept. Minutes are added to the day, up to 1,440. ' +
      'Conflict for different progress under the same ref, while the enrollment is paused or withdrawn, and after 1,000 progress reports for a student in one day.',
    request: { body: progressReportSchema },
    response: progressSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ body, tx, principal }) => presentProgress(await recordProgress(tx, principal.actorId, body)),
  }),
];
