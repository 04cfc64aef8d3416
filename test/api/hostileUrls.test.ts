import { networkInterfaces } from 'node:os';
import { hostileAliases, hostileHosts, hostileNames, hostileUrls } from '../domain/webhooks/hostileHosts';
import { useNameServer, startNameServer, type NameServer } from '../outbound/webhooks/nameServer';
import { startTestApi, type ApiResponse, type TestApi, type TestInstitution } from '../support/api';
import { connectToEach, listenOnLoopback, type Loopback } from '../support/loopback';

const publicUrl = 'https://hooks.example.org/institution';
const zones = new Map<string, readonly string[]>([...hostileNames.map(({ name, addresses }) => [name, addresses] as const), ['hooks.example.org', ['8.8.8.8']]]);
const errorCodes = ['https_required', 'private_host', 'validation_error'];
const none = (loopback: Loopback): Record<string, number> => Object.fromEntries(loopback.addresses.map((address) => [address, 0]));

let loopback: Loopback;
let names: NameServer;
let endNaming: () => void;
let api: TestApi;
let institution: TestInstitution;
let endpointId: string;

beforeAll(async () => {
  loopback = await listenOnLoopback();
  names = await startNameServer((name) => zones.get(name) ?? [], hostileAliases);
  endNaming = useNameServer(names);
  api = await startTestApi({ webhookTrustedHosts: [] });
  institution = await api.institution();
  endpointId = (await create(publicUrl)).data.id;
});

afterAll(async () => {
  await api.stop();
  endNaming();
  await names.close();
  await loopback.close();
});

const create = (url: string): Promise<ApiResponse> => api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url, events: ['*'] } });
const change = (url: string): Promise<ApiResponse> => api.call('PATCH', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey, body: { url } });

/** What a URL is answered when it is created and when it is changed. */
async function codesOf(url: string): Promise<string[]> {
  const answers = [await create(url), await change(url)];
  return answers.map(({ status, body }) => (status === 422 ? body.error : String(status)));
}

async function expectUntouched(): Promise<void> {
  expect(loopback.connections()).toEqual(none(loopback));
  const { data } = await api.call('GET', '/webhooks/endpoints', { key: institution.apiKey });
  expect(data.items.map(({ url }: { url: string }) => url)).toEqual([publicUrl]);
}

const withPort = (url: string): string => url.replace('PORT', String(loopback.port));

describe('a URL that must never be connected to is refused when created and when changed, and nobody connects', () => {
  // Contract: webhooks.url.private-host-or-credentials-rejected, errors.conditions.webhook-url-rejected
  it('with a host that is private by its spelling', async () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => (address.includes(':') ? `[${address}]` : address)));
    const accepted = [];
    for (const host of [...hostileHosts, ...own]) {
      const codes = await codesOf(withPort(`https://${host}:PORT/hook`));
      if (!codes.every((code) => code === 'private_host' || code === 'validation_error')) accepted.push({ host, codes });
    }
    expect(accepted).toEqual([]);
    await expectUntouched();
  });

  it('that misleads by more than its host', async () => {
    const accepted = [];
    for (const url of hostileUrls) {
      const codes = await codesOf(withPort(url));
      if (!codes.every((code) => errorCodes.includes(code))) accepted.push({ url, codes });
    }
    expect(accepted).toEqual([]);
    await expectUntouched();
  });

  it.each(hostileNames)('with the name $name, which leads to $addresses', async ({ name }) => {
    expect(await codesOf(withPort(`https://${name}:PORT/`))).toEqual(['private_host', 'private_host']);
    expect(names.lookups(name)).toBe(2);
    await expectUntouched();
  });

  it.each(Object.keys(hostileAliases).filter((name) => name !== 'alias-inside.example.com'))('with the name %s, which is an alias of one of those', async (name) => {
    expect(await codesOf(withPort(`https://${name}:PORT/`))).toEqual(['private_host', 'private_host']);
    await expectUntouched();
  });
});

it('would have noticed a connection to any address of this machine', async () => {
  expect(loopback.addresses).toContain('127.0.0.1');
  if (process.platform === 'linux') expect(loopback.addresses).toContain('127.0.0.2');
  if (Object.values(networkInterfaces()).flat().some((own) => own?.address === '::1')) expect(loopback.addresses).toContain('::1');
  await connectToEach(loopback);
  expect(new Set(Object.values(loopback.connections()))).toEqual(new Set([1]));
});
