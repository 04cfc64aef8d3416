import { createCurriculum, publishCurriculum } from '../../../domain/alpha/curricula';
import { recordProgress } from '../../../domain/alpha/recordProgress';
import { requireAppStudent } from '../../../domain/sandbox/requireAppStudent';
import { signInStudent } from '../../../domain/sandbox/signInStudent';
import { requireLicensed } from '../../../domain/signIn/completeSignIn';
import { operation } from '../../http/operation';
import { personParams } from '../../http/request/fields';
import { presentCurriculum } from '../alpha/curricula.presenter';
import { curriculumDetailsSchema, newCurriculumSchema } from '../alpha/curricula.schemas';
import { presentProgress } from '../alpha/progress.app.presenter';
import { progressReportSchema, progressSchema } from '../alpha/progress.app.schemas';
import { presentSeat } from '../licenses/devices.presenter';
import { toAppOnDevice } from '../signIn/appOnDevice';
import { presentSignedInUser } from '../signIn/signIn.presenter';
import { commitOrReject } from './commitOrReject';
import { sandboxSignInSchema, signedInStudentSchema } from './students.schemas';

const tag = 'Sandbox';

export const sandboxStudents = [
  operation({
    method: 'POST',
    path: '/sandbox/students/:id/sign-in',
    operationId: 'signInSandboxStudent',
    tag,
    access: { key: 'students:write', environment: 'test' },
    summary: 'Sign a student in, on a device too, as the app and the code from their mailbox do.',
    description:
      'The first sign-in makes a pending student active (student.updated) and maps `personal_email` (student.email_mapped). With `app` and `device` it takes a ' +
      'seat, conflict if the license is not active; a device that is new to the license is registered (license.device_registered). Without them the license is not ' +
      'looked at. Conflict if another person has the email. Answers without the session, which nothing needs here.',
    request: { params: personParams, body: sandboxSignInSchema },
    response: signedInStudentSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'own',
    handle: ({ params, body, domain, caller, commit }) =>
      commitOrReject(
        { domain, caller, commit },
        {
          run: (tx) => signInStudent(tx, params.id, { personalEmail: body.personal_email, onDevice: toAppOnDevice(body.app, body.device) }),
          accept: requireLicensed,
          present: (_tx, { user, session, seat }) => ({
            user: presentSignedInUser(user),
            expires_at: session.expiresAt.toISOString(),
            seat: seat === null ? null : presentSeat(seat),
          }),
        },
      ),
  }),
  operation({
    method: 'POST',
    path: '/sandbox/alpha/curricula',
    operationId: 'publishSandboxCurriculum',
    tag,
    access: { key: 'alpha:write', environment: 'test' },
    summary: "Create a curriculum of the sandbox's own and publish it, as an admin does in the portal.",
    description: 'Students can be enrolled in it at once. An institution has at most 500 of its own: conflict beyond.',
    request: { body: newCurriculumSchema },
    response: curriculumDetailsSchema,
    errors: ['conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => {
      const { id } = await createCurriculum(tx, tx.institutionId, body);
      return presentCurriculum(await publishCurriculum(tx, tx.institutionId, id));
    },
  }),
  operation({
    method: 'POST',
    path: '/sandbox/alpha/students/:id/progress',
    operationId: 'reportSandboxProgress',
    tag,
    access: { key: 'alpha:write', environment: 'test' },
    summary: "Report a student's progress on a concept, as the app does; idempotent per `ref`.",
    description: 'The student has signed in before. The rules are those of the app: conflict for a paused or withdrawn enrollment, and after 1,000 reports in a day.',
    request: { params: personParams, body: progressReportSchema },
    response: progressSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => {
      const { id } = await requireAppStudent(tx, params.id);
      return presentProgress(await recordProgress(tx, id, body));
    },
  }),
];
