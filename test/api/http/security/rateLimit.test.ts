import { setTimeout as wait } from 'node:timers/promises';
import { ApiKeyEntity } from '../../../../db/entities/apiKey';
import type { ApiResponse, TestInstitution } from '../../../support/api';
import { twoApisFixture } from '../../../support/apiFixture';

const fixture = twoApisFixture({ institutionPer: 'none' });
const { api } = fixture;

/** An institution whose key may make 10 requests a minute, with most of the minute before it. */
async function institutionWithLowLimit(): Promise<TestInstitution> {
  const institution = await api.institution(['students:read']);
  await api.api.domain.database.manager.update(ApiKeyEntity, { id: institution.keyId }, { rateLimitPerMin: 10 });
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 8_000) await wait(left + 50);
  return institution;
}

const remaining = ({ headers }: Pick<ApiResponse, 'headers'>): number => Number(headers.get('x-ratelimit-remaining'));

// Contract: errors.429.rate-limited, errors.conditions.rate-limit-exceeded, errors.rate-limited.retry-after, limits.rate.fixed-60-second-window
// Contract: rate-limit.headers.limit, rate-limit.headers.remaining, rate-limit.headers.retry-after
it('counts down to nothing, then refuses until the minute is over', async () => {
  const { apiKey } = await institutionWithLowLimit();
  for (let left = 9; left >= 0; left -= 1) {
    const answer = await api.call('GET', '/me', { key: apiKey });
    expect([answer.status, answer.headers.get('x-ratelimit-limit'), remaining(answer)]).toEqual([200, '10', left]);
    expect(answer.headers.has('retry-after')).toBe(false);
  }
  const { status, body, headers } = await api.call('GET', '/me', { key: apiKey });
  expect([status, body.error, headers.get('x-ratelimit-remaining')]).toEqual([429, 'rate_limited', '0']);
  expect(body.message).toMatch(new RegExp(`^More than 10 requests in this minute; retry in ${headers.get('retry-after')} s\\.$`));
  const until = Number(headers.get('x-ratelimit-reset')) - Math.floor(Date.now() / 1_000);
  expect(Math.abs(Number(headers.get('retry-after')) - until)).toBeLessThanOrEqual(1);
});

// Contract: limits.rate.fixed-60-second-window, rate-limit.headers.reset
it('names the end of the minute, in Unix seconds, as the moment of reset', async () => {
  const { apiKey } = await institutionWithLowLimit();
  const { headers } = await api.call('GET', '/me', { key: apiKey });
  expect(Number(headers.get('x-ratelimit-reset'))).toBe((Math.floor(Date.now() / 60_000) + 1) * 60);
});

it('counts what is refused for scope, input, path or method as well', async () => {
  const { apiKey } = await institutionWithLowLimit();
  const calls: [string, string, number][] = [
    ['POST', '/students', 403],
    ['GET', '/students?limit=0', 422],
    ['GET', '/nothing', 404],
    ['PUT', '/students', 501],
  ];
  for (const [index, [method, path, expected]] of calls.entries()) {
    const answer = await api.call(method, path, { key: apiKey });
    expect([path, answer.status, remaining(answer)]).toEqual([path, expected, 9 - index]);
  }
});

it('counts at every process of the service together', async () => {
  const { apiKey } = await institutionWithLowLimit();
  const urls = [api.baseUrl, `http://127.0.0.1:${fixture.secondPort}/v1`];
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => fetch(`${urls[index % 2] ?? ''}/me`, { headers: { authorization: `Bearer ${apiKey}` } })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
  expect(answers.filter(({ status }) => status === 200).map(remaining).sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('counts each key by itself', async () => {
  const institution = await institutionWithLowLimit();
  const other = await api.keyFor(institution, ['students:read']);
  for (let call = 0; call < 11; call += 1) await api.call('GET', '/me', { key: institution.apiKey });
  expect((await api.call('GET', '/me', { key: institution.apiKey })).status).toBe(429);
  expect((await api.call('GET', '/me', { key: other })).status).toBe(200);
});

it('does not count who has no valid key', async () => {
  const { headers } = await api.call('GET', '/me', { key: `svc_live_${'a'.repeat(32)}` });
  expect(headers.has('x-ratelimit-remaining')).toBe(false);
});
