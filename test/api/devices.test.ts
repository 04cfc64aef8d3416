import { newId } from '../../domain/ids';
import { errorSummary } from '../support/responses';
import { apiFixture } from '../support/apiFixture';
import * as devices from '../support/devices';
import type { Person, SignedInApp } from '../support/devices';
import { seedLicense } from '../support/seed/licenses';
import { seedSeat } from '../support/seed/seats';

const { api, institution, sql, call } = apiFixture();

const student = () => devices.newStudent(api, institution);
const open = (person: Person, device: string, app: 'svcapp' | 'svccode' = 'svcapp') => devices.signInOn(api, institution, person, app, device);
const devicesOf = (person: Person, query?: Record<string, number>) => devices.devicesOf(api, institution, person, query);
const heartbeatOf = (app: SignedInApp, body?: object) => devices.sendHeartbeat(api, app, body);
const revoke = (person: Person, seatId: string) => call('POST', `/licenses/${person.license.id}/devices/${seatId}/revoke`);

describe('the devices of a license', () => {
  it('that nobody has signed in on are none, of lab machines too', async () => {
    const ada = await student();
    for (const [id, user_id] of [[ada.license.id, ada.id], [(await seedLicense(api, institution)).id, null]]) {
      expect((await call('GET', `/licenses/${id}/devices`)).data).toEqual({ user_id, seats: [], activations: [], page: 1, limit: 50, total: 0, has_more: false, next_cursor: null });
    }
  });

  it('are paged by activation, the newest first; the seats stand on every page', async () => {
    const ada = await student();
    for (const device of ['one', 'two', 'three']) await open(ada, device);
    const pages = await Promise.all([1, 2].map((page) => devicesOf(ada, { page, limit: 2 })));
    expect(pages.map(({ activations, total, has_more }) => [activations.map(({ device_id }: { device_id: string }) => device_id), total, has_more])).toEqual([
      [['device-three', 'device-two'], 3, true],
      [['device-one'], 3, false],
    ]);
    for (const { seats } of pages) expect(seats).toHaveLength(2);
  });

  it('are at most 100: the one that was seen longest ago is forgotten, and registered again when it comes back', async () => {
    const ada = await student();
    await sql(
      `INSERT INTO activations (license_id, device_id, institution_id, device_name, platform, app_version, first_seen_at, last_seen_at)
       SELECT $1, 'device-' || n, $2, 'Old', 'linux', '1', now() - interval '1 year', now() - n * interval '1 day' FROM generate_series(1, 100) n`,
      [ada.license.id, institution.id],
    );
    await open(ada, 'new');
    const { activations, total } = await devicesOf(ada, { limit: 200 });
    const names = activations.map(({ device_id }: { device_id: string }) => device_id);
    expect([total, names.includes('device-new'), names.includes('device-100'), names.includes('device-99')]).toEqual([100, true, false, true]);
  });

  it('of another institution, or an unknown license, are not_found', async () => {
    const { id } = await seedLicense(api, await api.institution());
    for (const other of [id, 'lic_unknown']) expect(errorSummary(await call('GET', `/licenses/${other}/devices`))).toEqual([404, 'not_found']);
  });
});

