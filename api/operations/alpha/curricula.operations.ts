import { findOpenCurriculum, listOpenCurricula } from '../../../db/repositories/alpha/curricula';
import { notFound } from '../../../domain/errors';
import { publicOperation } from '../../http/operation';
import { listOf, pagingQuery, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentCurriculum, presentListedCurriculum } from './curricula.presenter';
import { curriculumDetailsSchema, curriculumParams, curriculumSchema } from './curricula.schemas';

const tag = 'Alpha Learning';

export const curricula = [
  publicOperation<Record<string, never>, Paging>({
    method: 'GET',
    path: '/alpha/curricula',
    operationId: 'listCurricula',
    tag,
    scope: 'alpha:read',
    summary: 'List the published curricula, shared ones and the institution\'s own, newest first.',
    description: 'Without their concepts, which `GET /alpha/curricula/{id}` has.',
    request: { query: pagingQuery },
    response: listOf(curriculumSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads }) => presentPage(await listOpenCurricula(reads, query), query, presentListedCurriculum),
  }),
  publicOperation<IdParams>({
    method: 'GET',
    path: '/alpha/curricula/:id',
    operationId: 'getCurriculum',
    tag,
    scope: 'alpha:read',
    summary: 'Get a published curriculum, shared or the institution\'s own, with its concepts.',
    request: { params: curriculumParams },
    response: curriculumDetailsSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads }) => {
      const curriculum = await findOpenCurriculum(reads, params.id);
      if (curriculum === undefined) throw notFound('curriculum');
      return presentCurriculum(curriculum);
    },
  }),
];
