import { eventsDuring } from '../../support/events';
import { errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import * as devices from '../../support/devices';
import type { Person, SignedInApp } from '../../support/devices';
import { acceptInvitation, newGuardianEmail, inviteGuardian, guardianInvitationEmail, tokenIn } from '../../support/guardians';
import { codeIn, codeEmailFor } from '../../support/signInCodes';
import { startTestWorker } from '../../support/worker';

const { api, institution, sql, call } = apiFixture();

const student = () => devices.newStudent(api, institution);
const open = (person: Person, device: string, app: 'svcapp' | 'svccode' | 'svcfilm' = 'svcapp') => devices.signInOn(api, institution, person, app, device);
const seated = (person: Person, app: 'svcapp' | 'svccode' | 'svcfilm' = 'svcapp') => devices.seatedDevices(api, institution, person, app);
const devicesOf = (person: Person) => devices.devicesOf(api, institution, person);
const isSignedOut = async (app: SignedInApp): Promise<boolean> => (await devices.sendHeartbeat(api, app)).signed_out;
const signInWith = (person: Person, body: object) => devices.signInWith(api, institution, person, body);
const reads = async ({ session }: SignedInApp) => (await api.platform('GET', '/app/exams', { key: session })).status;

// Contract: service.purpose.manage-device-seats, licenses.devices.seat-fields, licenses.devices.legacy-activations, endpoints.list-devices
// Contract: licenses.devices.response, scopes.licenses.read-device-seats, events.license-device-registered
it('signing in with an app and a device takes a seat, and registers the device with the license once', async () => {
  const ada = await student();
  const events = await eventsDuring(api, institution, async () => {
    await open(ada, 'desk');
    await open(ada, 'desk', 'svccode');
    await open(ada, 'desk');
  });
  const { seats, activations, ...page } = await devicesOf(ada);
  const device = { device_id: 'device-desk', device_name: "desk's laptop", platform: 'macos', app_version: '2.4.1' };
  expect(seats).toEqual(['svcapp', 'svccode'].map((app) => ({ id: expect.stringMatching(/^seat_/), app, ...device, last_seen_at: expect.any(String), signed_in_at: expect.any(String) })));
  expect(activations).toEqual([{ ...device, first_seen_at: expect.any(String), last_seen_at: seats[0].last_seen_at }]);
  expect(page).toEqual({ user_id: ada.id, page: 1, limit: 50, total: 1, has_more: false, next_cursor: null });
  const registered = { license_id: ada.license.id, user_id: ada.id, seat_id: seats[0].id, app: 'svcapp', platform: 'macos' };
  expect(events.filter(({ type }) => type === 'license.device_registered')).toEqual([{ type: 'license.device_registered', data: registered }]);
});

it('the same device takes its own seat over, and the session that held it is signed out', async () => {
  const ada = await student();
  const before = await open(ada, 'desk');
  const [seat] = (await devicesOf(ada)).seats;
  const now = await devices.signInOn(api, institution, ada, 'svcapp', 'desk', { name: 'Renamed', app_version: '3.0.0' });
  expect((await devicesOf(ada)).seats).toMatchObject([{ id: seat.id, device_name: 'Renamed', app_version: '3.0.0' }]);
  expect([await isSignedOut(before), await isSignedOut(now)]).toEqual([true, false]);
  expect([await reads(before), await reads(now)]).toEqual([401, 200]);
});

// Contract: seats.limit.two-per-app-and-user, limits.seats.2-per-app-and-user
it('each app gives a person two seats of its own', async () => {
  const ada = await student();
  const apps = [];
  for (const app of ['svcapp', 'svccode', 'svcfilm'] as const) for (const device of ['desk', 'lap']) apps.push(await open(ada, device, app));
  expect(await Promise.all(apps.map(isSignedOut))).toEqual(Array(6).fill(false));
  expect((await devicesOf(ada)).seats).toHaveLength(6);
  await open(ada, 'third', 'svccode');
  expect([await seated(ada), await seated(ada, 'svccode'), await seated(ada, 'svcfilm')]).toEqual([['lap', 'desk'], ['third', 'lap'], ['lap', 'desk']]);
});

// Contract: seats.third-device.oldest-signed-out
it('a third device has the oldest signed out, which never takes its seat back', async () => {
  const ada = await student();
  const [first, second, third] = [await open(ada, 'one'), await open(ada, 'two'), await open(ada, 'three')];
  expect([await isSignedOut(first), await isSignedOut(second), await isSignedOut(third)]).toEqual([true, false, false]);
  expect(await reads(first)).toBe(401);
  for (let nth = 0; nth < 3; nth += 1) expect((await devices.sendHeartbeat(api, first, { app_version: '9.9.9' })).signed_out).toBe(true);
  expect(await seated(ada)).toEqual(['three', 'two']);
  await open(ada, 'one');
  expect(await seated(ada)).toEqual(['one', 'three']);
  expect(await isSignedOut(first)).toBe(true);
});

it('a device that signs in again is the newest: the one that signed in before it goes', async () => {
  const ada = await student();
  for (const device of ['one', 'two', 'one', 'three']) await open(ada, device);
  expect(await seated(ada)).toEqual(['three', 'one']);
});

it("is nobody else's business: two people on one device hold a seat each", async () => {
  const [ada, grace] = [await student(), await student()];
  const apps = [await open(ada, 'shared'), await open(grace, 'shared')];
  expect(await Promise.all(apps.map(isSignedOut))).toEqual([false, false]);
  expect([await seated(ada), await seated(grace)]).toEqual([['shared'], ['shared']]);
});

it('is for faculty too', async () => {
  const { data } = await call('POST', '/faculty', { full_name: 'Grace' });
  const app = await open(data, 'desk');
  expect(await isSignedOut(app)).toBe(false);
  expect(await seated(data)).toEqual(['desk']);
});

it('without an app a session is opened that has no seat', async () => {
  const ada = await student();
  const { data } = await signInWith(ada, {});
  expect(await isSignedOut({ person: ada, session: data.session })).toBe(false);
  expect(await devicesOf(ada)).toMatchObject({ seats: [], activations: [] });
});

describe('a seat ends', () => {
  it('when its device signs out', async () => {
    const ada = await student();
    const { session } = await open(ada, 'desk');
    await api.platform('DELETE', '/sign-in/sessions/current', { key: session });
    expect(await seated(ada)).toEqual([]);
    expect((await devicesOf(ada)).activations).toHaveLength(1);
  });

  it('when its person is suspended; reactivated, they sign in to a new one', async () => {
    const ada = await student();
    const before = await open(ada, 'desk');
    await call('POST', `/students/${ada.id}/suspend`);
    expect([await seated(ada), await isSignedOut(before)]).toEqual([[], true]);
    await call('POST', `/students/${ada.id}/reactivate`);
    expect(await isSignedOut(before)).toBe(true);
    const after = await open(ada, 'desk');
    expect([await seated(ada), await isSignedOut(after), await isSignedOut(before)]).toEqual([['desk'], false, true]);
  });

  // Contract: licenses.revoke.app-signs-out-within-5-minutes, limits.license-revoke.sign-out-5-minutes
  it('when the license is revoked: its app is signed out at the next heartbeat', async () => {
    const ada = await student();
    const apps = [await open(ada, 'one'), await open(ada, 'two', 'svccode')];
    await call('POST', `/licenses/${ada.license.id}/revoke`, {});
    expect((await devicesOf(ada)).seats).toEqual([]);
    for (const app of apps) expect([await isSignedOut(app), await reads(app)]).toEqual([true, 401]);
  });

  it('not when its session runs out: the device takes it over when it signs in again', async () => {
    const ada = await student();
    const before = await open(ada, 'desk');
    const [seat] = (await devicesOf(ada)).seats;
    await sql('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [ada.id]);
    expect([await isSignedOut(before), await seated(ada)]).toEqual([true, ['desk']]);
    await sql('DELETE FROM sessions WHERE user_id = $1', [ada.id]);
    await open(ada, 'desk');
    expect((await devicesOf(ada)).seats.map(({ id }: { id: string }) => id)).toEqual([seat.id]);
  });
});

describe('on a license that is not active', () => {
  const states: [string, string, string][] = [
    ['revoked', "status = 'revoked'", 'revoked'],
    ['suspended', "status = 'suspended'", 'suspended'],
    ['expired', "status = 'expired', expires_at = now() - interval '1 day'", 'expired'],
    ['expired, which nobody has seen yet', "expires_at = now() - interval '1 day'", 'expired'],
  ];

  it.each(states)('%s: an app is refused with its status, and nothing else has happened', async (_which, columns, status) => {
    const ada = await student();
    await sql(`UPDATE licenses SET ${columns} WHERE user_id = $1`, [ada.id]);
    const answer = await signInWith(ada, { app: 'svcapp', device: devices.deviceNamed('desk') });
    expect([errorSummary(answer), answer.body.message]).toEqual([[409, 'conflict'], expect.stringMatching(new RegExp(`^The license is ${status}: .+\\.$`))]);
    expect(await devicesOf(ada)).toMatchObject({ seats: [], activations: [] });
    expect((await call('GET', `/students/${ada.id}`)).data.status).toBe('pending');
    expect((await signInWith(ada, {})).status).toBe(200);
  });

  it('the code stays valid, and opens the app once the license is extended; the expiry was announced once', async () => {
    const ada = await student();
    const code = await devices.codeFor(api, institution, ada);
    await sql("UPDATE licenses SET expires_at = now() - interval '1 day' WHERE user_id = $1", [ada.id]);
    const attempt = () =>
      api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: ada.login_email, code, app: 'svcapp', device: devices.deviceNamed('desk') } });
    const events = await eventsDuring(api, institution, async () => {
      for (let nth = 0; nth < 3; nth += 1) expect((await attempt()).status).toBe(409);
      await call('POST', `/licenses/${ada.license.id}/extend`, { days: 1 });
    });
    expect(events.map(({ type }) => type)).toEqual(['license.expired']);
    expect((await attempt()).status).toBe(200);
    expect(await seated(ada)).toEqual(['desk']);
  });

  it('a wrong code is refused as on any other: only the right code shows the status of the license', async () => {
    const ada = await student();
    await call('POST', `/licenses/${ada.license.id}/revoke`, {});
    const code = await devices.codeFor(api, institution, ada);
    const wrong = code === '000000' ? '000001' : '000000';
    const answer = await api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: ada.login_email, code: wrong, app: 'svcapp', device: devices.deviceNamed('desk') } });
    expect(errorSummary(answer)).toEqual([401, 'unauthorized']);
  });
});

