import { networkInterfaces } from 'node:os';
import { createHostAddresses } from '../../../outbound/webhooks/hostAddresses';
import { createWebhookClient, type WebhookClient } from '../../../outbound/webhooks/webhookClient';
import { hostileAliases, hostileHosts, hostileNames, hostileUrls } from '../../domain/webhooks/hostileHosts';
import { type NameServer, startNameServer } from './nameServer';
import { type Receiver, startHttp, startRaw } from './receivers';

/** Public by the registries and routed nowhere: what is let through to it goes nowhere. */
const publicNowhere = '3ffe::1';

describe('what must never be connected to', () => {
  let everywhere: Receiver;
  let names: NameServer;
  let client: WebhookClient;
  const zones = new Map<string, (lookup: number) => readonly string[] | null>(hostileNames.map(({ name, addresses }) => [name, () => addresses]));

  beforeAll(async () => {
    everywhere = await startRaw(() => undefined, '::').catch(() => startRaw(() => undefined, '0.0.0.0'));
    names = await startNameServer((name, lookup) => zones.get(name)?.(lookup) ?? [], hostileAliases);
    client = createWebhookClient({ trustedHosts: [], resolver: names.resolver, timeoutMs: 400 });
  });
  afterAll(async () => {
    await client.close();
    await names.close();
    await everywhere.close();
  });
  afterEach(() => {
    expect(everywhere.connections).toBe(0);
  });

  const post = (host: string) => client.post({ url: `https://${host}:${everywhere.port}/`, headers: {}, body: '{}' });

  test('hosts that are private by their spelling', async () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
    const hosts = [...hostileHosts, ...own.map((address) => (address.includes(':') ? `[${address}]` : address))];
    const outcomes = await Promise.all(hosts.map(post));
    for (const [i, outcome] of outcomes.entries()) {
      expect([hosts[i], outcome.errorClass, outcome.responseCode, outcome.ok]).toEqual([hosts[i], 'blocked', null, false]);
    }
  });

  test.each(hostileNames)('the name $name, which leads to $addresses', async ({ name }) => {
    expect(await post(name)).toMatchObject({
      ok: false,
      errorClass: 'blocked',
      responseCode: null,
      error: 'The host is, or resolves to, an address that is not public',
    });
    expect(await client.isPrivateHost(new URL(`https://${name}/`))).toBe(true);
  });

  test('misleading URLs', async () => {
    const urls = hostileUrls.map((url) => url.replace('PORT', String(everywhere.port)));
    const outcomes = await Promise.all(urls.map((url) => client.post({ url, headers: {}, body: '{}' })));
    expect(outcomes.map(({ errorClass, responseCode }, i) => [urls[i], errorClass, responseCode])).toEqual(urls.map((url) => [url, 'blocked', null]));
  });

  test.each(Object.entries(hostileAliases))('the name %s, which is an alias of %s', async (name, target) => {
    const { errorClass, responseCode } = await post(name);
    // A target that the name server does not know leads nowhere.
    expect([errorClass, responseCode]).toEqual([zones.has(target) || target in hostileAliases ? 'blocked' : 'dns', null]);
  });

  test('a name that changes between look-ups: each connection asks once and goes where that answer led', async () => {
    const name = 'rebind.example.com';
    zones.set(name, (lookup) => (lookup % 2 === 0 ? [publicNowhere] : ['127.0.0.1', '::1']));
    for (let i = 0; i < 4; i += 1) {
      const { errorClass } = await post(name);
      if (i % 2 === 0) expect(['connect', 'timeout']).toContain(errorClass);
      else expect(errorClass).toBe('blocked');
      expect(names.lookups(name)).toBe(i + 1);
    }
  });

  test('many at the same moment to a name that changes: all go by the one answer they share', async () => {
    const name = 'rebind-many.example.com';
    zones.set(name, (lookup) => (lookup === 0 ? ['127.0.0.1'] : [publicNowhere]));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => post(name)));
    expect(new Set(outcomes.map(({ errorClass }) => errorClass))).toEqual(new Set(['blocked']));
    expect(names.lookups(name)).toBe(1);
  });

  test('the addresses handed to the socket are the public ones of that very answer', async () => {
    zones.set('many.example.com', () => ['8.8.8.8', '8.8.4.4', '1.1.1.1', '2606:4700::1', '2606:4700::2']);
    const addresses = createHostAddresses({ trustedHosts: [], resolver: names.resolver });
    const resolved = await addresses.resolve(new URL('https://many.example.com/'));
    expect(resolved).toHaveLength(4);
    expect([resolved[0], resolved[2]].every((address) => address?.includes('.'))).toBe(true);
    expect([resolved[1], resolved[3]].every((address) => address?.includes(':'))).toBe(true);
    expect(await addresses.resolve(new URL('https://8.8.8.8/'))).toEqual(['8.8.8.8']);
    expect(await addresses.isPrivate(new URL('https://many.example.com/'))).toBe(false);
    expect(await addresses.isPrivate(new URL('https://unknown.example.com/'))).toBe(false);
  });

  test('a trusted host is trusted on its port only, and does not make others trusted', async () => {
    const trusting = createWebhookClient({ trustedHosts: [`localhost:${everywhere.port + 1}`], resolver: names.resolver, timeoutMs: 400 });
    for (const url of [`https://localhost:${everywhere.port}/`, `https://127.0.0.1:${everywhere.port}/`, `https://localtest.example.com:${everywhere.port}/`]) {
      expect(await trusting.post({ url, headers: {}, body: '{}' })).toMatchObject({ errorClass: 'blocked' });
    }
    await trusting.close();
  });

  test('redirects to private addresses', async () => {
    const status = [301, 302, 303, 307, 308, 300];
    let answered = 0;
    const redirecting = await startHttp((_request, response) => {
      response.writeHead(status[answered++ % status.length] ?? 302, { location: `http://127.0.0.1:${everywhere.port}/` }).end();
    });
    const trusting = createWebhookClient({ trustedHosts: [`127.0.0.1:${redirecting.port}`, `127.0.0.1:${everywhere.port}`] });
    for (const responseCode of status) {
      const outcome = await trusting.post({ url: `http://127.0.0.1:${redirecting.port}/`, headers: {}, body: '{}' });
      expect(outcome).toMatchObject({ ok: false, errorClass: 'http', responseCode });
      expect(outcome.error).toBe(`The receiver redirected (${responseCode}), which is not followed`);
    }
    await trusting.close();
    await redirecting.close();
  });

  test('proxies named by the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: `http://127.0.0.1:${everywhere.port}`, HTTPS_PROXY: `http://127.0.0.1:${everywhere.port}`, NODE_USE_ENV_PROXY: '1' });
    const receiver = await startHttp((_request, response) => response.end());
    const fresh = createWebhookClient({ trustedHosts: [`127.0.0.1:${receiver.port}`] });
    expect(await fresh.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: '{}' })).toMatchObject({ ok: true });
    process.env = before;
    await fresh.close();
    await receiver.close();
  });
});
