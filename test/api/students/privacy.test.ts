import { studentFixtureForEachTest } from '../../support/studentFixture';

const students = studentFixtureForEachTest();
const { calls, institution } = students;

const everyWay: [string, () => Promise<unknown>][] = [
  ['a creation', () => calls.create({ personal_email: students.newSecretEmail() })],
  ['a creation refused for something else', () => calls.create({ personal_email: students.newSecretEmail(), license_days: 0 })],
  ['a creation refused because it is no address', () => calls.create({ personal_email: `${students.newSecretEmail()}@@` })],
  ['a bulk call', () => students.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: [{ personal_email: `${students.newSecretEmail()},` }] } })],
  ['a body that is no JSON', () => students.call('POST', '/students', { key: institution.apiKey, body: `{"personal_email":"${students.newSecretEmail()}",}` })],
  ['a filter', () => calls.list({ email: students.newSecretEmail() })],
  ['an unknown parameter', () => calls.list({ personal_email: students.newSecretEmail() })],
  ['a path', () => calls.get(students.newSecretEmail())],
];

// Contract: privacy.personal-email.never-returned, students.personal-email.write-only
it.each(everyWay)('a personal email in %s comes back in no answer, header or event', async (_, call) => {
  await call();
  expect(await students.leaks()).toEqual([]);
});

// Contract: privacy.personal-email.never-returned, students.personal-email.write-only
it('a personal email mapped and fought over comes back in no answer of any operation on students', async () => {
  const personal_email = students.newSecretEmail();
  const { data } = await calls.create({ personal_email });
  const { data: other } = await calls.create();
  await calls.patch(other.id, { personal_email });
  await calls.patch(other.id, { personal_email: students.newSecretEmail() });
  for (const call of [calls.get, calls.suspend, calls.reactivate]) await call(data.id);
  await calls.list();
  await students.call('GET', `/licenses/${data.license.id}`, { key: institution.apiKey });
  expect(await students.leaks()).toEqual([]);
});

it('and the search would find one', async () => {
  const email = students.newSecretEmail();
  await calls.create({ full_name: email.toUpperCase() });
  expect(await students.leaks()).toHaveLength(1);
});
