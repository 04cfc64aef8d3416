import { InstitutionClient } from '../../clients/typescript/src';
import { signInOnDevice } from '../../local/demo/device';
import { inviteGuardian } from '../../local/demo/guardian';
import { creditMerits } from '../../local/demo/merits';
import { createClass, provisionStudents, type DemoStudent } from '../../local/demo/people';
import { waitForExamEmails, publishExam } from '../../local/demo/exam';
import { workflowFixture } from '../support/workflowFixture';

const { api, institution } = workflowFixture();
const lines: string[] = [];

let client: InstitutionClient;
let students: DemoStudent[];

beforeEach(async () => {
  lines.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  client = new InstitutionClient({ baseUrl: api.baseUrl, apiKey: institution.apiKey });
  students = await provisionStudents(client, 3);
});

afterEach(() => {
  jest.restoreAllMocks();
});

const student = (nth: number): DemoStudent => students[nth] ?? { loginEmail: '', personalEmail: '' };
const types = async () => (await client.call('GET', '/events', { query: { limit: 200 } })).items.map(({ type }) => type);

it('a guardian is invited, merits are credited, a device sends a heartbeat, an exam is published: each step finds what it prints, in short lines', async () => {
  const { mail } = api.stack;
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  expect(await inviteGuardian(client, mail.folder, student(0))).toContain(mail.folder);
  await creditMerits(client, student(1));
  await signInOnDevice(client, { apps_url: api.appsUrl, mail_dir: mail.folder }, student(2));
  const examId = await publishExam(client, await createClass(client, students), students.length);
  expect(await waitForExamEmails(mail.folder, examId, students)).toContain(mail.folder);
  expect(await types()).toEqual(expect.arrayContaining(['guardian.invited', 'merits.credited', 'license.device_registered', 'exam.published']));
  expect(lines.filter((line) => line.startsWith('  ✓')).length).toBeGreaterThanOrEqual(9);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

it('a step that does not find what it prints ends the demo', async () => {
  await expect(creditMerits(client, { loginEmail: 'nobody@north.example', personalEmail: 'x' })).rejects.toMatchObject({ code: 'user_not_found' });
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  await client.call('POST', '/merits/credits', { body: { email: student(0).loginEmail, amount_cents: 100, reason: 'Before', ref: 'before' } });
  await expect(creditMerits(client, student(0))).rejects.toThrow('Not as expected: the wallet holds 600 cents');
});
