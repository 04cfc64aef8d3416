import { setTimeout } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { newId } from '../../../../domain/ids';
import { appFixture, type SignedInStudent } from '../../../support/appFixture';
import { alphaCalls } from '../../../support/alphaCalls';
import type { ApiResponse } from '../../../support/api';
import { eventually } from '../../../support/eventually';
import { signIn } from '../../../support/signInCodes';

const fixture = appFixture();
const { api, sql } = fixture;
const { createLearner, reportProgress } = alphaCalls(fixture);

/** Holds the row of a person, for which everything that their calls write waits, while something is done. */
async function whileUserLocked<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
  const client: PoolClient = await api.api.domain.database.pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Sends so many calls at once, and with them a write of the same institution; returns all responses, the write's first. */
const runConcurrently = (count: number, call: () => Promise<ApiResponse>): Promise<ApiResponse[]> => {
  const calls = Array.from({ length: count }, call);
  return Promise.all([fixture.call('POST', '/groups', { name: 'Beside' }), ...calls]);
};

/** Has so many calls wait for one person's row, and sees that a write of the same institution does not, and that they are turned away. */
async function expectOthersServed(userId: string, call: () => Promise<ApiResponse>): Promise<void> {
  const [other, ...calls] = await whileUserLocked(userId, () => runConcurrently(40, call));
  expect(other?.status).toBe(200);
  expect(errorsOf(calls)).toEqual(new Set(['rate_limited']));
  expect(calls.map(({ headers }) => Number(headers.get('retry-after')) > 0)).not.toContain(false);
}

const errorsOf = (answers: readonly ApiResponse[]) => new Set(answers.map(({ status, body }) => (status === 200 ? 200 : body.error)));

// At the same time: what takes its time is the waiting.
it('any number of calls of one session and sign-ins to one account delay no other call of the institution; calls above the limit are rate_limited', async () => {
  const who = await createLearner();
  const { data: student } = await fixture.call('POST', '/students', { personal_email: `${newId('req')}@mail.example` });
  await Promise.all([
    expectOthersServed(who.id, () => reportProgress(who)),
    expectOthersServed(student.id, () => signIn(api, student.login_email, '123456')),
  ]);
});

it('the calls of one person wait for one another, four at a time, and are all answered', async () => {
  const who = await createLearner();
  const answers = await Promise.all(Array.from({ length: 30 }, () => reportProgress(who)));
  expect(errorsOf(answers)).toEqual(new Set([200]));
});

/** Blocks lookups of accounts while something is done, which may ask how many wait. */
async function whileEmailsTableLocked<Result>(work: (waiting: () => Promise<number>) => Promise<Result>): Promise<Result> {
  const client: PoolClient = await api.api.domain.database.pool.connect();
  const waiting = async () =>
    (await sql("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%institution_emails%'")).length;
  try {
    await client.query('BEGIN; LOCK TABLE institution_emails IN ACCESS EXCLUSIVE MODE');
    return await work(waiting);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** An address as people type it: its nth character in upper case, blanks before and after. */
const typed = (address: string, nth: number): string => ` ${address.slice(0, nth)}${address.charAt(nth).toUpperCase()}${address.slice(nth + 1)} `;

it.each([['one account', true], ['nobody', false]])('sign-ins by one login email, of %s, are tried four at a time, in any spelling', async (_whose, exists) => {
  const { data } = await fixture.call('POST', '/students', {});
  const email = exists ? data.login_email : `nobody.${data.login_email}`;
  const signIns = Array.from({ length: 7 }, (_, nth) => () => signIn(api, typed(email, nth), '123456'));
  const { sent, tried } = await whileEmailsTableLocked(async (waiting) => {
    const pending = signIns.map((send) => send());
    await eventually('those that are tried', async () => (await waiting()) >= 4);
    await setTimeout(200);
    return { sent: Promise.all(pending), tried: await waiting() };
  });
  expect(tried).toBe(4);
  expect(errorsOf(await sent)).toEqual(new Set(['unauthorized']));
});

/** Whether a read of a person is answered within 300 ms while these other calls of theirs wait; all are answered in the end. */
async function isReadAnswered(who: SignedInStudent, calls: readonly (() => Promise<Response>)[]): Promise<boolean> {
  const { answered, pending } = await whileUserLocked(who.id, async () => {
    const waiting = calls.map((call) => call());
    await eventually('a call waits for the person', async () => (await sql("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).length > 0);
    const reading = fixture.callAs(who, 'GET', '/app/exams');
    return { answered: await Promise.race([reading, setTimeout(300, undefined)]), pending: Promise.all([...waiting, reading]) };
  });
  expect((await pending).map(({ status }) => [200, 422, 429].includes(status))).not.toContain(false);
  return answered !== undefined;
}

const post = (url: string, { session }: SignedInStudent, init: RequestInit = {}, type: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', ...init, headers: { authorization: `Bearer ${session}`, ...type } });
const asUpload = { 'content-type': 'multipart/form-data; boundary=x' };

/** A body that is sent in chunks, of which there is none. */
const emptyChunks = (): RequestInit => ({ body: new ReadableStream({ start: (controller) => controller.close() }), duplex: 'half' });

it.each([
  ['no body', (): RequestInit => ({})],
  ['a body in chunks that is empty', emptyChunks],
])('a call that claims to be an upload but has %s is a call like any other, four at a time', async (_what, init) => {
  const who = await createLearner();
  const { id: examId } = await fixture.examFor([who]);
  const claimed = (): Promise<Response> => post(`${api.platformUrl}/app/exams/${examId}/attempts`, who, init(), asUpload);
  expect(await isReadAnswered(who, Array(8).fill(claimed))).toBe(false);
});

it('the calls of a person at both listeners count together, four at a time', async () => {
  const who = await createLearner();
  const { id: examId } = await fixture.examFor([who]);
  const startAt = (url: string) => (): Promise<Response> => post(`${url}/app/exams/${examId}/attempts`, who);
  expect(await isReadAnswered(who, [startAt(api.platformUrl), startAt(api.platformUrl)])).toBe(true);
  const other = await createLearner();
  const { id: otherExamId } = await fixture.examFor([other]);
  const startOther = (url: string) => (): Promise<Response> => post(`${url}/app/exams/${otherExamId}/attempts`, other);
  expect(await isReadAnswered(other, [api.platformUrl, api.appsUrl, api.platformUrl, api.appsUrl].map(startOther))).toBe(false);
});

it('an upload without a body is refused at once', async () => {
  const { who, attemptId } = await fixture.studentWithAttempt();
  const upload = (init: RequestInit): Promise<Response> =>
    post(`${api.platformUrl}/app/attempts/${attemptId}/files`, who, init, asUpload);
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => upload(nth % 2 === 0 ? {} : emptyChunks())));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
  expect(performance.now() - begun).toBeLessThan(5_000);
});
