import { exampleTimes } from '../../../domain/exampleSchool';
import { acceptNewestInvitation, signInGuardian } from '../../../domain/sandbox/actAsGuardian';
import { operation } from '../../http/operation';
import { presentGuardianLink } from '../guardians/guardians.presenter';
import { guardianLinkSchema, guardianParams, invitedExample } from '../guardians/guardians.schemas';

const tag = 'Sandbox';

export const sandboxGuardians = [
  operation({
    method: 'POST',
    path: '/sandbox/guardians/:id/accept',
    operationId: 'acceptSandboxInvitation',
    tag,
    access: { key: 'guardians:write', environment: 'test' },
    summary: 'Accept the newest invitation of a guardian link, as the link in its email does.',
    description: 'Conflict if it was accepted or has expired. No event: the first sign-in verifies the link.',
    request: { params: guardianParams },
    response: guardianLinkSchema,
    example: { response: { ...invitedExample, status: 'accepted', accepted_at: exampleTimes.guardianAccepted, updated_at: exampleTimes.guardianAccepted } },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentGuardianLink(tx.secrets, tx.institutionId, await acceptNewestInvitation(tx, params.id), tx.now),
  }),
  operation({
    method: 'POST',
    path: '/sandbox/guardians/:id/sign-in',
    operationId: 'signInSandboxGuardian',
    tag,
    access: { key: 'guardians:write', environment: 'test' },
    summary: 'Sign the guardian of a link in, as the code from their mailbox does.',
    description: 'Verifies every link that they have accepted (guardian.verified each). Conflict for a guardian who has accepted no invitation, or only expired ones.',
    request: { params: guardianParams },
    response: guardianLinkSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentGuardianLink(tx.secrets, tx.institutionId, await signInGuardian(tx, params.id), tx.now),
  }),
];
