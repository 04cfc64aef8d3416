import type { InstitutionScope } from '../../../db/database';
import { listKeys } from '../../../db/repositories/keys/keys';
import { createKey } from '../../../domain/keys/createKey';
import { revokeKey } from '../../../domain/keys/revokeKey';
import { operation } from '../../http/operation';
import { deleted, listOf, pagingQuery, presentPage, type Paging } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { developerAccess } from '../../http/security/roles';
import { presentKey } from './keys.presenter';
import {
  createdKeySchema,
  keyParams,
  keySchema,
  keysQuery,
  newKeySchema,
  revokedKeySchema,
} from './keys.schemas';

const tag = 'Keys';

const listKeysPage = async (reads: InstitutionScope, page: Paging, now: Date) =>
  presentPage(await listKeys(reads, page), page, (key) => presentKey(key, now));

export const keys = [
  operation({
    method: 'GET',
    path: '/institutions/:id/keys',
    operationId: 'listInstitutionKeys',
    tag,
    access: developerAccess,
    institution: { named: ({ params }) => params.id },
    summary: "List an institution's keys and those of its sandbox in any status, newest first.",
    request: { params: institutionParams, query: pagingQuery },
    response: listOf(keySchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: ({ query, reads, caller }) => listKeysPage(reads, query, caller.now),
  }),
  operation({
    method: 'POST',
    path: '/institutions/:id/keys',
    operationId: 'createKey',
    tag,
    access: developerAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Create a key; the key itself is shown in this answer alone.',
    description: 'At most 25 active keys an institution, and as many test keys: key_limit. A sandbox has no keys of its own: conflict.',
    request: { params: institutionParams, body: newKeySchema },
    response: createdKeySchema,
    errors: ['not_found', 'institution_not_approved', 'invalid_scopes', 'key_limit', 'conflict'],
    transaction: 'write',
    audit: { created: 'key_id' },
    handle: async ({ body, caller, tx }) => {
      const { key, apiKey } = await createKey(tx, caller.actor.id, body);
      return { ...presentKey(key, caller.now), api_key: apiKey };
    },
  }),
  operation({
    method: 'DELETE',
    path: '/keys/:id',
    operationId: 'revokeKey',
    tag,
    access: { ...developerAccess, duringOffboarding: true },
    institution: { owns: 'key', id: ({ params }) => params.id },
    summary: 'Revoke a key; its next request is refused. Revoking it again changes nothing.',
    request: { params: keyParams },
    response: revokedKeySchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await revokeKey(tx, params.id);
      return deleted(params.id);
    },
  }),
  operation({
    method: 'GET',
    path: '/keys',
    operationId: 'listKeys',
    tag,
    access: developerAccess,
    institution: { named: ({ query }) => query.institution_id },
    summary: "List the keys of the caller's institution, or of the one named.",
    description: 'The platform without institution_id: institution_required.',
    request: { query: keysQuery },
    response: listOf(keySchema),
    errors: ['institution_required', 'not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: ({ query, reads, caller }) => listKeysPage(reads, query, caller.now),
  }),
];