describe('is refused with the field', () => {
  const device = devices.deviceNamed('desk');
  const bodies: [string, object, string[]][] = [
    ['an app without a device', { app: 'svcapp' }, ['device']],
    ['a device without an app', { device }, ['app']],
    ['an unknown app', { app: 'svc', device }, ['app']],
    ['a device without anything', { app: 'svcapp', device: {} }, ['device.id', 'device.name', 'device.platform', 'device.app_version']],
    ['names that are too long or of two lines', { app: 'svcapp', device: { ...device, id: 'x'.repeat(201), name: 'a\nb' } }, ['device.id', 'device.name']],
    ['unknown fields of a device', { app: 'svcapp', device: { ...device, serial: '1' } }, ['device.serial']],
  ];

  it.each(bodies)('%s', async (_which, body, paths) => {
    const answer = await api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: 'a@b.example', code: '123456', ...body } });
    expect(errorSummary(answer)).toEqual([422, 'validation_error', [...paths].sort()]);
  });

  it('an app of a guardian, who signs in without one', async () => {
    const worker = await startTestWorker(api.settings);
    try {
      const ada = await student();
      const address = newGuardianEmail();
      const link = (await inviteGuardian(api, institution, ada.id, address)).data;
      await acceptInvitation(api, tokenIn(await guardianInvitationEmail(api, link.id)));
      await api.platform('POST', '/sign-in/codes', { key: undefined, body: { login_email: address } });
      const code = codeIn(await codeEmailFor(api, address));
      const signIn = (body: object) => api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: address, code, ...body } });
      const answer = await signIn({ app: 'svcapp', device });
      expect(errorSummary(answer)).toEqual([422, 'validation_error', ['app']]);
      expect((await signIn({})).status).toBe(200);
    } finally {
      await worker.stop();
    }
  });
});
