import { findOpenCurriculum, listOpenCurricula } from '../../../db/repositories/alpha/curricula';
import { requireFound } from '../../../domain/errors';
import { createCurriculum, publishCurriculum } from '../../../domain/alpha/curricula';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, presentPage } from '../../http/request/fields';
import type { PlatformCaller } from '../../http/access';
import { adminAccess } from '../../http/security/roles';
import { presentCurriculum, presentListedCurriculum } from './curricula.presenter';
import { curriculumDetailsSchema, curriculumParams, curriculumSchema, newCurriculumSchema } from './curricula.schemas';

const tag = 'Alpha Learning';

export const curricula = [
  operation({
    method: 'GET',
    path: '/alpha/curricula',
    operationId: 'listCurricula',
    tag,
    access: { key: 'alpha:read' },
    summary: 'List the published curricula, shared ones and the institution\'s own, newest first.',
    description: 'Without their concepts, which `GET /alpha/curricula/{id}` has.',
    request: { query: pagingQuery },
    response: listOf(curriculumSchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads }) => presentPage(await listOpenCurricula(reads, query), query, presentListedCurriculum),
  }),
  operation({
    method: 'GET',
    path: '/alpha/curricula/:id',
    operationId: 'getCurriculum',
    tag,
    access: { key: 'alpha:read' },
    summary: 'Get a published curriculum, shared or the institution\'s own, with its concepts.',
    request: { params: curriculumParams },
    response: curriculumDetailsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads }) => {
      const curriculum = requireFound(await findOpenCurriculum(reads, params.id), 'curriculum');
      return presentCurriculum(curriculum);
    },
  }),
];

/** Returns the owner of the curricula that a caller writes: an admin's institution, or null for the platform's shared curricula. */
const curriculumOwnerId = ({ institution }: PlatformCaller): string | null => institution?.id ?? null;

export const curriculumDrafts = [
  operation({
    method: 'POST',
    path: '/alpha/curricula',
    operationId: 'createCurriculum',
    tag,
    access: adminAccess,
    institution: 'caller_or_none',
    summary: 'Create a draft of a curriculum: shared by all where the platform does, otherwise the institution\'s own.',
    description: 'Concepts may require others of the same curriculum, without circles. An institution has at most 500 of its own: conflict beyond.',
    request: { body: newCurriculumSchema },
    response: curriculumDetailsSchema,
    errors: ['conflict', 'institution_not_approved'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx, principal }) => presentCurriculum(await createCurriculum(tx, curriculumOwnerId(principal), body)),
  }),
  operation({
    method: 'POST',
    path: '/alpha/curricula/:id/publish',
    operationId: 'publishCurriculum',
    tag,
    access: adminAccess,
    institution: 'caller_or_none',
    summary: 'Publish a curriculum: from now on students can be enrolled in it.',
    description: 'The platform publishes shared curricula, an admin their institution\'s own. A published one is answered unchanged.',
    request: { params: curriculumParams },
    response: curriculumDetailsSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx, principal }) => presentCurriculum(await publishCurriculum(tx, curriculumOwnerId(principal), params.id)),
  }),
];
