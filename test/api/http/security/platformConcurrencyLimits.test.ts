import { setTimeout } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { newId } from '../../../../domain/ids';
import { appFixture } from '../../../support/appFixture';
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

it('a call that claims to be an upload but has no body is a call like any other, four at a time', async () => {
  const who = await createLearner();
  const { id: examId } = await fixture.examFor([who]);
  const claimed = (): Promise<Response> =>
    fetch(`${api.platformUrl}/app/exams/${examId}/attempts`, { method: 'POST', headers: { authorization: `Bearer ${who.session}`, 'content-type': 'multipart/form-data; boundary=x' } });
  const read = () => fixture.callAs(who, 'GET', '/app/exams');
  const { answered, pending } = await whileUserLocked(who.id, async () => {
    const calls = Array.from({ length: 8 }, claimed);
    await eventually('a call waits for the person', async () => (await sql("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).length > 0);
    const reading = read();
    return { answered: await Promise.race([reading, setTimeout(300, 'waits')]), pending: Promise.all([...calls, reading]) };
  });
  expect(answered).toBe('waits');
  expect((await pending).map(({ status }) => [200, 429].includes(status))).not.toContain(false);
});
