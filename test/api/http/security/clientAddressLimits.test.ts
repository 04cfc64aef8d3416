import { Redis } from 'ioredis';
import { appCallsPerMinute } from '../../../../api/http/security/limitClientAddress';
import { addressNetwork } from '../../../../lib/addressNetwork';
import type { ApiResponse } from '../../../support/api';
import { appFixture } from '../../../support/appFixture';

const fixture = appFixture({ institutionPer: 'file' });
const { api } = fixture;

const body = { login_email: 'student9.00000000@nowhere.example' };
const codes = '/sign-in/codes';
const from = (address: string) => ({ 'x-forwarded-for': address });
const requestCode = (address: string, at: 'apps' | 'platform' = 'apps', path = codes): Promise<ApiResponse> => api[at]('POST', path, { key: undefined, headers: from(address), body });

let redis: Redis;
beforeAll(() => {
  redis = new Redis(api.settings.redisUrl, { keyPrefix: api.settings.redisKeyPrefix });
});
afterAll(() => redis.disconnect());

/** Counts calls of this minute and the next one that nobody made. */
async function countCalls(bucket: string, calls: number): Promise<void> {
  const second = Number((await redis.time())[0]);
  const reset = second - (second % 60) + 60;
  await Promise.all([reset, reset + 60].map((end) => redis.incrby(`rate:${bucket}:${end}`, calls)));
}

const countRequestsForCodes = (network: string): Promise<void> => countCalls(`/platform/v1${codes}:${network}`, 300);
const limited = ({ status, body: { error }, headers }: ApiResponse) => [status, error, Number(headers.get('retry-after')) > 0];
const refused = [429, 'rate_limited', true];

it('requests for codes are counted at both listeners together', async () => {
  await countRequestsForCodes('203.0.113.10');
  for (const at of ['apps', 'platform'] as const) expect(limited(await requestCode('203.0.113.10', at))).toEqual(refused);
  expect((await requestCode('203.0.113.11')).status).toBe(200);
});

it('a path with escapes is counted as the operation that it leads to', async () => {
  await countRequestsForCodes('203.0.113.12');
  expect(limited(await requestCode('203.0.113.12', 'apps', '/sign-in/%63odes'))).toEqual(refused);
  expect(limited(await requestCode('203.0.113.12', 'platform', '/%73ign-in/codes'))).toEqual(refused);
});

it('the addresses of one IPv6 network are counted as one client, those of another network apart', async () => {
  await countRequestsForCodes('2001:db8:1:2::/64');
  expect(limited(await requestCode('2001:db8:1:2:aaaa::1'))).toEqual(refused);
  expect(limited(await requestCode('2001:DB8:1:2:bbbb:0:0:2'))).toEqual(refused);
  expect((await requestCode('2001:db8:1:3::1')).status).toBe(200);
});

it.each([['/sign-in/sessions', 600], ['/invitations/accept', 300], ['/guardian-invitations/accept', 300]] as const)('calls that anybody may make are limited: %s', async (path, calls) => {
  await countCalls(`/platform/v1${path}:203.0.113.13`, calls);
  const ask = (address: string) => api.apps('POST', path, { headers: from(address), body: path === '/sign-in/sessions' ? { ...body, code: '123456' } : { token: 'x' } });
  expect(limited(await ask('203.0.113.13'))).toEqual(refused);
  expect((await ask('203.0.113.14')).status).not.toBe(429);
});

it('all calls of one address are limited at the listener of the apps, with a session too, and not at that of the platform', async () => {
  const who = await fixture.signedInStudent();
  await countCalls('apps:203.0.113.15', appCallsPerMinute);
  const ask = (at: 'apps' | 'platform', address: string) => api[at]('GET', '/app/exams', { key: who.session, headers: from(address) });
  expect(limited(await ask('apps', '203.0.113.15'))).toEqual(refused);
  expect((await ask('apps', '203.0.113.16')).status).toBe(200);
  expect((await ask('platform', '203.0.113.15')).status).toBe(200);
});

it('a client that forwards addresses of its own is not believed beyond the proxies that are trusted', async () => {
  await countRequestsForCodes('203.0.113.17');
  expect(limited(await requestCode('198.51.100.1, 203.0.113.17'))).toEqual(refused);
});

it.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
])('the network of %s is %s', (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});
