import { institutionsWithOldDeliveries, pruneOldDeliveries } from '../../../domain/retention/pruneOldDeliveries';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../../support/seed/endpoints';
import { daysBefore } from '../../support/time';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
const now = new Date();
const minute = 60_000;

/** Endpoints of the institution that were created then, and deleted right away. */
const seedDeletedEndpoints = (count: number, createdMsAgo: number): Promise<unknown> =>
  sql(
    `INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at, deleted_at)
     SELECT 'we_' || $1 || $3 || n, $1, 'https://gone.example', '{*}', 'active', 'x', at, at, at
       FROM generate_series(1, $2::int) n CROSS JOIN (SELECT now() - $3::int * interval '1 millisecond' AS at) t`,
    [institution.id, count, createdMsAgo],
  );
const create = () => api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: 'https://93.184.215.14/hook', events: ['*'] } });

describe('creating endpoints', () => {
  it('is bounded at 60 an hour, those that were deleted among them; older ones do not count', async () => {
    await seedDeletedEndpoints(58, 40 * minute);
    await seedDeletedEndpoints(30, 61 * minute);
    const created = await create();
    expect(created.status).toBe(200);
    const { status, body } = await create();
    expect([status, body.error]).toEqual([422, 'endpoint_limit']);
    const [, retryAt = ''] = /^An institution can create at most 60 webhook endpoints per hour, including deleted ones; retry after (\S+)\.$/.exec(body.message) ?? [];
    expect(Math.abs(Date.parse(retryAt) - Date.now() - 20 * minute)).toBeLessThan(minute);
  });

  it('of one institution does not bound others', async () => {
    await seedDeletedEndpoints(60, minute);
    const otherInstitution = await api.institution();
    expect((await api.call('POST', '/webhooks/endpoints', { key: otherInstitution.apiKey, body: { url: 'https://93.184.215.14/hook', events: ['*'] } })).status).toBe(200);
  });
});

describe('a deleted endpoint', () => {
  const retain = () => transact(api.api.domain, systemCaller(institution.id, now), (tx) => pruneOldDeliveries(tx, null));
  const exists = async (id: string): Promise<boolean> => (await sql('SELECT 1 FROM webhook_endpoints WHERE id = $1', [id])).length > 0;
  const seed = (deletedDaysAgo: number): Promise<string> =>
    seedEndpoint(api, institution, 'https://hooks.north.example/gone', { createdAt: daysBefore(now, deletedDaysAgo + 1), deletedAt: daysBefore(now, deletedDaysAgo) });
  const deliver = (endpointId: string, status: 'delivered' | 'held', daysAgo: number): Promise<string> =>
    seedDelivery(api, institution, endpointId, { status, createdAt: daysBefore(now, daysAgo) });

  it('leaves 90 days after its deletion, with the last of its deliveries, which leave with their week', async () => {
    const [old, recent] = [await seed(91), await seed(89)];
    await deliver(old, 'delivered', 97);
    await deliver(recent, 'delivered', 89);
    expect(await retain()).toEqual({ removed: 1, kept: 0, next: null });
    expect([await exists(old), await exists(recent), await exists(endpoint.id)]).toEqual([false, true, true]);
  });

  it('stays as long as one of its deliveries does', async () => {
    const old = await seed(91);
    await deliver(old, 'held', 92);
    await retain();
    expect(await exists(old)).toBe(true);
  });

  it('without deliveries is found, and leaves as well', async () => {
    const found = () => institutionsWithOldDeliveries(api.api.domain, now, '', 1_000);
    expect(await found()).not.toContain(institution.id);
    const old = await seed(91);
    expect(await found()).toContain(institution.id);
    await retain();
    expect([await exists(old), (await found()).includes(institution.id)]).toEqual([false, false]);
  });
});
