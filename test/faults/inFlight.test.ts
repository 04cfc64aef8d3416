import { EventEmitter, once } from 'node:events';
import { releaseLapsedClaims } from '../../db/repositories/webhooks/sending';
import { circuitOf, countDeliveriesByState } from '../support/circuits';
import { deliveriesOf } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { expireClaims } from '../support/studentRecords';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql } = fixture;

let endpointId: string;

beforeEach(async () => {
  endpointId = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
});

/** An attempt that has arrived and is not answered yet: answers the delivery's id, and what lets the receiver answer. */
async function attemptInFlight(status: number): Promise<{ id: string; answer: () => void }> {
  const gate = new EventEmitter();
  fixture.receiver.respond = async (_received, nth) => {
    if (nth > 1) return 200;
    await once(gate, 'open');
    return status;
  };
  await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const first = await eventually('the attempt', () => fixture.receiver.received[0]);
  return { id: String(first.headers['x-svc-delivery-id']), answer: () => gate.emit('open') };
}

const logged = (id: string) => eventually('the attempt logged', async () => (await sql('SELECT 1 FROM webhook_attempts WHERE delivery_id = $1', [id])).length === 1);
const delivery = async (id: string) => (await deliveriesOf(api, endpointId)).get(id);

const interferences: [string, (id: string) => Promise<{ status: number }>, string][] = [
  ['is cancelled', (id) => api.platform('POST', `/institutions/${institution.id}/deliveries/${id}/cancel`), 'cancelled'],
  ['loses its endpoint', () => api.call('DELETE', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey }), 'cancelled'],
];

describe.each(interferences)('a delivery that %s while it is attempted', (_what, interfere, becomes) => {
  it.each([200, 500])('stays ended when the attempt is answered %i, which is logged, and nobody waits for it', async (answer) => {
    const attempt = await attemptInFlight(answer);
    expect((await interfere(attempt.id)).status).toBe(200);
    attempt.answer();
    await logged(attempt.id);
    expect(await delivery(attempt.id)).toMatchObject({ status: becomes, attempts: 0, claimedBy: null, nextAttemptAt: null });
    expect(await sql('SELECT 1 FROM owed_workflows WHERE institution_id = $1', [institution.id])).toEqual([]);
    expect((await circuitOf(api.api.domain.database.sql, endpointId)).backlog_open).toBe(false);
  });
});

it('a delivery whose endpoint is paused while it is attempted is held when the attempt fails, and delivered after the resume', async () => {
  const attempt = await attemptInFlight(500);
  const setStatus = (status: string) => api.call('PATCH', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey, body: { status } });
  await setStatus('paused');
  expect(await delivery(attempt.id)).toMatchObject({ status: 'pending' });
  attempt.answer();
  await eventually('it is held', async () => (await delivery(attempt.id))?.status === 'held');
  expect(await delivery(attempt.id)).toMatchObject({ attempts: 1, retriedBy: 'backlog', claimedBy: null });
  await setStatus('active');
  await eventually('it is delivered', async () => (await delivery(attempt.id))?.status === 'delivered');
  expect(fixture.receiver.received).toHaveLength(2);
});

it('a claim that lapses while its attempt is in flight is taken by another attempt, and what the first one came to changes nothing', async () => {
  const attempt = await attemptInFlight(500);
  expect(await expireClaims(api.api.domain.database.sql)).toBe(1);
  await releaseLapsedClaims(api.api.domain.database.sql);
  await eventually('it is delivered', async () => (await delivery(attempt.id))?.status === 'delivered');
  expect(fixture.receiver.received).toHaveLength(2);
  attempt.answer();
  await eventually('the failure noted', async () => (await circuitOf(api.api.domain.database.sql, endpointId)).consecutive_failures === 1);
  expect(await delivery(attempt.id)).toMatchObject({ status: 'delivered', attempts: 1, responseCode: 200 });
  expect(await countDeliveriesByState(api.api.domain.database.sql, endpointId)).toEqual({ delivered: 1 });
});

it('only claims whose time has passed are given back', async () => {
  const attempt = await attemptInFlight(200);
  await releaseLapsedClaims(api.api.domain.database.sql);
  expect((await delivery(attempt.id))?.claimedBy).not.toBeNull();
  attempt.answer();
  await eventually('it is delivered', async () => (await delivery(attempt.id))?.status === 'delivered');
  expect(fixture.receiver.received).toHaveLength(1);
});