describe('revoking a seat', () => {
  // Contract: endpoints.revoke-seat
  it('takes it from the seats, and its device signs out at the next heartbeat; the others stay', async () => {
    const ada = await student();
    const [lost, kept] = [await open(ada, 'lost'), await open(ada, 'kept')];
    const seat = (await devicesOf(ada)).seats[1];
    const { status, data } = await revoke(ada, seat.id);
    expect([status, data]).toEqual([200, { ...seat, revoked_at: expect.any(String) }]);
    expect((await devicesOf(ada)).seats).toMatchObject([{ device_id: 'device-kept' }]);
    expect([(await heartbeatOf(lost)).signed_out, (await heartbeatOf(kept)).signed_out]).toEqual([true, false]);
    expect((await api.platform('GET', '/app/exams', { key: lost.session })).status).toBe(401);
  });

  it('leaves the device registered; it signs in again to a new seat, of which the old session knows nothing', async () => {
    const ada = await student();
    const before = await open(ada, 'desk');
    const [{ id }] = (await devicesOf(ada)).seats;
    await revoke(ada, id);
    await open(ada, 'desk');
    const { seats, activations } = await devicesOf(ada);
    expect([seats.length, activations.length, seats[0].id === id]).toEqual([1, 1, false]);
    expect((await heartbeatOf(before, { app_version: '9.9.9' })).signed_out).toBe(true);
    expect((await devicesOf(ada)).seats).toEqual(seats);
  });

  it('of another license, person or institution, one that has ended, and an unknown one are all not_found', async () => {
    const [ada, grace] = [await student(), await student()];
    const otherInstitution = await api.institution();
    const foreign = await devices.newStudent(api, otherInstitution);
    const graces = await seedSeat(api, institution, { userId: grace.id });
    const seats = [
      graces,
      await seedSeat(api, otherInstitution, { userId: foreign.id }),
      ...(await Promise.all((['signed_out', 'evicted', 'revoked'] as const).map((status) => seedSeat(api, institution, { userId: ada.id, status, endedAt: new Date() })))),
      newId('seat'),
    ];
    const answers = await Promise.all(seats.map((seat) => revoke(ada, seat)));
    for (const answer of answers) expect([errorSummary(answer), answer.body.message]).toEqual([[404, 'not_found'], 'No such active seat in this institution. Its id begins with seat_, and it may have ended already: GET /v1/licenses/{id}/devices has the active ones of a license.']);
    expect(errorSummary(await call('POST', `/licenses/${foreign.license.id}/devices/${String(seats[1])}/revoke`))).toEqual([404, 'not_found']);
    expect(await sql("SELECT 1 FROM seats WHERE id = ANY ($1) AND status = 'active'", [seats])).toHaveLength(2);
    expect((await revoke(grace, graces)).status).toBe(200);
    expect(errorSummary(await revoke(grace, graces))).toEqual([404, 'not_found']);
  });

  it('needs licenses:write, listing the devices licenses:read', async () => {
    const ada = await student();
    const seat = await seedSeat(api, institution, { userId: ada.id });
    const key = await api.keyFor(institution, ['licenses:read']);
    expect((await api.call('GET', `/licenses/${ada.license.id}/devices`, { key })).status).toBe(200);
    expect(errorSummary(await api.call('POST', `/licenses/${ada.license.id}/devices/${seat}/revoke`, { key })).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  });
});

describe('a heartbeat', () => {
  const seenAgo = (person: Person, seconds: number) =>
    Promise.all(['seats', 'activations'].map((table) => sql(`UPDATE ${table} SET last_seen_at = now() - $2::int * interval '1 second' WHERE license_id = $1`, [person.license.id, seconds])));
  const shown = async (person: Person) => {
    const { seats, activations } = await devicesOf(person);
    return [...seats, ...activations].map(({ last_seen_at, app_version }) => ({ last_seen_at, app_version }));
  };

  it('keeps when seat and device were last seen, with at most one write a minute', async () => {
    const ada = await student();
    const app = await open(ada, 'desk');
    await seenAgo(ada, 50);
    const before = await shown(ada);
    await heartbeatOf(app);
    await heartbeatOf(app, { app_version: '2.4.1' });
    expect(await shown(ada)).toEqual(before);
    await seenAgo(ada, 61);
    await heartbeatOf(app);
    for (const { last_seen_at, app_version } of await shown(ada)) {
      expect(Date.now() - Date.parse(last_seen_at)).toBeLessThan(30_000);
      expect(app_version).toBe('2.4.1');
    }
  });

  it('keeps a new version of the app at once', async () => {
    const ada = await student();
    const app = await open(ada, 'desk');
    await heartbeatOf(app, { app_version: '2.5.0' });
    expect((await shown(ada)).map(({ app_version }) => app_version)).toEqual(['2.5.0', '2.5.0']);
  });

  it("keeps its own seat alone, not one of another app or person", async () => {
    const ada = await student();
    const app = await open(ada, 'desk');
    await open(ada, 'desk', 'svccode');
    await seenAgo(ada, 600);
    await heartbeatOf(app, { app_version: '2.5.0' });
    expect((await devicesOf(ada)).seats.map(({ app_version }: { app_version: string }) => app_version)).toEqual(['2.4.1', '2.5.0']);
  });

  it('of a suspended or expired license stays signed in, is notified, and keeps its seat', async () => {
    const ada = await student();
    const app = await open(ada, 'desk');
    await api.platform('POST', `/licenses/${ada.license.id}/suspend`);
    expect(await heartbeatOf(app)).toMatchObject({ signed_out: false, license: { status: 'suspended' } });
    await sql("UPDATE licenses SET expires_at = now() - interval '1 day' WHERE id = $1", [ada.license.id]);
    await api.platform('POST', `/licenses/${ada.license.id}/resume`);
    expect(await heartbeatOf(app)).toMatchObject({ signed_out: false, license: { status: 'expired' } });
    await call('POST', `/licenses/${ada.license.id}/extend`, { days: 1 });
    expect(await heartbeatOf(app)).toMatchObject({ signed_out: false, license: { status: 'active' } });
    expect((await devicesOf(ada)).seats).toHaveLength(1);
  });
});
