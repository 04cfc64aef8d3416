import { listDevelopers, type DeveloperRow } from '../../../db/repositories/developers/developers';
import type { Caller, Domain, Transaction } from '../../../domain/context';
import type { InstitutionScope } from '../../../db/database';
import { acceptInvitation } from '../../../domain/developers/acceptInvitation';
import { reactivateDeveloper, revokeDeveloper, suspendDeveloper } from '../../../domain/developers/changeStatus';
import { inviteDeveloper } from '../../../domain/developers/inviteDeveloper';
import { limitScopes } from '../../../domain/developers/limitScopes';
import { resendInvitation } from '../../../domain/developers/resendInvitation';
import type { ErrorCode } from '../../../domain/errors';
import { operation, type Operation } from '../../http/operation';
import { listOf, pagingQuery, presentPage, type Paging } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { adminAccess } from '../../http/security/roles';
import { presentDeveloper } from './developers.presenter';
import {
  acceptedDeveloperSchema,
  developerChanges,
  developerAcceptanceSchema,
  developerParams,
  developerSchema,
  developersQuery,
  newDeveloperSchema,
  suspensionSchema,
} from './developers.schemas';

const tag = 'Developers';

const listDevelopersPage = async ({ secrets }: Domain, reads: InstitutionScope, page: Paging, now: Date) =>
  presentPage(await listDevelopers(reads, page), page, (row) => presentDeveloper(secrets, reads.institutionId, row, now));

/** An action on a developer without a body. */
const transitionOperation = (
  verb: string,
  operationId: string,
  docs: { summary: string; description: string; errors: readonly ErrorCode[] },
  command: (tx: Transaction, id: string, caller: Caller) => Promise<DeveloperRow>,
): Operation =>
  operation({
    method: 'POST',
    path: `/developers/:id/${verb}`,
    operationId,
    tag,
    access: adminAccess,
    institution: { owns: 'developer', id: ({ params }) => params.id },
    ...docs,
    request: { params: developerParams },
    response: developerSchema,
    errors: ['not_found', 'institution_not_approved', ...docs.errors],
    transaction: 'write',
    handle: async ({ params, tx, caller }) => presentDeveloper(tx.secrets, tx.institutionId, await command(tx, params.id, caller), tx.now),
  });

export const developers = [
  operation({
    method: 'GET',
    path: '/institutions/:id/developers',
    operationId: 'listInstitutionDevelopers',
    tag,
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: "List an institution's developers in any status, newest first.",
    request: { params: institutionParams, query: pagingQuery },
    response: listOf(developerSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'many',
    handle: ({ query, reads, domain, caller }) => listDevelopersPage(domain, reads, query, caller.now),
  }),
  operation({
    method: 'POST',
    path: '/institutions/:id/developers',
    operationId: 'inviteDeveloper',
    tag,
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Invite a developer by mail, for 7 days.',
    description:
      'The email is sent after the response. The address of an existing developer (invited, expired, active or suspended): already_added; ' +
      'a revoked developer is invited again, under the same id. An address that is a login email of the institution: validation_error. Beyond the ' +
      "institution's daily quota of emails to new addresses: conflict.",
    request: { params: institutionParams, body: newDeveloperSchema },
    response: developerSchema,
    errors: ['not_found', 'institution_not_approved', 'already_added', 'conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx, caller }) => presentDeveloper(tx.secrets, tx.institutionId, await inviteDeveloper(tx, caller.actor.id, body), tx.now),
  }),
  transitionOperation(
    'resend',
    'resendDeveloperInvitation',
    {
      summary: 'Resend the invitation of a developer who has not accepted; valid for 7 days from now.',
      description: 'The link of the previous email is no longer valid. Conflict: the developer has accepted, or is revoked.',
      errors: ['conflict'],
    },
    (tx, id, caller) => resendInvitation(tx, caller.actor.id, id),
  ),
  operation({
    method: 'POST',
    path: '/developers/:id/suspend',
    operationId: 'suspendDeveloper',
    tag,
    access: { ...adminAccess, duringOffboarding: true },
    institution: { owns: 'developer', id: ({ params }) => params.id },
    summary: 'Suspend a developer: their sessions end, and every key they created is revoked.',
    description:
      'With `keep_keys` their keys stay valid. A suspended developer stays so; without `keep_keys` keys that were kept are revoked then. Conflict: they have not ' +
      'accepted yet, or are revoked.',
    request: { params: developerParams, body: suspensionSchema },
    response: developerSchema,
    errors: ['not_found', 'institution_not_approved', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) =>
      presentDeveloper(tx.secrets, tx.institutionId, await suspendDeveloper(tx, params.id, body.keep_keys ? 'kept' : 'revoked'), tx.now),
  }),
  transitionOperation(
    'reactivate',
    'reactivateDeveloper',
    {
      summary: 'Let a suspended developer in again.',
      description: 'The developer has to sign in again; revoked keys stay revoked. No-op for an active developer. Conflict: they have not accepted yet, or are revoked.',
      errors: ['conflict'],
    },
    reactivateDeveloper,
  ),
  transitionOperation(
    'revoke',
    'revokeDeveloper',
    {
      summary: 'Revoke a developer, or an invitation that is not accepted.',
      description: 'Their sessions end, every key they created is revoked, and the link of their invitation email is no longer valid. No-op for a revoked developer.',
      errors: [],
    },
    revokeDeveloper,
  ),
  operation({
    method: 'PATCH',
    path: '/developers/:id',
    operationId: 'updateDeveloper',
    tag,
    access: adminAccess,
    institution: { owns: 'developer', id: ({ params }) => params.id },
    summary: 'Set the scopes that the keys of a developer may use at most.',
    description:
      'It holds for every key that they created or will create, from its next request on: a call outside answers insufficient_scope, and names the ceiling. ' +
      'The keys keep their scopes; null lifts the ceiling.',
    request: { params: developerParams, body: developerChanges },
    response: developerSchema,
    errors: ['not_found', 'institution_not_approved', 'invalid_scopes'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentDeveloper(tx.secrets, tx.institutionId, await limitScopes(tx, params.id, body.scope_ceiling), tx.now),
  }),
  operation({
    method: 'GET',
    path: '/developers',
    operationId: 'listDevelopers',
    tag,
    access: adminAccess,
    institution: { named: ({ query }) => query.institution_id },
    summary: "List the developers of the caller's institution, or of the one named.",
    description: 'The platform without institution_id: institution_required.',
    request: { query: developersQuery },
    response: listOf(developerSchema),
    errors: ['institution_required', 'not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'many',
    handle: ({ query, reads, domain, caller }) => listDevelopersPage(domain, reads, query, caller.now),
  }),
  operation({
    method: 'POST',
    path: '/invitations/accept',
    operationId: 'acceptDeveloperInvitation',
    tag,
    access: { public: true },
    institution: 'none',
    summary: 'Accept a developer invitation with the token from its email.',
    description: 'The developer then signs in by code with the address that the email was sent to. Conflict: used, expired, revoked, or replaced by a newer one.',
    request: { body: developerAcceptanceSchema },
    response: acceptedDeveloperSchema,
    errors: ['not_found', 'conflict', 'institution_not_approved', 'rate_limiter_unavailable'],
    transaction: 'none',
    handle: async ({ body, domain, caller }) => {
      const developer = await acceptInvitation(domain, body.token, caller.now);
      return { id: developer.id, status: developer.status, institution: { id: developer.institution_id, name: developer.institution_name } };
    },
  }),
];
