import { transact } from '../../../domain/transact';
import { changeDeliveries } from '../../support/deliveries';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { apiFixture } from '../../support/apiFixture';
import { minutesAgo } from '../../support/time';

const { api, institution, sql } = apiFixture();

describe('the failing endpoints of all institutions', () => {
  const failingIds = async (query: Record<string, string | number> = {}) => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, data }: { status: number; data: { items: { id: string }[]; next_cursor: string | null } } = await api.platform('GET', '/failing-endpoints', { query: { ...query, cursor } });
      expect(status).toBe(200);
      ids.push(...data.items.map(({ id }) => id));
      cursor = data.next_cursor;
    }
    return ids;
  };

  it('are those with failures since the last success, or an open circuit, with the name of their school', async () => {
    const other = await api.institution();
    const url = 'https://hooks.north.example/in';
    const [failing, open] = [await seedEndpoint(api, institution, url, { failingSince: minutesAgo(9), consecutiveFailures: 3 }), await seedEndpoint(api, other, url, { circuit: 'open', circuitOpenedAt: minutesAgo(5), probeAt: minutesAgo(1) })];
    const others = [await seedEndpoint(api, institution, url), await seedEndpoint(api, institution, url, { failingSince: minutesAgo(9), status: 'disabled', disabledReason: 'answered 410 Gone' })];
    const ids = await failingIds();
    expect([ids.filter((id) => id === failing || id === open), ids.filter((id) => others.includes(id))]).toEqual([[open, failing], []]);
    expect((await failingIds({ circuit: 'open' })).filter((id) => id === failing || id === open)).toEqual([open]);
    const { data } = await api.platform('GET', '/failing-endpoints', { query: { limit: 200 } });
    expect(data.items.find(({ id }: { id: string }) => id === failing)).toMatchObject({ institution_id: institution.id, institution_name: 'North School', url, circuit: 'closed', consecutive_failures: 3, failing_since: expect.any(String) });
  });

  it('are the disabled or the paused ones by their state, with since when and why, or all that do not work', async () => {
    const url = 'https://hooks.north.example/in';
    const disabled = await seedEndpoint(api, institution, url, { status: 'disabled', disabledReason: 'answered 410 Gone' });
    const paused = await seedEndpoint(api, institution, url, { status: 'paused', pausedAt: minutesAgo(7) });
    const failing = await seedEndpoint(api, institution, url, { failingSince: minutesAgo(9), consecutiveFailures: 3 });
    await transact(api.api.domain, institution.caller, async (tx) => tx.emit('endpoint.disabled', { endpoint_id: disabled, reason: 'gone', failing_since: null }));
    await seedDelivery(api, institution, paused, { status: 'held', heldAt: minutesAgo(5), deadlineAt: minutesAgo(-60) });
    const seeded = [failing, paused, disabled];
    const among = async (state: string) => (await failingIds({ state })).filter((id) => seeded.includes(id));
    expect([await among('disabled'), await among('paused'), await among('failing'), await among('open'), await among('any')]).toEqual([[disabled], [paused], [failing], [], seeded]);
    const { data } = await api.platform('GET', '/failing-endpoints', { query: { state: 'any', limit: 200 } });
    const found = (wanted: string) => data.items.find(({ id }: { id: string }) => id === wanted);
    expect(found(disabled)).toMatchObject({ status: 'disabled', disabled_reason: 'answered 410 Gone', disabled_at: expect.any(String), paused_at: null, held: 0, first_held_deadline_at: null });
    expect(found(paused)).toMatchObject({ status: 'paused', disabled_at: null, paused_at: expect.any(String), held: 1, first_held_deadline_at: expect.any(String) });
    expect((await api.platform('GET', '/failing-endpoints', { query: { state: 'broken' } })).status).toBe(422);
  });
});

it('the workers are shown with the age of the oldest delivery that waits for them', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  const id = await seedDelivery(api, institution, endpoint, { status: 'pending' });
  await changeDeliveries(sql, "SET event_created_at = now() - interval '1 hour' WHERE id = $1", [id]);
  const { status, data } = await api.platform('GET', '/workers');
  expect([status, typeof data.polling]).toEqual([200, 'boolean']);
  expect(data.oldest_pending_delivery_seconds).toBeGreaterThanOrEqual(3_600);
});
