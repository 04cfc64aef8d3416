import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgress } from '../../local/progress';
import { ProcessRecord } from '../../local/processRecord';
import { startTemporal } from '../../local/programs/temporal';
import { supervisedLauncher } from '../../local/supervise';
import { createAuthority } from '../support/certificates';
import { startGrpcProxy, type GrpcProxy } from '../support/grpcProxy';
import { stack } from '../support/stack';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const serverName = 'temporal.test';
const authority = createAuthority();
const client = authority.certify('start.test');
const folder = mkdtempSync(join(tmpdir(), 'start-temporal-'));
const apiKeyFile = join(folder, 'api-key');

let proxy: GrpcProxy;
let record: ProcessRecord;

beforeAll(async () => {
  writeFileSync(apiKeyFile, 'key-1\n');
  proxy = await startGrpcProxy((await stack()).temporalAddress, { ...authority.certify(serverName), ca: authority.ca });
  ({ record } = await ProcessRecord.claim(join(folder, 'processes.json')));
});
afterAll(async () => {
  await closeTestTemporal();
  await proxy.close();
});

const secured = (): NodeJS.ProcessEnv => ({
  TEMPORAL_ADDRESS: proxy.address,
  TEMPORAL_TLS: 'true',
  TEMPORAL_TLS_SERVER_NAME: serverName,
  TEMPORAL_TLS_CA_FILE: authority.caFile,
  TEMPORAL_TLS_CERT_FILE: client.certFile,
  TEMPORAL_TLS_KEY_FILE: client.keyFile,
  TEMPORAL_API_KEY_FILE: apiKeyFile,
});

function start(environment: NodeJS.ProcessEnv, namespace: string) {
  const progress = createProgress(() => undefined, 'short');
  const launcher = supervisedLauncher({ record, progress, signal: new AbortController().signal, onGiveUp: () => undefined });
  return startTemporal({ environment, namespaces: [namespace], logFile: join(folder, 'temporal.log'), record, launcher, progress });
}

test('npm start prepares a namespace of a Temporal that asks for a client certificate and an API key', async () => {
  const namespace = `start-${randomUUID()}`;
  const { address } = await start(secured(), namespace);
  expect(address).toBe(proxy.address);
  expect(new Set(proxy.calls.map((call) => `${call.client} ${call.authorization}`))).toEqual(new Set(['start.test Bearer key-1']));
  const temporal = openTestTemporal((await stack()).settings());
  const { namespaceInfo } = await temporal.client.workflowService.describeNamespace({ namespace });
  expect(namespaceInfo?.name).toBe(namespace);
});

test('npm start says at once which variable of a secured Temporal is wrong', async () => {
  const { TEMPORAL_TLS_KEY_FILE: _key, ...withoutKey } = secured();
  await expect(start(withoutKey, 'unused')).rejects.toThrow('TEMPORAL_TLS_CERT_FILE is set; so must be TEMPORAL_TLS_KEY_FILE');
  await expect(start({ ...secured(), TEMPORAL_TLS: 'perhaps' }, 'unused')).rejects.toThrow('"TEMPORAL_TLS" must be a boolean');
});
