import { signingKeys } from '../../../console/signingKeys';
import type { TestApi, TestInstitution } from '../../support/api';
import { requestConsole, signInToConsole } from '../../support/console';
import { keyedApis } from '../../support/keyedApis';
import { newLegacyKeys, newMasterKey } from '../../support/serviceKeys';

const [legacy, k1, k2] = [newLegacyKeys('old'), newMasterKey('k1'), newMasterKey('k2')];
const apis = keyedApis({ legacy: [legacy], both: [k1, legacy], next: [k2, k1], last: [k2] });

/** Of a key, the API that signs with it, one that lists it too, and one that does not. */
const cases: [string, string, string, string][] = [
  ['the keys of 0.9.0', 'legacy', 'both', 'next'],
  ['a master key', 'both', 'next', 'last'],
];

describe.each(cases)('what %s sign is valid as long as they are listed', (_what, signs, lists, without) => {
  let institution: TestInstitution;

  const page = (api: TestApi, cursor: string) => api.call('GET', '/students', { key: institution.apiKey, query: { limit: 1, cursor } });

  it('the cursor of a list', async () => {
    const api = apis.api(signs);
    institution = await api.institution();
    for (const full_name of ['Ada', 'Grace']) await api.call('POST', '/students', { key: institution.apiKey, body: { full_name } });
    const { next_cursor } = (await page(api, '')).data;
    const answers = await Promise.all([signs, lists, without].map((name) => page(apis.api(name), next_cursor)));
    expect(answers.map(({ status, data }) => [status, data?.items?.[0]?.full_name])).toEqual([[200, 'Ada'], [200, 'Ada'], [422, undefined]]);
  });

  it('a session of the console', async () => {
    const { cookie } = await signInToConsole(apis.api(signs));
    const answers = await Promise.all([signs, lists, without].map((name) => requestConsole(apis.api(name), 'GET', '/console/institutions', { headers: { cookie } })));
    const [own, other, refused] = answers.map(({ status }) => status);
    expect([own, other]).toEqual([200, 200]);
    expect(refused).not.toBe(200);
  });
});

it('with another platform token no session of the console is valid, under the same keys', () => {
  const [one, other] = [signingKeys('a'.repeat(32), [k1]), signingKeys('b'.repeat(32), [k1])];
  expect([one.verify('session', one.sign('session')), other.verify('session', one.sign('session'))]).toEqual([true, false]);
});
