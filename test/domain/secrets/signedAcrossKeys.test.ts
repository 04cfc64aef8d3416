import { eachSigningKey, signingKeys } from '../../../console/signingKeys';
import { confirmMailboxChange, requestMailboxChange } from '../../../domain/signIn/changeMailbox';
import { waitingEmailPlace } from '../../../domain/signIn/codeEmails';
import { checkEnrolmentCode } from '../../../domain/signIn/enrolmentCode';
import type { Transaction } from '../../../domain/context';
import { transact } from '../../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from '../../support/api';
import { requestConsole, signInToConsole } from '../../support/console';
import { keyedApis, newEmail } from '../../support/keyedApis';
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

  const inTransaction = <Result>(name: string, work: (tx: Transaction) => Promise<Result>) => transact(apis.api(name).api.domain, systemCaller(institution.id), work);
  const newStudent = async (): Promise<{ id: string }> => (await apis.api(signs).call('POST', '/students', { key: institution.apiKey, body: {} })).data;

  const page = (api: TestApi, cursor: string) => api.call('GET', '/students', { key: institution.apiKey, query: { limit: 1, cursor } });

  it('the cursor of a list', async () => {
    const api = apis.api(signs);
    institution = await api.institution();
    for (const full_name of ['Ada', 'Grace']) await api.call('POST', '/students', { key: institution.apiKey, body: { full_name } });
    const { next_cursor } = (await page(api, '')).data;
    const answers = await Promise.all([signs, lists, without].map((name) => page(apis.api(name), next_cursor)));
    expect(answers.map(({ status, data }) => [status, data?.items?.[0]?.full_name])).toEqual([[200, 'Ada'], [200, 'Ada'], [422, undefined]]);
  });

  it('an enrolment code', async () => {
    const { id } = await newStudent();
    const { code } = (await apis.api(signs).call('POST', `/students/${id}/enrolment-code`, { key: institution.apiKey })).data;
    const check = (name: string) => inTransaction(name, (tx) => checkEnrolmentCode(tx, id, code));
    const [own, other, refused] = [await check(signs), await check(lists), await check(without)];
    expect([own, other, refused]).toEqual([own, own, undefined]);
    expect(own).toMatch(/^enc_/);
  });

  it('the code that confirms a mailbox', async () => {
    const { id } = await newStudent();
    await inTransaction(signs, (tx) => requestMailboxChange(tx, id, newEmail()));
    const { database, secrets } = apis.api(signs).api.domain;
    const [waiting] = await database.sql<{ request_id: string; email_sealed: string }>(
      'SELECT e.request_id, e.email_sealed FROM sign_in_emails e JOIN mailbox_changes c ON c.id = e.request_id WHERE c.user_id = $1', [id],
    );
    const email = secrets.open(waiting?.email_sealed ?? '', waitingEmailPlace('email_sealed', waiting?.request_id ?? ''));
    const code = /: (\d{6})\b/.exec(email)?.[1] ?? '';
    const confirm = (name: string) => inTransaction(name, (tx) => confirmMailboxChange(tx, id, null, code));
    expect([await confirm(without), await confirm(lists), await confirm(signs)]).toEqual([false, true, false]);
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
  const [one, other] = [signingKeys(['a'.repeat(32)], [k1]), signingKeys(['b'.repeat(32)], [k1])];
  expect([one.verify('session', one.sign('session')), other.verify('session', one.sign('session'))]).toEqual([true, false]);
});

it('with two platform tokens and two keys the newest of both sign, and all of them verify', () => {
  const [olderToken, newerToken] = ['a'.repeat(32), 'b'.repeat(32)];
  const both = signingKeys([newerToken, olderToken], [k2, k1]);
  expect(both.sign('session')).toBe(signingKeys([newerToken], [k2]).sign('session'));
  const each = [olderToken, newerToken].flatMap((token) => [k1, k2].map((key) => signingKeys([token], [key]).sign('session')));
  expect(each.map((signature) => both.verify('session', signature))).toEqual([true, true, true, true]);
});

it('each key of the console alone signs as it does among the others, newest first', () => {
  const all = signingKeys(['b'.repeat(32), 'a'.repeat(32)], [k2, k1]);
  const each = eachSigningKey(['b'.repeat(32), 'a'.repeat(32)], [k2, k1]);
  expect(each).toHaveLength(4);
  expect(each[0]?.sign('state')).toBe(all.sign('state'));
  expect(each.map((key, index) => all.index('state', key.sign('state')) === index)).toEqual(Array(4).fill(true));
});
