import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../config/logger';
import { openGenericPlanPool, type GenericPlanPool } from '../../db/genericPlanPool';
import { approveInstitution, suspendInstitution } from '../../domain/institutions/changeStatus';
import { transact } from '../../domain/transact';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { createWorkerMetrics } from '../../worker/metrics';
import { startSender } from '../../worker/sender/sender';
import type { TestInstitution } from '../support/api';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { apiFixture } from '../support/apiFixture';

const hour = 3_600_000;
/** More than a resume moves with its command. */
const count = 12_000;
const movedAtOnce = 5_000;

let receiver: Receiver;
let client: WebhookClient;
let pool: GenericPlanPool;

beforeAll(async () => {
  receiver = await startReceiver();
  client = createWebhookClient({ trustedHosts: [receiver.host] });
});

const { api, sql } = apiFixture({ institutionPer: 'none', settings: () => ({ webhookTrustedHosts: [receiver.host] }) });

beforeAll(() => {
  pool = openGenericPlanPool(api.stack.databaseUrl, 7, () => undefined);
});

afterAll(async () => {
  await pool.close();
  await client.close();
  await receiver.close();
});

/** An institution that was suspended six hours ago, an hour after the deliveries that it holds were created. */
async function suspendedInstitution(): Promise<{ institution: TestInstitution; endpointId: string }> {
  const institution = await api.institution();
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/held', { events: ['*'] });
  const suspendedAt = new Date(Date.now() - 6 * hour);
  const createdAt = new Date(suspendedAt.getTime() - hour);
  await sql('UPDATE webhook_endpoints SET created_at = $2 WHERE id = $1', [endpointId, createdAt]);
  await transact(api.api.domain, { institutionId: institution.id, now: suspendedAt }, (tx) => suspendInstitution(tx));
  await sql(
    `INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, held_at, deadline_at, created_at)
     SELECT 'whd_' || $1 || lpad(n::text, 6, '0'), $1, $2, 'evt_' || $1 || n, 'exam.graded', $4::timestamptz + n * interval '1 ms', 'held', $5, $4::timestamptz + interval '12 hours', $4
       FROM generate_series(1, $3::int) n`,
    [institution.id, endpointId, count, createdAt, suspendedAt],
  );
  return { institution, endpointId };
}

const countMoved = async (endpointId: string): Promise<number> =>
  (await sql("SELECT 1 FROM deliveries WHERE endpoint_id = $1 AND deadline_at - created_at >= interval '18 hours'", [endpointId])).length;

it('events of others arrive while an institution with many deliveries resumes, before and after its command is committed', async () => {
  const { institution, endpointId } = await suspendedInstitution();
  const other = await api.institution();
  await seedEndpoint(api, other, receiver.url, { events: ['*'] });
  await sql('DELETE FROM event_queue');
  const { domain } = api.api;
  const sender = startSender({ domain, sql: pool.sql, client, logger: createLogger('worker', 'silent'), metrics: createWorkerMetrics(), onOutboxAppended: () => undefined });
  const arrive = async (events: number): Promise<void> => {
    for (let nth = 0; nth < events; nth += 1) {
      const [id = ''] = await seedEvents(api, other, { createdAt: new Date(Date.now() + 60_000), queued: true });
      sender.wakeForEvents();
      await eventually('the event of the other institution', () => receiver.received.some(({ headers }) => headers['webhook-id'] === id), 4_000);
      await pause(20);
    }
  };
  try {
    await transact(domain, { institutionId: institution.id, now: new Date() }, async (tx) => {
      await approveInstitution(tx);
      await seedEvents(api, institution, { createdAt: new Date(Date.now() + 60_000), count: 600, queued: true });
      await arrive(10);
    });
    expect(await countMoved(endpointId)).toBeGreaterThanOrEqual(movedAtOnce);
    sender.wakeForDeliveries();
    await arrive(10);
    await eventually('all deadlines', async () => (await countMoved(endpointId)) === count);
  } finally {
    await sender.stop(10_000);
  }
});
