import { createCurriculum, publishCurriculum, type NewCurriculum } from '../../../domain/alpha/curricula';
import { recordProgress, type ProgressReport } from '../../../domain/alpha/recordProgress';
import { platformOperation, type PlatformCaller } from '../../http/operation';
import type { IdParams } from '../../http/request/fields';
import { presentCurriculum } from './curricula.presenter';
import { curriculumDetailsSchema, curriculumParams, newCurriculumSchema } from './curricula.schemas';
import { presentProgress } from './progress.app.presenter';
import { progressSchema, progressReportSchema } from './progress.app.schemas';

const tag = 'Alpha Learning';

/** Whose curricula a caller writes: an admin their institution's, the platform those that are shared. */
const curriculumOwnerId = ({ institution }: PlatformCaller): string | null => institution?.id ?? null;

export const portalAlpha = [
  platformOperation<Record<string, never>, Record<string, never>, NewCurriculum>({
    method: 'POST',
    path: '/alpha/curricula',
    operationId: 'createCurriculum',
    tag,
    roles: ['platform', 'admin'],
    institution: 'caller_or_none',
    summary: 'Create a draft of a curriculum: shared by all where the platform does, otherwise the institution\'s own.',
    description: 'Concepts may require others of the same curriculum, without circles. An institution has at most 500 of its own: conflict beyond.',
    request: { body: newCurriculumSchema },
    response: curriculumDetailsSchema,
    errors: ['conflict', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ body, tx, principal }) => presentCurriculum(await createCurriculum(tx, curriculumOwnerId(principal), body)),
  }),
  platformOperation<IdParams>({
    method: 'POST',
    path: '/alpha/curricula/:id/publish',
    operationId: 'publishCurriculum',
    tag,
    roles: ['platform', 'admin'],
    institution: 'caller_or_none',
    summary: 'Publish a curriculum: from now on students can be enrolled in it.',
    description: 'The platform publishes shared curricula, an admin their institution\'s own. A published one is answered unchanged.',
    request: { params: curriculumParams },
    response: curriculumDetailsSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx, principal }) => presentCurriculum(await publishCurriculum(tx, curriculumOwnerId(principal), params.id)),
  }),
  platformOperation<Record<string, never>, Record<string, never>, ProgressReport>({
    method: 'POST',
    path: '/app/alpha/progress',
    operationId: 'recordProgress',
    tag: 'Apps',
    roles: ['student'],
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
