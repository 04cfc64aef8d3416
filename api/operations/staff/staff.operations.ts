import { findStaff, listStaff } from '../../../db/repositories/staff/staff';
import { listStaffTokens } from '../../../db/repositories/staff/tokens';
import { DomainError, requireFound } from '../../../domain/errors';
import { addStaff } from '../../../domain/staff/addStaff';
import { revokeStaff } from '../../../domain/staff/revokeStaff';
import { createStaffToken, revokeStaffToken } from '../../../domain/staff/tokens';
import { updateStaff } from '../../../domain/staff/updateStaff';
import type { PlatformCaller } from '../../http/access';
import { operation } from '../../http/operation';
import { deleted, listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { newStaffSchema, newStaffTokenSchema, staffChangesSchema } from '../../http/request/staffBodies';
import { presentStaff, presentStaffToken } from './staff.presenter';
import {
  createdStaffTokenSchema, revokedStaffSchema, revokedStaffTokenSchema, staffParams, staffQuery, staffSchema, staffTokenParams, staffTokenSchema,
} from './staff.schemas';

const tag = 'Staff';

/** `forbidden` for support staff who name somebody else. */
function requireOwnTokens({ role, actorId }: PlatformCaller, staffId: string): void {
  if (role === 'support' && actorId !== staffId) throw new DomainError('forbidden', `The role support has its own tokens only: yours are those of ${actorId}.`);
}

export const staff = [
  operation({
    method: 'POST',
    path: '/staff',
    operationId: 'addStaff',
    tag,
    access: { staff: true },
    institution: 'none',
    summary: 'Add a person to the staff of the platform.',
    description:
      'Roles: `support` sees what the support console shows and sends deliveries again; `operator` does what the platform token does. The email of a revoked person lets ' +
      'them in again, under the same id and without their earlier tokens.',
    request: { body: newStaffSchema },
    response: staffSchema,
    errors: ['already_added', 'conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx, caller }) => presentStaff(await addStaff(tx, caller.actor.id, body)),
  }),
  operation({
    method: 'GET',
    path: '/staff',
    operationId: 'listStaff',
    tag,
    access: { staff: true },
    institution: 'none',
    summary: 'List the staff, revoked people too, newest first.',
    request: { query: staffQuery },
    response: listOf(staffSchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, domain }) => presentPage(await listStaff(domain.database.sql, query, query), query, presentStaff),
  }),
  operation({
    method: 'GET',
    path: '/staff/me',
    operationId: 'getOwnStaffMember',
    tag,
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Get the person whose personal token the call has.',
    description: '`not_found` for the platform token, which belongs to no person.',
    response: staffSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ domain, principal }) => {
      if (principal.role === 'platform') throw new DomainError('not_found', 'The platform token belongs to no person of the staff; a personal token does.');
      return presentStaff(requireFound(await findStaff(domain.database.sql, principal.actorId), 'person of the staff', { within: 'service' }));
    },
  }),
  operation({
    method: 'GET',
    path: '/staff/:id',
    operationId: 'getStaff',
    tag,
    access: { staff: true },
    institution: 'none',
    summary: 'Get a person of the staff.',
    request: { params: staffParams },
    response: staffSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, domain }) => presentStaff(requireFound(await findStaff(domain.database.sql, params.id), 'person of the staff', { within: 'service' })),
  }),
  operation({
    method: 'PATCH',
    path: '/staff/:id',
    operationId: 'updateStaff',
    tag,
    access: { staff: true },
    institution: 'none',
    summary: 'Update name, email or role of a person; the role counts from their next request on.',
    description: 'Conflict: they are revoked, or somebody else has the email.',
    request: { params: staffParams, body: staffChangesSchema.required() },
    response: staffSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentStaff(await updateStaff(tx, params.id, body)),
  }),
  operation({
    method: 'DELETE',
    path: '/staff/:id',
    operationId: 'revokeStaff',
    tag,
    access: { staff: true },
    institution: 'none',
    summary: 'Revoke a person: their tokens and their sessions of the console end at once.',
    description: 'They cannot sign in any more, by the identity provider neither. Revoking them again changes nothing.',
    request: { params: staffParams },
    response: revokedStaffSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await revokeStaff(tx, params.id);
      return deleted(params.id);
    },
  }),
  operation({
    method: 'POST',
    path: '/staff/:id/tokens',
    operationId: 'createStaffToken',
    tag,
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Create a personal token; the token itself is shown in this answer alone.',
    description: 'At most 10 live tokens a person: conflict, as for a revoked person. The role `support` has its own tokens only.',
    request: { params: staffParams, body: newStaffTokenSchema },
    response: createdStaffTokenSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ params, body, tx, caller, principal }) => {
      requireOwnTokens(principal, params.id);
      const { row, token } = await createStaffToken(tx, caller.actor.id, params.id, body);
      return { ...presentStaffToken(row, caller.now), staff_token: token };
    },
  }),
  operation({
    method: 'GET',
    path: '/staff/:id/tokens',
    operationId: 'listStaffTokens',
    tag,
    access: { staff: true, support: true },
    institution: 'none',
    summary: "List a person's tokens in any status, newest first.",
    request: { params: staffParams, query: pagingQuery },
    response: listOf(staffTokenSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, query, domain, caller, principal }) => {
      requireOwnTokens(principal, params.id);
      requireFound(await findStaff(domain.database.sql, params.id), 'person of the staff', { within: 'service' });
      return presentPage(await listStaffTokens(domain.database.sql, params.id, query), query, (row) => presentStaffToken(row, caller.now));
    },
  }),
  operation({
    method: 'DELETE',
    path: '/staff/:id/tokens/:token_id',
    operationId: 'revokeStaffToken',
    tag,
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Revoke a personal token: its next request is refused, and the sessions of the console that it began end.',
    description: 'Revoking it again changes nothing.',
    request: { params: staffTokenParams },
    response: revokedStaffTokenSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx, principal }) => {
      requireOwnTokens(principal, params.id);
      await revokeStaffToken(tx, params.id, params.token_id);
      return deleted(params.token_id);
    },
  }),
];
