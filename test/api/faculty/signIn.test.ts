import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';
import { recipientsOf, signInByMail } from '../../support/signInCodes';

const { api, institution, call } = apiFixture({ institutionPer: 'file' });

const teacher = async (): Promise<{ id: string; login_email: string }> =>
  (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
const shown = async (id: string) => (await call('GET', `/faculty/${id}`)).data;
const suspend = (id: string) => call('PATCH', `/faculty/${id}`, { status: 'suspended' });
const complete = (session: string, email: string) =>
  api.platform('POST', '/me/profile', { key: session, body: { employee_id: 'E-1', department: 'Mathematics', position: 'Lecturer', email } });
const signOut = (session: string) => api.platform('DELETE', '/sign-in/sessions/current', { key: session });

// Contract: faculty.profile-completed.false-before-profile, faculty.profile.required-fields, faculty.sign-in-codes.first-login-to-admin
// Contract: faculty.sign-in-codes.own-address-after-profile, faculty.profile-completed.event, events.faculty-profile-completed
it('a new teacher signs in by the admin\'s mailbox, completes the profile once, and gets codes in their own from then on', async () => {
  const { id, login_email } = await teacher();
  const first = await signInByMail(api, login_email);
  expect(recipientsOf(first.email)).toEqual([`admin@${institution.loginDomain}`]);
  expect(first.answer.data.user).toEqual({ id, kind: 'faculty', login_email, full_name: 'Grace Hopper', status: 'active' });
  expect((await shown(id)).profile_completed).toBe(false);

  const events = await eventsDuring(api, institution, async () => {
    for (const email of ['first@mail.example', 'grace@mail.example']) {
      const { status, data } = await complete(first.answer.data.session, email);
      expect([status, data]).toEqual([200, { id, profile_completed: true, employee_id: 'E-1', department: 'Mathematics', position: 'Lecturer' }]);
    }
  });
  expect(events).toEqual([{ type: 'faculty.profile_completed', data: { faculty_id: id } }]);
  expect((await shown(id)).profile_completed).toBe(true);

  const second = await signInByMail(api, login_email);
  expect([recipientsOf(second.email), second.answer.status]).toEqual([['first@mail.example'], 200]);
});

// Contract: faculty.sign-in-codes.first-login-to-admin
it('the mailbox of one teacher is not that of another whose profile is incomplete', async () => {
  const [done, other] = [await teacher(), await teacher()];
  const { answer } = await signInByMail(api, done.login_email);
  await complete(answer.data.session, 'done@mail.example');
  expect(recipientsOf((await signInByMail(api, other.login_email)).email)).toEqual([`admin@${institution.loginDomain}`]);
});

it('a suspended teacher\'s sessions end at once, and do not come back with them', async () => {
  const { id, login_email } = await teacher();
  const [{ answer }, others] = [await signInByMail(api, login_email), await signInByMail(api, (await teacher()).login_email)];
  await suspend(id);
  expect((await signOut(answer.data.session)).status).toBe(401);
  await call('PATCH', `/faculty/${id}`, { status: 'active' });
  expect((await signOut(answer.data.session)).status).toBe(401);
  expect((await signOut(others.answer.data.session)).status).toBe(200);
  expect((await signInByMail(api, login_email)).answer.status).toBe(200);
});
