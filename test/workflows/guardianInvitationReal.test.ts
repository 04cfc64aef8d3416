import { searchAttributes } from '../../workflows/contract';
import type { examNotification } from '../../workflows/examNotification';
import type { guardianInvitation } from '../../workflows/guardianInvitation';
import { eventually } from '../support/eventually';
import { acceptInvitation, guardianSession, guardianInvitationEmail, inviteGuardian, backdateInvitation, tokenIn } from '../support/guardians';
import { historyText, recordHistory } from '../support/histories';
import { recipientsOf } from '../support/signInCodes';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const call = async (method: string, path: string, body?: object) => (await api.call(method, path, { key: institution.apiKey, ...(body === undefined ? {} : { body }) })).data;
const student = () => call('POST', '/students', { full_name: 'Sensitive <Ada>' });
const invitationOf = (linkId: string, nth = 1) => fixture.temporal.client.workflow.getHandle<typeof guardianInvitation>(`${linkId}:${nth}`);
const details = async (linkId: string) => (await invitationOf(linkId).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

// Contract: guardians.sign-in.invitation-then-code, guardians.invite.emailed-or-already-added
it('from the invitation over the API to emails about an exam: by the token of the email, a code, and the links that are verified then', async () => {
  const { id: studentId } = await student();
  const address = 'sensitive.guardian@mail.example';
  const { data: link } = await inviteGuardian(api, institution, studentId, address, { guardian_name: 'Sensitive Augusta' });

  const mail = await guardianInvitationEmail(api, link.id);
  expect([recipientsOf(mail), mail.subject]).toEqual([[address], 'Invitation to follow Sensitive <Ada> at North School']);
  expect(mail.messageId).toBe(`<${link.id}.1.invitation@${institution.loginDomain}>`);
  expect(mail.text).toContain(`${api.settings.guardianPortalUrl}?token=${link.id}.1.`);
  expect(mail.html).toContain('Sensitive &lt;Ada&gt;');
  expect(mail.html).toContain(tokenIn(mail));
  expect(await eventually('the email on record', async () => (await details(link.id)).includes('email at') && details(link.id))).toMatch(
    new RegExp(`^Invitation 1 of \`${link.id}\` is with the guardian: email at \\S+Z, reminder at \\S+Z\\. It expires at ${link.expires_at}\\.$`),
  );

  expect((await acceptInvitation(api, tokenIn(mail))).data).toMatchObject({ id: link.id, status: 'accepted' });
  await guardianSession(api, address);
  expect(await invitationOf(link.id).result()).toEqual({ outcome: 'verified', letters: 1 });
  expect(await details(link.id)).toBe(`Invitation 1 of \`${link.id}\`: The guardian has signed in.`);
  const { typedSearchAttributes: found } = await invitationOf(link.id).describe();
  expect([found.get(searchAttributes.institutionId), found.get(searchAttributes.outcome)]).toEqual([institution.id, 'verified']);
  const history = await historyText(invitationOf(link.id));
  expect(history).toContain(`Invite a guardian: ${link.id}, invitation 1`);
  expect(history).not.toMatch(/sensitive/i);
  expect(history).not.toContain(tokenIn(mail).slice(-43));
  await recordHistory('guardianInvitation.verified', invitationOf(link.id));

  const group = await call('POST', '/groups', { name: 'Class', student_ids: [studentId] });
  const exam = await call('POST', '/exams', { faculty_id: institution.adminId, title: 'Algebra', group_ids: [group.id] });
  const examEmail = await api.stack.mail.waitFor(({ messageId }) => messageId?.startsWith(`<${exam.id}.1.${link.id}@`) === true);
  expect([recipientsOf(examEmail), examEmail.subject]).toEqual([[address], 'New exam for Sensitive <Ada>: Algebra']);
  const notice = fixture.temporal.client.workflow.getHandle<typeof examNotification>(`${exam.id}:1`);
  expect(await notice.result()).toMatchObject({ outcome: 'done', sent: 1 });
});

it('emails about exams go to nobody who has only been invited, or only accepted', async () => {
  const { id: studentId } = await student();
  const { data: invited } = await inviteGuardian(api, institution, studentId, 'only.invited@mail.example');
  const { data: accepted } = await inviteGuardian(api, institution, studentId, 'only.accepted@mail.example');
  expect(invited.status).toBe('invited');
  await acceptInvitation(api, tokenIn(await guardianInvitationEmail(api, accepted.id)));
  const group = await call('POST', '/groups', { name: 'Class', student_ids: [studentId] });
  const exam = await call('POST', '/exams', { faculty_id: institution.adminId, title: 'Algebra', group_ids: [group.id] });
  const notice = fixture.temporal.client.workflow.getHandle<typeof examNotification>(`${exam.id}:1`);
  await eventually('the notice', () => notice.describe().catch(() => undefined));
  expect(await notice.result()).toMatchObject({ outcome: 'done', total: 0 });
});

it('an invitation that is sent again, or whose link is removed, ends its workflow at once', async () => {
  const { id: studentId } = await student();
  const { data: link } = await inviteGuardian(api, institution, studentId, 'again@mail.example');
  await guardianInvitationEmail(api, link.id);
  await backdateInvitation(api, link.id);
  await call('POST', `/guardians/${link.id}/resend`);
  expect(await invitationOf(link.id).result()).toEqual({ outcome: 'replaced', letters: 1 });
  expect(tokenIn(await guardianInvitationEmail(api, link.id, 2))).toMatch(new RegExp(`^${link.id}\\.2\\.`));
  await call('DELETE', `/guardians/${link.id}`);
  expect(await invitationOf(link.id, 2).result()).toEqual({ outcome: 'deleted', letters: 1 });
});
