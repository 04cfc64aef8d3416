import { expireDueLicenses, expiryChunk, institutionsToSweep } from '../../../domain/licenses/expireDueLicenses';
import { extendLicense } from '../../../domain/licenses/extendLicense';
import { lockLicense } from '../../../db/repositories/licenses/licenses';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { eventsDuring, eventsOf } from '../../support/events';
import { inDays } from '../../support/time';
import { storedStatus, seedExpiredLicenses, seedLicense } from '../../support/seed/licenses';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture();

const sweep = (now = new Date(), target = institution) => transact(api.api.domain, systemCaller(target.id, now), expireDueLicenses);
const due = (now = new Date()) => institutionsToSweep(api.api.domain, now, '', 1_000);
const expiredIds = async () =>
  (await eventsOf(api, institution)).flatMap(({ data }) => ('license_id' in data && 'expired_at' in data ? [data.license_id] : []));

// Contract: licenses.states.daily-sweep-expires, licenses.expiry.event, events.license-expired
it('expires what has passed at the sweep\'s own time, to the millisecond, and announces it', async () => {
  const at = inDays(40);
  const { id } = await seedLicense(api, institution, { expiresAt: at });
  expect(await sweep(new Date(at.getTime() - 1))).toBe(0);
  const events = await eventsDuring(api, institution, async () => expect(await sweep(at)).toBe(1));
  expect(await storedStatus(api, id)).toBe('expired');
  const data = { license_id: id, license_type: 'institution', user_id: null, expired_at: at.toISOString() };
  expect(events).toEqual([{ type: 'license.expired', data }]);
});

it('names the student whose license expired', async () => {
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { license_days: 1 } });
  const events = await eventsDuring(api, institution, () => sweep(inDays(2)));
  expect(events.map(({ data }) => data)).toEqual([
    { license_id: student.license.id, license_type: 'student', user_id: student.id, expired_at: student.license.expires_at },
  ]);
});

it('leaves suspended, revoked, expired and lifetime licenses and those of others alone', async () => {
  const expiresAt = inDays(-1);
  for (const status of ['suspended', 'revoked', 'expired'] as const) await seedLicense(api, institution, { status, expiresAt });
  await seedLicense(api, institution, { isLifetime: true, expiresAt: null });
  const foreign = await seedLicense(api, await api.institution(), { expiresAt });
  expect(await eventsDuring(api, institution, async () => expect(await sweep()).toBe(0))).toEqual([]);
  expect(await storedStatus(api, foreign.id)).toBe('active');
});

it('takes a chunk at a time, oldest expiry first', async () => {
  await seedExpiredLicenses(api, institution, expiryChunk + 20);
  expect([await sweep(), await sweep(), await sweep()]).toEqual([expiryChunk, 20, 0]);
  const ids = await expiredIds();
  expect(ids[0]).toBe(`lic_${institution.id}_${expiryChunk + 20}`);
  expect(new Set(ids).size).toBe(expiryChunk + 20);
});

it('announces each expiry once when several sweeps run at once', async () => {
  await seedExpiredLicenses(api, institution, 600);
  const counts = await Promise.all([sweep(), sweep(), sweep(), sweep()]);
  const rest = await sweep();
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(600);
  const ids = await expiredIds();
  expect([ids.length, new Set(ids).size]).toEqual([600, 600]);
});

it('passes over a locked license, and announces it once for any order of sweeps', async () => {
  const { id } = await seedLicense(api, institution, { expiresAt: inDays(-1) });
  await transact(api.api.domain, systemCaller(institution.id), async (tx) => {
    await lockLicense(tx, id);
    expect(await sweep()).toBe(0);
    await extendLicense(tx, id, { days: 1 });
  });
  expect(await sweep()).toBe(0);
  expect(await expiredIds()).toEqual([id]);
  expect(await storedStatus(api, id)).toBe('active');
});

it('announces the next expiry of an extended license too', async () => {
  const { id } = await seedLicense(api, institution, { expiresAt: inDays(-1) });
  await sweep();
  await transact(api.api.domain, systemCaller(institution.id), (tx) => extendLicense(tx, id, { days: 1 }));
  await sweep(inDays(2));
  expect(await expiredIds()).toEqual([id, id]);
});

it('finds the institutions that have something to expire, and no other', async () => {
  const otherInstitution = await api.institution();
  expect(await due()).toEqual(expect.not.arrayContaining([institution.id, otherInstitution.id]));
  await seedExpiredLicenses(api, institution, 2);
  await seedLicense(api, otherInstitution, { status: 'suspended', expiresAt: inDays(-1) });
  expect(await due()).toContain(institution.id);
  expect(await due()).not.toContain(otherInstitution.id);
  expect(await institutionsToSweep(api.api.domain, new Date(), institution.id, 10)).not.toContain(institution.id);
  await sweep();
  expect(await due()).not.toContain(institution.id);
});
