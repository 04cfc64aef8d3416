import { setTimeout as pause } from 'node:timers/promises';
import { recordHeartbeat } from '../../../domain/devices/recordHeartbeat';
import { revokeSeat } from '../../../domain/devices/revokeSeat';
import { revokeLicense } from '../../../domain/licenses/revokeLicense';
import { endSession } from '../../../domain/signIn/sessions';
import { transact } from '../../../domain/transact';
import type { Transaction } from '../../../domain/context';
import { systemCaller } from '../../support/api';
import { codeFor, deviceNamed, devicesOf, newStudent } from '../../support/devices';
import { eventsDuring } from '../../support/events';
import { withLockedRows } from '../../support/lockedRows';
import { signInToApp, activeSeats, liveSessions } from '../../support/seatSignIn';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const tx = <Result>(work: (one: Transaction) => Promise<Result>) => transact(api.api.domain, systemCaller(institution.id), work);
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, nth) => `${prefix}${nth}`);

// Contract: seats.limit.two-per-app-and-user, seats.third-device.oldest-signed-out
it('of twenty devices that sign in to each app at once two keep their seats, and the sessions of the others have ended', async () => {
  const { id } = await newStudent(api, institution);
  const devices = names('device', 20);
  const events = await eventsDuring(api, institution, async () => {
    await Promise.all((['svcapp', 'svccode', 'svcfilm'] as const).flatMap((app) => devices.map((device) => signInToApp(api, institution, id, app, device))));
  });
  const held = await activeSeats(api, id);
  for (const app of ['svcapp', 'svccode', 'svcfilm']) expect(held.filter((seat) => seat.app === app)).toHaveLength(2);
  expect((await liveSessions(api, id)).sort()).toEqual(held.map(({ session_id }) => session_id).sort());
  expect(events.map(({ type }) => type)).toEqual(Array(20).fill('license.device_registered'));
});

it('one device that signs in ten times at once holds one seat, with one live session', async () => {
  const { id } = await newStudent(api, institution);
  await Promise.all(Array.from({ length: 10 }, () => signInToApp(api, institution, id, 'svcapp', 'desk')));
  const held = await activeSeats(api, id);
  expect(held).toHaveLength(1);
  expect(await liveSessions(api, id)).toEqual(held.map(({ session_id }) => session_id));
});

it('a license that is revoked while devices sign in and send heartbeats keeps no seat, and gives none afterwards', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await newStudent(api, institution);
    const before = await signInToApp(api, institution, person.id, 'svcapp', 'first');
    await Promise.all([
      ...names('device', 4).map((device) => signInToApp(api, institution, person.id, 'svcapp', device)),
      tx((one) => revokeLicense(one, person.license.id, null)),
      ...names('beat', 4).map(() => tx((one) => recordHeartbeat(one, { userId: person.id, sessionId: before, appVersion: '2.0.0' }))),
    ]);
    expect(await activeSeats(api, person.id)).toEqual([]);
    expect(await signInToApp(api, institution, person.id, 'svcapp', 'late')).toBe('revoked');
    for (const sessionId of await liveSessions(api, person.id)) {
      expect((await tx((one) => recordHeartbeat(one, { userId: person.id, sessionId, appVersion: undefined }))).signedOut).toBe(true);
    }
    expect(await liveSessions(api, person.id)).toEqual([]);
  }
});

it('a seat that is revoked while its device sends heartbeats and signs in again: the old session has ended, the new one has a seat or was revoked', async () => {
  for (let round = 0; round < 8; round += 1) {
    const person = await newStudent(api, institution);
    const before = await signInToApp(api, institution, person.id, 'svcapp', 'desk');
    const [seat] = await activeSeats(api, person.id);
    const [after] = await Promise.all([
      signInToApp(api, institution, person.id, 'svcapp', 'desk'),
      tx((one) => revokeSeat(one, person.license.id, seat?.id ?? '')),
      ...names('beat', 4).map(() => tx((one) => recordHeartbeat(one, { userId: person.id, sessionId: before, appVersion: '2.0.0' }))),
    ]);
    const held = await activeSeats(api, person.id);
    const live = await liveSessions(api, person.id);
    // Revoked before it signed in: a new seat. Revoked after it: none.
    expect(held.map(({ session_id }) => session_id)).toEqual(live);
    expect([[], [after]]).toContainEqual(live);
    if (held.length > 0) expect(held[0]?.id).not.toBe(seat?.id);
  }
});

// Signing out locks its seat and then waits for its session; the device that is one too many waits for that seat.
it('a seat whose device signs out while a third device signs in was signed out, and is not evicted', async () => {
  const { id } = await newStudent(api, institution);
  const [oldest, other] = [await signInToApp(api, institution, id, 'svcapp', 'oldest'), await signInToApp(api, institution, id, 'svcapp', 'other')];
  const newest = await withLockedRows(api, 'SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [oldest], async ({ waitForBlocked, waitForBlockedBy, release }) => {
    const signingOut = tx((one) => endSession(one, oldest));
    const signer = await waitForBlocked();
    const entering = signInToApp(api, institution, id, 'svcapp', 'newest');
    await waitForBlockedBy(signer);
    await release();
    await signingOut;
    return entering;
  });
  const seats = await api.api.domain.database.sql('SELECT device_id, status FROM seats WHERE user_id = $1 ORDER BY signed_in_at, id', [id]);
  expect(seats).toEqual([{ device_id: 'oldest', status: 'signed_out' }, { device_id: 'other', status: 'active' }, { device_id: 'newest', status: 'active' }]);
  expect((await liveSessions(api, id)).sort()).toEqual([other, newest].sort());
});

it('of two calls that revoke one seat at once one gets that it is gone', async () => {
  const person = await newStudent(api, institution);
  await signInToApp(api, institution, person.id, 'svcapp', 'desk');
  const { seats } = await devicesOf(api, institution, person);
  const answers = await Promise.all([1, 2].map(() => api.call('POST', `/licenses/${person.license.id}/devices/${seats[0].id}/revoke`, { key: institution.apiKey })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

it('a student who is suspended while they sign in holds neither seat nor session', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await newStudent(api, institution);
    const body = { login_email: person.login_email, code: await codeFor(api, institution, person), app: 'svcapp', device: deviceNamed('desk') };
    const [signedIn, suspended] = await Promise.all([
      api.platform('POST', '/sign-in/sessions', { key: undefined, body }),
      pause(round * 4).then(() => api.call('POST', `/students/${person.id}/suspend`, { key: institution.apiKey })),
    ]);
    expect([200, 401]).toContain(signedIn.status);
    expect(suspended.status).toBe(200);
    expect([await activeSeats(api, person.id), await liveSessions(api, person.id)]).toEqual([[], []]);
  }
});
