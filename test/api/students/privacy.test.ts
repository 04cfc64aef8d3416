import { apiFixture } from '../../support/apiFixture';
import { recordedStudentCalls } from '../../support/studentCalls';

const fixture = apiFixture();
const { institution } = fixture;
const students = recordedStudentCalls(fixture);
const { calls, newSecretEmail, leaks } = students;

const everyWay: [string, () => Promise<unknown>][] = [
  ['a creation', () => calls.create({ personal_email: newSecretEmail() })],
  ['a creation refused for something else', () => calls.create({ personal_email: newSecretEmail(), license_days: 0 })],
  ['a creation refused because it is no address', () => calls.create({ personal_email: `${newSecretEmail()}@@` })],
  ['a bulk call', () => students.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: [{ personal_email: `${newSecretEmail()},` }] } })],
  ['a body that is no JSON', () => students.call('POST', '/students', { key: institution.apiKey, body: `{"personal_email":"${newSecretEmail()}",}` })],
  ['a filter', () => calls.list({ email: newSecretEmail() })],
  ['an unknown parameter', () => calls.list({ personal_email: newSecretEmail() })],
  ['a path', () => calls.get(newSecretEmail())],
];

// Contract: privacy.personal-email.never-returned, students.personal-email.write-only
it.each(everyWay)('a personal email in %s comes back in no answer, header or event', async (_, call) => {
  await call();
  expect(await leaks()).toEqual([]);
});

// Contract: privacy.personal-email.never-returned, students.personal-email.write-only
it('a personal email mapped and fought over comes back in no answer of any operation on students', async () => {
  const personal_email = newSecretEmail();
  const { data } = await calls.create({ personal_email });
  const { data: other } = await calls.create();
  await calls.patch(other.id, { personal_email });
  await calls.patch(other.id, { personal_email: newSecretEmail() });
  for (const call of [calls.get, calls.suspend, calls.reactivate]) await call(data.id);
  await calls.list();
  await students.call('GET', `/licenses/${data.license.id}`, { key: institution.apiKey });
  expect(await leaks()).toEqual([]);
});

it('and the search would find one', async () => {
  const email = newSecretEmail();
  await calls.create({ full_name: email.toUpperCase() });
  expect(await leaks()).toHaveLength(1);
});
