import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { inviteGuardian, newGuardianEmail } from '../support/guardians';
import { projectRoot } from '../../local/projectRoot';
import { requestCode } from '../support/signInCodes';
import { workflowFixture } from '../support/workflowFixture';
import { createEmailSender } from '../../activities/emails/emailSender';

const { api, institution, sql } = workflowFixture();
let sandbox: TestInstitution;

beforeEach(async () => {
  sandbox = await api.sandboxOf(institution);
});

interface KeptEmail {
  id: string;
  kind: string;
  to: { kind: string; id: string };
  subject: string;
  text: string;
  links: string[];
  created_at: string;
}

const kept = async (query: Record<string, string | number> = {}): Promise<KeptEmail[]> => (await api.call('GET', '/sandbox/emails', { key: sandbox.apiKey, query })).data.items;
const keptOf = (kind: string) => eventually(`an email of the kind ${kind}`, async () => (await kept()).find((email) => email.kind === kind));
const student = async (personal_email: string) => (await api.call('POST', '/students', { key: sandbox.apiKey, body: { full_name: 'Ada Test', personal_email } })).data;
const sentTo = async (address: string) => (await api.stack.mail.messages()).filter(({ to }) => JSON.stringify(to).includes(address));

const purpose = (kind: 'weekly_report' | 'sign_in_code' = 'weekly_report') => ({ institutionId: sandbox.id, kind, recipient: { kind: 'student', id: 'stu_1' } }) as const;
const email = (nth: number) => ({ to: 'ada@mail.example', subject: `Email ${nth} to ADA@mail.example`, text: 'You sign in as ada@mail.example.', html: '', messageId: `<m${nth}@mail.example>` });
const unused = { send: () => Promise.reject(new Error('An email of a sandbox reached the mailer')) };

it('keeps the email of an invited guardian with its link instead of sending it, and never says the address', async () => {
  const address = newGuardianEmail();
  const { id } = await student('ada@mail.example');
  const { data: link } = await inviteGuardian(api, sandbox, id, address);
  const invitation = await keptOf('guardian_invitation');
  expect(invitation.to).toEqual({ kind: 'guardian_link', id: link.id });
  expect(invitation.subject).toBe('Invitation to follow Ada Test at North School (sandbox)');
  expect(invitation.text).toContain('sign in as (address) with the code');
  expect(invitation.links).toEqual([expect.stringMatching(/^https?:\/\/.*token=/)]);
  expect(JSON.stringify(await kept())).not.toContain(address);
  expect(await sentTo(address)).toEqual([]);
});

it('keeps sign-in codes, with which the student signs in', async () => {
  const address = 'ada.codes@mail.example';
  const { id, login_email } = await student(address);
  await requestCode(api, login_email);
  const { to, text } = await keptOf('sign_in_code');
  expect(to).toEqual({ kind: 'student', id });
  const code = /^ {4}(\d{6})$/m.exec(text)?.[1];
  const { status } = await api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email, code } });
  expect([status, await sentTo(address)]).toEqual([200, []]);
});

it('keeps the emails about exams', async () => {
  const address = 'ada.exams@mail.example';
  const { id } = await student(address);
  const { data: group } = await api.call('POST', '/groups', { key: sandbox.apiKey, body: { name: 'Class', student_ids: [id] } });
  await api.call('POST', '/exams', { key: sandbox.apiKey, body: { faculty_id: sandbox.adminId, title: 'Fractions', group_ids: [group.id] } });
  expect(await keptOf('exam_announcement')).toMatchObject({ to: { kind: 'student', id }, subject: 'New exam: Fractions', links: [] });
  expect(await sentTo(address)).toEqual([]);
});

it('keeps the email about an exam to a guardian with the link by which they follow the student, as the guide says', async () => {
  const call = (path: string, body: object) => api.call('POST', path, { key: sandbox.apiKey, body });
  const { id } = await student('ada.followed@mail.example');
  const { data: link } = await inviteGuardian(api, sandbox, id, newGuardianEmail());
  for (const step of ['accept', 'sign-in']) await call(`/sandbox/guardians/${link.id}/${step}`, {});
  const { data: group } = await call('/groups', { name: 'Class', student_ids: [id] });
  await call('/exams', { faculty_id: sandbox.adminId, title: 'Fractions', group_ids: [group.id] });
  const recipients = await eventually('both emails', async () => {
    const emails = (await kept()).filter(({ kind }) => kind === 'exam_announcement');
    return emails.length === 2 && emails.map(({ to }) => to);
  });
  expect(recipients).toEqual(expect.arrayContaining([{ kind: 'student', id }, { kind: 'guardian_link', id: link.id }]));
});

it('sends the emails of any other institution, and keeps none of them', async () => {
  const address = newGuardianEmail();
  const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  await inviteGuardian(api, institution, data.id, address);
  await eventually('the invitation', async () => (await sentTo(address)).length === 1);
  expect(await sql('SELECT 1 FROM sandbox_emails WHERE institution_id = $1', [institution.id])).toEqual([]);
});

it('keeps a message once, regardless of how often it is sent, newest first, in pages, and removes its address everywhere', async () => {
  const sender = createEmailSender(api.api.domain, unused);
  for (const nth of [1, 2, 2, 3]) await sender.deliver(email(nth), purpose());
  const emails = await kept();
  expect(emails.map(({ subject }) => subject)).toEqual([3, 2, 1].map((nth) => `Email ${nth} to (address)`));
  expect(emails[0]?.text).toBe('You sign in as (address).');
  expect((await kept({ page: 2, limit: 1 })).map(({ subject }) => subject)).toEqual(['Email 2 to (address)']);
});

it('stores no text of an email that could be read in the database', async () => {
  await createEmailSender(api.api.domain, unused).deliver(email(1), purpose());
  const rows = await sql('SELECT * FROM sandbox_emails WHERE institution_id = $1', [sandbox.id]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/Email 1|sign in as|ada@mail/i);
});

it('keeps the newest 1,000', async () => {
  await sql(
    `INSERT INTO sandbox_emails (id, institution_id, message_id, kind, recipient_kind, recipient_id, email_sealed, created_at)
     SELECT 'eml_' || $2 || n, $1, n::text, 'weekly_report', 'guardian', 'usr_1', '', now() - n * interval '1 minute' FROM generate_series(1, 1000) n`,
    [sandbox.id, sandbox.id.slice(-8)],
  );
  await createEmailSender(api.api.domain, unused).deliver(email(1), purpose());
  const [row] = await sql<{ count: number; oldest: boolean }>(
    "SELECT count(*)::int AS count, bool_or(message_id = '1000') AS oldest FROM sandbox_emails WHERE institution_id = $1", [sandbox.id]);
  expect(row).toEqual({ count: 1_000, oldest: false });
});

it('is what every email passes: nothing but its sender gives an email to a mailer', () => {
  const rooms = ['activities', 'worker', 'domain', 'api', 'outbound', 'console', 'workflows'];
  const files = rooms.flatMap((room) => readdirSync(join(projectRoot(), room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path))).filter((path) => path.endsWith('.ts'));
  const giving = files.filter((path) => /\bmailer\w*\.send\(/i.test(readFileSync(join(projectRoot(), path), 'utf8')));
  expect(giving).toEqual(['activities/emails/emailSender.ts']);
});
