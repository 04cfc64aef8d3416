import type { RunningWorker } from '../../worker/start';
import type { Readiness } from '../../lib/readiness';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { createStudents, medianMs } from '../support/calls';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { stack } from '../support/stack';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { announcedEvents, countByStatus } from '../support/studentRecords';
import { startTestWorker } from '../support/worker';

const students = 20;
/** A call that waited for Temporal would take half a second longer, or ten. */
const noticeableMs = 150;

let receiver: Receiver;
let proxy: TcpProxy;
let api: TestApi;
let worker: RunningWorker;
let usualMs: number;

async function readiness(port: number): Promise<{ code: number; status: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  const { status }: Readiness = JSON.parse(await response.text());
  return { code: response.status, status };
}
const workerSays = (status: string) => async () => (await readiness(worker.port)).status === status;

beforeAll(async () => {
  receiver = await startReceiver();
  proxy = await startTcpProxy((await stack()).temporalAddress);
  api = await startTestApi({ webhookTrustedHosts: [receiver.host], temporalAddress: proxy.address });
  worker = await startTestWorker(api.settings);
  await eventually('the worker at Temporal', workerSays('ready'));
  const institution = await api.institution();
  usualMs = medianMs(await create(institution));
});

afterAll(async () => {
  await proxy.resume();
  await worker.stop();
  await api.stop();
  await proxy.close();
  await receiver.close();
});

beforeEach(() => {
  receiver.received.length = 0;
});

const create = (institution: TestInstitution) =>
  createStudents({ baseUrl: api.baseUrl, apiKey: institution.apiKey, clients: 1, shouldContinue: (begun) => begun < students });

const arrived = (): Set<string> => new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])));

describe.each([
  ['refuses connections', () => proxy.refuse()],
  ['hangs', async () => proxy.hang()],
])('while Temporal %s', (_how, goAway) => {
  it('students are created at the usual speed and announced; what fails stays in the outbox and is retried once Temporal is back', async () => {
    const { sql } = api.api.domain.database;
    const institution = await api.institution();
    await seedEndpoint(api, institution, receiver.url);
    const refused = new Set<string>();
    receiver.respond = ({ headers }) => {
      const id = String(headers['webhook-id']);
      if (refused.size >= 3 || refused.has(id)) return 200;
      refused.add(id);
      return 500;
    };
    await goAway();
    const calls = await create(institution);
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
    expect(medianMs(calls)).toBeLessThan(usualMs + noticeableMs);

    const events = await announcedEvents(sql, institution.id);
    await eventually('every event at the receiver', () => events.every((id) => arrived().has(id)));
    await eventually('the state of every delivery', async () => {
      const counts = await countByStatus(sql, institution.id);
      return counts.retrying === refused.size && counts.delivered === events.length - refused.size;
    });
    await eventually('a degraded worker', workerSays('degraded'));
    expect(await readiness(worker.port)).toEqual({ code: 200, status: 'degraded' });
    expect(await readiness(api.api.platformPort)).toEqual({ code: 200, status: 'ready' });
    const outboxRows = await sql('SELECT 1 FROM owed_workflows WHERE institution_id = $1', [institution.id]);
    expect(outboxRows).toHaveLength(refused.size);

    await proxy.resume();
    await eventually('an empty outbox', async () => (await sql('SELECT 1 FROM owed_workflows WHERE institution_id = $1', [institution.id])).length === 0);
    await eventually('everything delivered', async () => (await countByStatus(sql, institution.id)).delivered === events.length);
    await eventually('the worker at Temporal', workerSays('ready'));
  });
});
