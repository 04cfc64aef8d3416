import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { stack } from '../support/stack';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { waitUntilPolling, startTestWorker } from '../support/worker';

let proxy: TcpProxy;
let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;

beforeAll(async () => {
  proxy = await startTcpProxy((await stack()).temporalAddress);
  api = await startTestApi({ temporalAddress: proxy.address });
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
  institution = await api.institution();
});

afterAll(async () => {
  await proxy.resume();
  await worker.stop();
  await api.stop();
  await proxy.close();
});

const request = async (): Promise<string> => {
  const body = { name: 'Fair', total_coupons: 10, value_cents: 500, expiry_date: new Date(Date.now() + 300 * 86_400_000).toISOString() };
  return (await api.call('POST', '/coupons/batches', { key: institution.apiKey, body })).data.id;
};
const decide = (id: string, verb: 'approve' | 'reject') => api.platform('POST', `/institutions/${institution.id}/coupon-batches/${id}/${verb}`, { body: {} });
const read = async (id: string) => (await api.call('GET', `/coupons/batches/${id}`, { key: institution.apiKey })).data;
const outboxRows = () => api.api.domain.database.sql<{ kind: string; workflow_id: string }>('SELECT kind, workflow_id FROM owed_workflows WHERE institution_id = $1 ORDER BY seq', [institution.id]);

it('an approval while Temporal is away is kept and done later, whether the request came before or meanwhile', async () => {
  const before = await request();
  await eventually('nothing owed', async () => (await outboxRows()).length === 0);
  await proxy.refuse();
  const meanwhile = await request();
  for (const id of [before, meanwhile]) expect((await decide(id, 'approve')).status).toBe(200);
  expect((await decide(meanwhile, 'reject')).status).toBe(409);
  expect(await outboxRows()).toEqual([
    { kind: 'start', workflow_id: meanwhile },
    { kind: 'signal', workflow_id: before },
    { kind: 'signal', workflow_id: meanwhile },
  ]);
  expect([await read(before), await read(meanwhile)]).toMatchObject([{ status: 'pending', codes: [] }, { status: 'pending', codes: [] }]);
  await proxy.resume();
  for (const id of [before, meanwhile]) {
    await eventually('the codes', async () => (await read(id)).status === 'approved');
    expect((await read(id)).codes).toHaveLength(10);
  }
});
