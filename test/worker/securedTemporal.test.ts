import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProcessRecord } from '../../local/processRecord';
import { projectRoot } from '../../local/projectRoot';
import { createProgress } from '../../local/progress';
import { temporalProgram } from '../../local/programs/temporalProgram';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { RunningWorker } from '../../worker/start';
import type { licenseExpirySweep } from '../../workflows/licenseExpirySweep';
import { startTestApi, type TestApi } from '../support/api';
import { bulkItems, postStudentsBulk, studentsOf } from '../support/batches';
import { createAuthority, type CertificateFiles } from '../support/certificates';
import { consoleOrigin } from '../support/console';
import { eventually } from '../support/eventually';
import { startGrpcProxy, type GrpcProxy } from '../support/grpcProxy';
import { environmentOf } from '../support/programs';
import { addStaffMember } from '../support/staff';
import { stack } from '../support/stack';
import { closeTestTemporal, createNamespace, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const serverName = 'temporal.test';
const authority = createAuthority();
const [first, second] = [authority.certify('first.test'), authority.certify('second.test')];
const folder = mkdtempSync(join(tmpdir(), 'temporal-worker-'));
const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
const apiKeyFile = join(folder, 'api-key');
const codecKey = (byte: number) => ({ id: `p${byte}`, key: Buffer.alloc(32, byte) });

let proxy: GrpcProxy;
let api: TestApi;
let worker: RunningWorker;
let temporal: TemporalConnection;

const write = (by: CertificateFiles): void => {
  copyFileSync(by.keyFile, files.keyFile);
  copyFileSync(by.certFile, files.certFile);
};

beforeAll(async () => {
  write(first);
  writeFileSync(apiKeyFile, 'key-1');
  const own = await stack();
  proxy = await startGrpcProxy(own.temporalAddress, { ...authority.certify(serverName), ca: authority.ca });
  api = await startTestApi({
    // Nobody without the keys reads what its Schedules have.
    temporalNamespace: await createNamespace(openTestTemporal(own.settings())),
    temporalAddress: proxy.address,
    temporalTls: { serverName, caFile: authority.caFile, client: files },
    temporalApiKeyFile: apiKeyFile,
    temporalCodecKeys: [codecKey(2), codecKey(1)],
  });
  temporal = openTestTemporal(api.settings);
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});
afterAll(async () => {
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
  await proxy.close();
});

/** A sweep that begins behind every institution, so it finds nothing to expire. */
const sweep = (workflowId: string, by = temporal) =>
  by.client.workflow.start<typeof licenseExpirySweep>('licenseExpirySweep', {
    workflowId,
    taskQueue: api.settings.taskQueue,
    args: [{ nowMs: Date.now(), afterId: 'zzz', expired: 41, institutions: 1, failed: [] }],
  });
const isWorkerCall = (method: string): boolean => /^Poll|^Respond/.test(method);

it('API and worker do everything by client certificate and API key', async () => {
  const institution = await api.institution();
  expect((await postStudentsBulk(api, institution, bulkItems(2))).status).toBe(200);
  expect((await studentsOf(api, institution)).size).toBe(2);
  expect(new Set(proxy.calls.map(({ client, authorization }) => `${client} ${authorization}`))).toEqual(new Set(['first.test Bearer key-1']));
  expect(proxy.calls.some(({ method }) => method === 'StartWorkflowExecution')).toBe(true);
  expect(proxy.calls.some(({ method }) => isWorkerCall(method))).toBe(true);
});

const deploy = (command: string) =>
  promisify(execFile)(process.execPath, ['--require', './test/support/compileSource.js', 'worker/deployMain.ts', command], {
    cwd: projectRoot(),
    env: { PATH: process.env.PATH, ...environmentOf({ ...api.settings, workerDeployment: { deploymentName: 'secured', buildId: '1' } }) },
  });

it('the commands of a deployment, too', async () => {
  const before = proxy.calls.length;
  expect((await deploy('status')).stdout).toBe('Deployment secured; this release is 1.\nNo worker of the deployment has registered yet.\n');
  const asked = proxy.calls.slice(before).filter(({ method }) => method === 'DescribeWorkerDeployment');
  expect(asked.map(({ client, authorization }) => [client, authorization])).toEqual([['first.test', 'Bearer key-1']]);
});

it('a worker goes on with changed certificates and a changed API key, without a restart', async () => {
  write(second);
  writeFileSync(apiKeyFile, 'key-2');
  const newest = (): number => proxy.calls.filter(({ method, client, authorization }) => isWorkerCall(method) && client === 'second.test' && authorization === 'Bearer key-2').length;
  await (await sweep('while-they-change')).result();
  await eventually('a call of the worker by the new ones', async () => {
    await (await sweep(`changed-${proxy.calls.length}`)).result();
    return newest() > 0;
  });
  await eventually('a sweep by the new ones alone', async () => {
    const since = proxy.calls.length;
    expect(await (await sweep(`after-the-change-${since}`)).result()).toEqual({ expired: 41, institutions: 1 });
    return [...new Set(proxy.calls.slice(since).map(({ client, authorization }) => `${client} ${authorization}`))].join() === 'second.test Bearer key-2';
  });
});

it('a worker goes on with the API key of before while Temporal refuses the changed one', async () => {
  const refused = 'Bearer key-refused';
  proxy.refuses = ({ authorization }) => authorization === refused;
  writeFileSync(apiKeyFile, 'key-refused');
  await eventually('a try of the worker or the API', () => proxy.calls.some(({ method, authorization }) => method === 'DescribeNamespace' && authorization === refused));
  expect(await (await sweep('while-refused')).result()).toEqual({ expired: 41, institutions: 1 });
  expect(proxy.calls.filter(({ method, authorization }) => isWorkerCall(method) && authorization === refused)).toEqual([]);
  proxy.refuses = () => false;
  await eventually('a call of the worker by the changed one', async () => {
    await (await sweep(`accepted-${proxy.calls.length}`)).result();
    return proxy.calls.some(({ method, authorization }) => isWorkerCall(method) && authorization === refused);
  });
});

describe('with keys for payloads', () => {
  it('Temporal has arguments, results and summaries encrypted, and clients with the keys read them', async () => {
    const handle = await sweep('encrypted');
    expect(await handle.result()).toEqual({ expired: 41, institutions: 1 });
    const { events } = await handle.fetchHistory();
    const ofStart = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads;
    const ofEnd = events?.at(-1)?.workflowExecutionCompletedEventAttributes?.result?.payloads;
    const fields = [...(ofStart ?? []), ...(ofEnd ?? [])].map(({ metadata }) => Object.entries(metadata ?? {}).map(([name, value]) => `${name}=${Buffer.from(value).toString()}`).sort());
    expect(fields).toEqual([['encoding=binary/encrypted', 'encryption-key-id=p2'], ['encoding=binary/encrypted', 'encryption-key-id=p2']]);
    const readable = Buffer.concat(proxy.calls.map(({ message }) => message)).toString('latin1');
    expect(readable).not.toMatch(/afterId|nowMs|"expired/);
    const details = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(details.currentDetails).toContain('41 licenses expired');
  });

  it('the command line of Temporal decrypts by the codec server, for staff', async () => {
    await (await sweep('shown')).result();
    const program = await temporalProgram({ environment: process.env, logFile: join(folder, 'temporal.log'), record: (await ProcessRecord.claim(join(folder, 'processes.json'))).record, progress: createProgress(() => undefined, 'short') });
    const { temporalAddress } = await stack();
    const show = async (...more: string[]): Promise<string> =>
      (await promisify(execFile)(program, ['workflow', 'show', '--address', temporalAddress, '--namespace', api.settings.temporalNamespace, '--workflow-id', 'shown', '--output', 'json', ...more])).stdout;
    const { token } = await addStaffMember(api);
    const payloadsIn = (history: string): string => [...history.matchAll(/"data": "([^"]+)"/g)].map(([, data = '']) => Buffer.from(data, 'base64').toString()).join('\n');
    expect(payloadsIn(await show())).not.toContain('afterId');
    expect(payloadsIn(await show('--codec-endpoint', `${consoleOrigin(api)}/console/codec`, '--codec-auth', `Bearer ${token}`))).toContain('"afterId"');
  });

  it('a client without the newest key is understood, and one without any too', async () => {
    const plain = openTestTemporal({ ...api.settings, temporalCodecKeys: [] });
    const older = openTestTemporal({ ...api.settings, temporalCodecKeys: [codecKey(1)] });
    for (const [id, by] of [['by-a-client-without-keys', plain], ['by-a-client-with-the-old-key', older]] as const) {
      await sweep(id, by);
      expect(await temporal.client.workflow.getHandle(id).result()).toEqual({ expired: 41, institutions: 1 });
    }
    await expect(plain.client.workflow.getHandle('by-a-client-without-keys').result()).rejects.toThrow();
  });
});
