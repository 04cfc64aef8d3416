import { institutionScope } from '../../../db/database';
import type { Position } from '../../../db/page';
import { listDeliveries, type DeliveryFilter } from '../../../db/repositories/webhooks/deliveries';
import { changeDeliveries } from '../../support/deliveries';
import { withExplain } from '../../support/queryPlans';
import { seedDeadDeliveries } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { apiFixture } from '../../support/apiFixture';
import { vacuum } from '../../support/statistics';

const { api, institution, sql } = apiFixture({ institutionPer: 'file' });
const deliveries = 20_000;
const limit = 20;
let middle: Date;

beforeAll(async () => {
  const createdAt = new Date(Date.now() - 86_400_000);
  middle = new Date(createdAt.getTime() + deliveries / 2);
  const ids = await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, 'https://hooks.example.org/in'), deliveries, { createdAt });
  // Half were delivered, half answered 500; among the oldest are a few of other kinds.
  await changeDeliveries(sql, "SET error_class = 'http' WHERE id = ANY ($1)", [ids]);
  await changeDeliveries(sql, "SET status = 'delivered', response_code = 200, error_class = NULL WHERE id = ANY ($1)", [ids.filter((_id, nth) => nth % 2 === 0)]);
  await changeDeliveries(sql, "SET status = 'dead', response_code = 429 + (ordinal % 2)::int, error_class = 'http' FROM unnest($1::text[]) WITH ORDINALITY AS o (other, ordinal) WHERE id = other", [ids.slice(0, 80)]);
  await changeDeliveries(sql, "SET status = 'dead', response_code = NULL, error_class = 'tls' WHERE id = ANY ($1)", [ids.slice(100, 140)]);
  await vacuum(api);
});

async function read(filter: DeliveryFilter, after: Position | null = null) {
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  const { rows, next } = await listDeliveries(scope, filter, { page: 1, limit, cursor: { after } });
  return { rows, next, blocks: done.reduce((sum, { blocks }) => sum + blocks, 0), scans: done.flatMap(({ scans }) => scans) };
}

const since = new Date(0);
const filters: [string, () => DeliveryFilter][] = [
  ['a rare class of responses', () => ({ response_code: '4xx' })],
  ['a rare response code', () => ({ response_code: '429' })],
  ['a frequent class', () => ({ response_code: '5xx' })],
  ['a frequent code', () => ({ response_code: '500' })],
  ['successes', () => ({ response_code: '2xx' })],
  ['a rare error class', () => ({ error_class: 'tls' })],
  ['a frequent error class', () => ({ error_class: 'http' })],
  ['a rare error class of one status in a range', () => ({ status: 'dead', error_class: 'tls', since, until: middle })],
  ['a range that ends long before the newest delivery', () => ({ since, until: middle })],
];

it('the deliveries of one event are read by its index, though those of all others are many', async () => {
  const [row] = await sql<{ event_id: string }>('SELECT event_id FROM webhook_deliveries WHERE institution_id = $1 ORDER BY created_at LIMIT 1', [institution.id]);
  const { rows, blocks } = await read({ event_id: row?.event_id });
  expect(rows.length).toBe(1);
  expect(blocks).toBeLessThan(limit * 12);
});

it.each(filters)('%s: a page reads little of 20,000 deliveries, as the next one does', async (_what, filter) => {
  const first = await read(filter());
  expect(first.rows.length).toBe(limit);
  const second = await read(filter(), first.next);
  expect(second.rows.length).toBeGreaterThan(0);
  for (const { blocks, scans } of [first, second]) {
    // The envelope of each row costs a few blocks of the events.
    expect(blocks).toBeLessThan(limit * 12);
    expect(scans).not.toContain('webhook_deliveries: Seq Scan');
  }
});
