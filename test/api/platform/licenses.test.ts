import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';
import { inDays } from '../../support/time';
import { storedStatus, seedLicense } from '../../support/seed/licenses';

const { api, institution, call } = apiFixture();
const day = 86_400_000;

const suspend = (id: string) => api.platform('POST', `/licenses/${id}/suspend`);
const resume = (id: string) => api.platform('POST', `/licenses/${id}/resume`);
const give = (body: object, institutionId = institution.id) => api.platform('POST', `/institutions/${institutionId}/licenses`, { body });

describe('suspending and resuming a license', () => {
  // Contract: licenses.fields.status
  it('turns it suspended and active again, as the institution reads it; repeats change nothing, and nothing is emitted', async () => {
    const { id, expiresAt } = await seedLicense(api, institution);
    const events = await eventsDuring(api, institution, async () => {
      for (const [command, status] of [[suspend, 'suspended'], [resume, 'active']] as const) {
        for (let nth = 0; nth < 2; nth += 1) expect((await command(id)).data).toMatchObject({ id, status, expires_at: expiresAt?.toISOString() });
        expect((await call('GET', `/licenses/${id}`)).data.status).toBe(status);
      }
    });
    expect(events).toEqual([]);
  });

  it('resumed after its time has passed it is expired, which is announced once', async () => {
    const { id } = await seedLicense(api, institution, { status: 'suspended', expiresAt: inDays(-1) });
    const events = await eventsDuring(api, institution, async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => resume(id)));
      for (const { data } of answers) expect(data.status).toBe('expired');
    });
    expect(events).toMatchObject([{ type: 'license.expired', data: { license_id: id } }]);
    expect(await storedStatus(api, id)).toBe('expired');
  });

  it('of a revoked license, and suspending an expired one, is a conflict; nothing changes', async () => {
    const revoked = await seedLicense(api, institution, { status: 'revoked', revokedAt: new Date() });
    const lapsed = await seedLicense(api, institution, { expiresAt: inDays(-1) });
    for (const answer of [await suspend(revoked.id), await resume(revoked.id), await suspend(lapsed.id)]) expect(errorSummary(answer)).toEqual([409, 'conflict']);
    expect([await storedStatus(api, revoked.id), await storedStatus(api, lapsed.id)]).toEqual(['revoked', 'active']);
  });

  it('of an unknown one is not_found', async () => {
    for (const command of [suspend, resume]) expect(errorSummary(await command('lic_unknown'))).toEqual([404, 'not_found']);
  });

  it('a suspension and a revocation at once leave it revoked', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      const { id } = await seedLicense(api, institution);
      await Promise.all([suspend(id), call('POST', `/licenses/${id}/revoke`, {}), resume(id)]);
      expect(await storedStatus(api, id)).toBe('revoked');
    }
  });
});

describe('a license for lab machines', () => {
  // Contract: licenses.types.institution
  it('is created by the platform, announced, and listed, extended and revoked like any other', async () => {
    let made: { id: string; expires_at: string } = { id: '', expires_at: '' };
    const events = await eventsDuring(api, institution, async () => {
      const { status, data } = await give({ license_type: 'institution', seats: 30, days: 90 });
      expect([status, data]).toMatchObject([200, { license_type: 'institution', status: 'active', user: null, max_activations: 30, is_lifetime: false }]);
      made = data;
    });
    expect(events).toEqual([{ type: 'license.generated', data: { license_id: made.id, license_type: 'institution', user_id: null, expires_at: made.expires_at } }]);
    expect((Date.parse(made.expires_at) - Date.now()) / day).toBeCloseTo(90, 2);
    expect((await call('GET', '/licenses')).data.items).toContainEqual(made);
    expect((await call('GET', '/licenses/summary')).data.by_type.institution).toMatchObject({ active: 1, total: 1 });
    const { data } = await call('POST', `/licenses/${made.id}/extend`, { days: 10 });
    expect(Date.parse(data.expires_at) - Date.parse(made.expires_at)).toBe(10 * day);
    expect((await suspend(made.id)).data.status).toBe('suspended');
    expect((await resume(made.id)).data.status).toBe('active');
    expect((await call('POST', `/licenses/${made.id}/revoke`, {})).data.status).toBe('revoked');
  });

  it.each([
    ['no fields', {}, ['license_type', 'seats', 'days']],
    ['another type', { license_type: 'student', seats: 1, days: 1 }, ['license_type']],
    ['too little', { license_type: 'institution', seats: 0, days: 0 }, ['seats', 'days']],
    ['too much', { license_type: 'institution', seats: 1_001, days: 3_651 }, ['seats', 'days']],
    ['parts', { license_type: 'institution', seats: 1.5, days: '1' }, ['seats', 'days']],
    ['unknown fields', { license_type: 'institution', seats: 1, days: 1, expires_at: null }, ['expires_at']],
  ])('with %s is refused', async (_which, body, paths) => {
    expect(errorSummary(await give(body))).toEqual([422, 'validation_error', [...paths].sort()]);
  });

  it('takes the bounds of machines and days', async () => {
    for (const [seats, days] of [[1, 3_650], [1_000, 1]]) expect((await give({ license_type: 'institution', seats, days })).data.max_activations).toBe(seats);
  });

  it('of an unknown institution is not_found', async () => {
    expect(errorSummary(await give({ license_type: 'institution', seats: 1, days: 1 }, 'ins_unknown'))).toEqual([404, 'not_found']);
  });
});
