import { responseTimeoutMs } from '../../db/responseTimeout';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type ApiResponse, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { seedEndpoint } from '../support/seed/endpoints';
import { stack } from '../support/stack';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { startTestWorker } from '../support/worker';

/** To a call's own statement, which waits first for a connection. */
const answersWithinMs = responseTimeoutMs + 15_000;

let network: TcpProxy;
let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let school: TestInstitution;

beforeAll(async () => {
  const postgres = new URL((await stack()).databaseUrl);
  network = await startTcpProxy(postgres.host);
  receiver = await startReceiver();
  postgres.host = network.address;
  api = await startTestApi({ databaseUrl: postgres.href, databaseDirectUrl: null, webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  school = await api.institution();
  await seedEndpoint(api, school, receiver.url, { events: ['student.created'] });
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await network.close();
  await receiver.close();
});

const create = (full_name: string): Promise<ApiResponse> => api.call('POST', '/students', { key: school.apiKey, body: { full_name } });
const events = (): Set<string> => new Set(receiver.received.map(({ headers }) => String(headers['x-svc-delivery-id'])));

it('where Postgres is gone without a word, calls end within the timeout of statements, and API and sender go on with new connections', async () => {
  expect((await create('before')).status).toBe(200);
  await eventually('the first webhook', () => receiver.received.length === 1);
  network.abandon();
  const began = performance.now();
  // More than there are connections.
  const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => create(`during ${nth}`)));
  expect(performance.now() - began).toBeLessThan(answersWithinMs);
  for (const { status, body, headers } of answers) {
    expect(`${status} ${body.error}`).toMatch(/^(200 undefined|503 rate_limiter_unavailable|429 rate_limited)$/);
    expect(status === 200 || Number(headers.get('retry-after')) > 0).toBe(true);
  }
  expect(answers.map(({ status }) => status)).toContain(503);
  expect((await create('after')).status).toBe(200);
  const created = 2 + answers.filter(({ status }) => status === 200).length;
  await eventually('the sender goes on', () => events().size === created, 2 * answersWithinMs);
}, 4 * answersWithinMs);
