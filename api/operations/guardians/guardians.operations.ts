import { listGuardianLinks } from '../../../db/repositories/guardians/links';
import { inviteGuardian } from '../../../domain/guardians/inviteGuardian';
import { removeGuardian } from '../../../domain/guardians/removeGuardian';
import { resendInvitation } from '../../../domain/guardians/resendInvitation';
import { requireStudent } from '../../../domain/students/requireStudent';
import { operation } from '../../http/operation';
import { deleted, deletedSchema, listOf, pagingQuery, personParams, presentPage } from '../../http/request/fields';
import { presentGuardianLink } from './guardians.presenter';
import { guardianLinkSchema, guardianParams, guardianQuery, invitedExample, newGuardianSchema } from './guardians.schemas';

const tag = 'Guardians';

export const guardians = [
  operation({
    method: 'GET',
    path: '/guardians',
    operationId: 'listGuardians',
    tag,
    access: { key: 'guardians:read' },
    summary: 'List guardian links, newest first.',
    request: { query: guardianQuery },
    response: listOf(guardianLinkSchema),
    errors: [],
    transaction: 'none',
    discloses: { parameter: 'student_id' },
    handle: async ({ query, reads, domain, caller }) =>
      presentPage(await listGuardianLinks(reads, query, query), query, (row) => presentGuardianLink(domain.secrets, reads.institutionId, row, caller.now)),
  }),
  operation({
    method: 'POST',
    path: '/guardians',
    operationId: 'inviteGuardian',
    tag,
    access: { key: 'guardians:write' },
    summary: 'Link a guardian to a student, and invite them by mail.',
    description:
      'Emits guardian.invited. The email is sent after the response, and a reminder after 3 days; the invitation expires ' +
      'after 14 days and can be sent again. At most 20 guardians a student, and 10 invitations to one address within 24 hours: conflict.',
    request: { body: newGuardianSchema },
    response: guardianLinkSchema,
    example: { response: invitedExample },
    errors: ['not_found', 'already_added', 'user_inactive', 'conflict'],
    transaction: 'write',
    audit: { created: 'id', person: 'student_id' },
    handle: async ({ body, tx }) => presentGuardianLink(tx.secrets, tx.institutionId, await inviteGuardian(tx, body), tx.now),
  }),
  operation({
    method: 'POST',
    path: '/guardians/:id/resend',
    operationId: 'resendGuardianInvitation',
    tag,
    access: { key: 'guardians:write' },
    summary: 'Resend the invitation of a guardian link; valid for 14 days from now.',
    description:
      'The previous invitation is no longer valid, even if it was accepted. Conflict within 10 minutes of the previous invitation (the message says when ' +
      'it can be sent again), and after 10 invitations to the address within 24 hours. No event.',
    request: { params: guardianParams },
    response: guardianLinkSchema,
    example: { response: { ...invitedExample, invited_at: '2026-09-02T09:00:00.000Z', expires_at: '2026-09-16T09:00:00.000Z', updated_at: '2026-09-02T09:00:00.000Z' } },
    errors: ['not_found', 'already_verified', 'user_inactive', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentGuardianLink(tx.secrets, tx.institutionId, await resendInvitation(tx, params.id), tx.now),
  }),
  operation({
    method: 'DELETE',
    path: '/guardians/:id',
    operationId: 'removeGuardian',
    tag,
    access: { key: 'guardians:write' },
    summary: 'Remove a guardian from a student; their access to the student ends at once.',
    description: 'Removing the last link of a guardian ends their sessions. No event.',
    request: { params: guardianParams },
    response: deletedSchema('gdn_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await removeGuardian(tx, params.id);
      return deleted(params.id);
    },
  }),
  operation({
    method: 'GET',
    path: '/students/:id/guardians',
    operationId: 'listStudentGuardians',
    tag: 'Students',
    access: { key: 'guardians:read' },
    summary: 'List the guardians of a student, newest first.',
    request: { params: personParams, query: pagingQuery },
    response: listOf(guardianLinkSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads, domain, caller }) => {
      const student = await requireStudent(reads, params.id);
      const page = await listGuardianLinks(reads, { student_id: student.id }, query);
      return presentPage(page, query, (row) => presentGuardianLink(domain.secrets, reads.institutionId, row, caller.now));
    },
  }),
];
