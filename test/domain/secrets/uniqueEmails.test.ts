import type { TestApi, TestInstitution } from '../../support/api';
import { inviteDeveloper } from '../../support/developers';
import { inviteGuardian } from '../../support/guardians';
import { keyedApis, newEmail, resealAll } from '../../support/keyedApis';
import { startTestWorker, waitUntilPolling } from '../../support/worker';
import { newLegacyKeys, newMasterKey } from '../../support/serviceKeys';
import { postStudentsBulk } from '../../support/batches';

const [legacy, k1, k2] = [newLegacyKeys('old'), newMasterKey('k1'), newMasterKey('k2')];
// The steps of a rotation; during each step processes of the one before still run.
const apis = keyedApis({ before: [legacy], known: [legacy, k1], first: [k1, legacy], next: [k2, k1], last: [k2] });

const steps: [string, string][] = [['before', 'known'], ['known', 'first'], ['first', 'first'], ['first', 'known']];

let institution: TestInstitution;
let students: { one: string; other: string };

beforeEach(async () => {
  const api = apis.api('first');
  institution = await api.institution();
  students = { one: await createStudent(), other: await createStudent() };
});

async function createStudent(): Promise<string> {
  return (await apis.api('first').call('POST', '/students', { key: institution.apiKey, body: {} })).data.id;
}

const create = (api: TestApi, personal_email: string) => api.call('POST', '/students', { key: institution.apiKey, body: { personal_email } });
const patch = (api: TestApi, id: string, personal_email: string) => api.call('PATCH', `/students/${id}`, { key: institution.apiKey, body: { personal_email } });
const sql = <Row extends object>(text: string, values: unknown[]) => apis.api('first').api.domain.database.sql<Row>(text, values);
const peopleOf = async (kind: string) => (await sql('SELECT id FROM users WHERE institution_id = $1 AND kind = $2 AND personal_email_hmac IS NOT NULL', [institution.id, kind])).length;

describe.each(steps)('one email in processes of the steps %s and %s', (one, other) => {
  it('is of one of two students that are created at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const email = newEmail();
      const answers = await Promise.all([create(apis.api(one), email), create(apis.api(other), email)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.map(({ body }) => body.error).filter(Boolean)).toEqual(['conflict']);
    }
    expect(await peopleOf('student')).toBe(6);
  });

  it('is of one of two students to whom it is mapped at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const email = newEmail();
      const answers = await Promise.all([patch(apis.api(one), students.one, email), patch(apis.api(other), students.other, email)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('that one of them has stored is taken in the other, and the same person may be given it again', async () => {
    const email = newEmail();
    const { data } = await create(apis.api(one), email);
    expect((await create(apis.api(other), email.toUpperCase())).status).toBe(409);
    expect((await patch(apis.api(other), students.one, email)).status).toBe(409);
    expect((await patch(apis.api(other), data.id, email)).status).toBe(200);
    expect((await create(apis.api(one), email)).status).toBe(409);
  });

  it('of a guardian, and of a developer, is of one person, invited at once or one after the other', async () => {
    const [guardian, developer] = [newEmail(), newEmail()];
    const invited = await Promise.all([inviteGuardian(apis.api(one), institution, students.one, guardian), inviteGuardian(apis.api(other), institution, students.other, guardian)]);
    expect(invited.map(({ status }) => status)).toEqual([200, 200]);
    const third = await createStudent();
    expect((await inviteGuardian(apis.api(other), institution, third, guardian)).data.guardian_email).toBe(guardian);
    expect(await peopleOf('guardian')).toBe(1);
    const developers = await Promise.all([inviteDeveloper(apis.api(one), institution, developer), inviteDeveloper(apis.api(other), institution, developer)]);
    expect(developers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await peopleOf('developer')).toBe(1);
  });
});

it('an email is of one person while a reseal moves the fingerprints', async () => {
  const emails = Array.from({ length: 40 }, newEmail);
  await Promise.all(emails.map((email) => create(apis.api('known'), email)));
  const before = await peopleOf('student');
  const [unreadable, ...answers] = await Promise.all([resealAll(apis.api('first')), ...emails.flatMap((email) => [create(apis.api('first'), email), create(apis.api('known'), email)])]);
  expect([unreadable, new Set(answers.map(({ status }) => status))]).toEqual([0, new Set([409])]);
  expect(await peopleOf('student')).toBe(before);
});

it('after the reseal the unique index alone compares the emails, under the newest key', async () => {
  const email = newEmail();
  await create(apis.api('first'), email);
  expect(await resealAll(apis.api('next'))).toBe(0);
  const answers = await Promise.all([create(apis.api('last'), email), create(apis.api('next'), email)]);
  expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  await resealAll(apis.api('first'));
});

it('a bulk call finds the emails that are stored under an earlier key, and those it repeats', async () => {
  const [taken, repeated, free] = [newEmail(), newEmail(), newEmail()];
  await create(apis.api('known'), taken);
  const worker = await startTestWorker(apis.api('known').settings);
  try {
    await waitUntilPolling(worker);
    const { data } = await postStudentsBulk(apis.api('first'), institution, [{ personal_email: taken }, { personal_email: repeated }, { personal_email: repeated.toUpperCase() }, { personal_email: free }]);
    expect(data.results.map(({ error }: { error?: string }) => error ?? null)).toEqual(['conflict', null, 'conflict', null]);
  } finally {
    await worker.stop();
  }
});
