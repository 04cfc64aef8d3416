import { transact } from '../../../domain/transact';
import { openSession } from '../../../domain/signIn/sessions';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { eventsDuring } from '../../support/events';

const { api, institution, sql, call, callAs, signedInStudent } = appFixture();
const hour = 3_600_000;

const heartbeat = (who: SignedInStudent, body: unknown = { app_version: '2.4.1' }) => callAs(who, 'POST', '/app/heartbeat', body);
const licenseOf = async ({ id }: SignedInStudent) => (await call('GET', `/students/${id}`)).data.license;
const setSession = (who: SignedInStudent, columns: string, at: Date) => sql(`UPDATE sessions SET ${columns} WHERE user_id = $1`, [who.id, at]);
const ago = (hours: number) => new Date(Date.now() - hours * hour);
const seesExams = async (who: SignedInStudent) => (await callAs(who, 'GET', '/app/exams')).status;

it('answers the license as the student record has it, and that the app is signed in', async () => {
  const who = await signedInStudent();
  expect((await heartbeat(who)).data).toEqual({ signed_out: false, license: await licenseOf(who) });
  expect((await heartbeat(who, {})).data.signed_out).toBe(false);
});

it('is for faculty too, and for nobody else', async () => {
  const { adminId, apiKey, id } = institution;
  const { token } = await transact(api.api.domain, systemCaller(id), (tx) => openSession(tx, adminId, 'faculty'));
  expect((await heartbeat({ id: adminId, session: token })).data).toMatchObject({ signed_out: false, license: { license_type: 'faculty' } });
  expect(errorSummary(await heartbeat({ id, session: apiKey }))).toEqual([401, 'unauthorized']);
  expect(errorSummary(await heartbeat({ id, session: api.settings.platformToken }))).toEqual([403, 'forbidden']);
});

// Contract: licenses.states.check-in-expires, licenses.expiry.event, events.license-expired
it('settles an expiry that nobody has seen yet, once, for any number of heartbeats at once', async () => {
  const who = await signedInStudent();
  const expiredAt = ago(1);
  await sql('UPDATE licenses SET expires_at = $2 WHERE user_id = $1', [who.id, expiredAt]);
  const events = await eventsDuring(api, institution, async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => heartbeat(who)));
    for (const { data } of answers) expect(data).toMatchObject({ signed_out: false, license: { status: 'expired', expires_at: expiredAt.toISOString() } });
  });
  expect(events).toMatchObject([{ type: 'license.expired', data: { user_id: who.id, expired_at: expiredAt.toISOString() } }]);
});

// Contract: licenses.revoke.app-signs-out-within-5-minutes, limits.license-revoke.sign-out-5-minutes
it('signs out the app of a revoked license: the session has ended', async () => {
  const who = await signedInStudent();
  await call('POST', `/licenses/${(await licenseOf(who)).id}/revoke`, {});
  expect(await seesExams(who)).toBe(200);
  expect((await heartbeat(who)).data).toMatchObject({ signed_out: true, license: { status: 'revoked' } });
  expect(await seesExams(who)).toBe(401);
  expect((await heartbeat(who)).data.signed_out).toBe(true);
});

describe('notifies an app that it is signed out', () => {
  const ends: [string, (who: SignedInStudent) => Promise<unknown>][] = [
    ['whose student signed out', (who) => callAs(who, 'DELETE', '/sign-in/sessions/current')],
    ['whose student is suspended', (who) => call('POST', `/students/${who.id}/suspend`)],
    ['whose session ended 23 hours ago', (who) => setSession(who, 'ended_at = $2', ago(23))],
    ['whose session ran out 23 hours ago', (who) => setSession(who, 'expires_at = $2', ago(23))],
  ];

  it.each(ends)('%s; every other operation is unauthorized', async (_which, end) => {
    const who = await signedInStudent();
    await end(who);
    expect((await heartbeat(who)).data).toEqual({ signed_out: true, license: await licenseOf(who) });
    for (const [method, path] of [['GET', '/app/exams'], ['POST', '/app/attempts/att_1/submit'], ['DELETE', '/sign-in/sessions/current']] as const) {
      expect(errorSummary(await callAs(who, method, path))).toEqual([401, 'unauthorized']);
    }
  });

  it.each(['ended_at', 'expires_at'])('for 24 hours, then it is unauthorized (%s)', async (column) => {
    const who = await signedInStudent();
    await setSession(who, `${column} = $2`, ago(24.01));
    expect(errorSummary(await heartbeat(who))).toEqual([401, 'unauthorized']);
  });
});

it('leaves a student alone who signs in again', async () => {
  const who = await signedInStudent();
  await callAs(who, 'DELETE', '/sign-in/sessions/current');
  const { token } = await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, who.id, 'student'));
  expect((await heartbeat({ id: who.id, session: token })).data.signed_out).toBe(false);
  expect((await heartbeat(who)).data.signed_out).toBe(true);
});
