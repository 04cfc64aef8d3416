import Joi from 'joi';
import { listOpenCurricula } from '../../../db/repositories/alphaCurricula';
import { endpoint } from '../../http/endpoint';
import { listOf, paging, presentPage, type Paging } from '../../http/fields';
import { presentCurriculum } from './curricula.presenter';
import { curriculumSchema } from './curricula.schemas';

export const curricula = [
  endpoint<Record<string, never>, Paging>({
    method: 'GET',
    path: '/alpha/curricula',
    operationId: 'listCurricula',
    tag: 'Alpha Learning',
    scope: 'alpha:read',
    summary: 'List the published curricula, shared ones and the institution\'s own, newest first.',
    request: { query: Joi.object<Paging>(paging) },
    response: listOf(curriculumSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads }) => presentPage(await listOpenCurricula(reads, query), query, presentCurriculum),
  }),
];
