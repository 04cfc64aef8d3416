import type { InstitutionScope } from '../../../db/database';
import { listKeys } from '../../../db/repositories/keys/keys';
import { createKey, type NewKey } from '../../../domain/keys/createKey';
import { revokeKey } from '../../../domain/keys/revokeKey';
import { platformOperation } from '../../http/operation';
import { listOf, pagingQuery, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { developerRoles } from '../../http/security/roles';
import { presentKey } from './keys.presenter';
import {
  createdKeySchema,
  keyParams,
  keySchema,
  keysQuery,
  newKeySchema,
  revokedKeySchema,
  type KeysQuery,
} from './keys.schemas';

const tag = 'Keys';

const listKeysPage = async (reads: InstitutionScope, page: Paging, now: Date): Promise<object> =>
  presentPage(await listKeys(reads, page), page, (key) => presentKey(key, now));

export const keys = [
  platformOperation<IdParams, Paging>({
    method: 'GET',
    path: '/institutions/:id/keys',
    operationId: 'listInstitutionKeys',
    tag,
    roles: developerRoles,
    institution: 'path',
    summary: "List an institution's keys, newest first, whatever their status.",
    request: { params: institutionParams, query: pagingQuery },
    response: listOf(keySchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: ({ query, reads, caller }) => listKeysPage(reads, query, caller.now),
  }),
  platformOperation<IdParams, Record<string, never>, NewKey>({
    method: 'POST',
    path: '/institutions/:id/keys',
    operationId: 'createKey',
    tag,
    roles: developerRoles,
    institution: 'path',
    summary: 'Create a key; the key itself is shown in this answer alone.',
    description: 'At most 25 active keys an institution: key_limit.',
    request: { params: institutionParams, body: newKeySchema },
    response: createdKeySchema,
    errors: ['not_found', 'institution_not_approved', 'invalid_scopes', 'key_limit'],
    transaction: 'write',
    handle: async ({ body, caller, tx }) => {
      const { key, apiKey } = await createKey(tx, caller.actor.id, body);
      return { ...presentKey(key, caller.now), api_key: apiKey };
    },
  }),
  platformOperation<IdParams>({
    method: 'DELETE',
    path: '/keys/:id',
    operationId: 'revokeKey',
    tag,
    roles: developerRoles,
    institution: 'key',
    summary: 'Revoke a key; its next request is refused. Revoking it again changes nothing.',
    request: { params: keyParams },
    response: revokedKeySchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await revokeKey(tx, params.id);
      return { id: params.id, deleted: true };
    },
  }),
  platformOperation<Record<string, never>, KeysQuery>({
    method: 'GET',
    path: '/keys',
    operationId: 'listKeys',
    tag,
    roles: developerRoles,
    institution: 'query',
    summary: "List the keys of the caller's institution, or of the one named.",
    description: 'The platform without institution_id: institution_required.',
    request: { query: keysQuery },
    response: listOf(keySchema),
    errors: ['institution_required', 'not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: ({ query, reads, caller }) => listKeysPage(reads, query, caller.now),
  }),
];
