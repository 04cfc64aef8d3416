import { parseRedisSettings } from '../../config/redisSettings';

const read = (given: Record<string, string> = {}) => {
  const environment: Record<string, string> = { REDIS_URL: 'redis://:secret@redis:6379', REDIS_KEY_PREFIX: 'institution:', REDIS_SENTINELS: '', REDIS_SENTINEL_NAME: '', REDIS_SENTINEL_PASSWORD: '', ...given };
  return parseRedisSettings((name) => environment[name] ?? '');
};

it('without Sentinels the URL names the server', () => {
  expect(read()).toEqual({ redisUrl: 'redis://:secret@redis:6379', redisKeyPrefix: 'institution:', redisSentinels: null });
});

it('reads names and addresses of Sentinels, also of IPv6', () => {
  const { redisSentinels } = read({ REDIS_SENTINELS: 'sentinel-1:26379, 10.0.0.2:26380,[fd00::3]:26381', REDIS_SENTINEL_NAME: 'school', REDIS_SENTINEL_PASSWORD: 's' });
  expect(redisSentinels).toEqual({
    addresses: [{ host: 'sentinel-1', port: 26_379 }, { host: '10.0.0.2', port: 26_380 }, { host: 'fd00::3', port: 26_381 }], name: 'school', password: 's',
  });
});

it.each([['sentinel-1'], ['sentinel-1:99999'], ['redis://sentinel-1:26379'], ['a:1,b']])('refuses %s as Sentinels', (sentinels) => {
  expect(() => read({ REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: 'school' })).toThrow('REDIS_SENTINELS must be a comma list of addresses');
});

it('refuses Sentinels without a name, and a name without Sentinels', () => {
  for (const given of [{ REDIS_SENTINELS: 'sentinel-1:26379' }, { REDIS_SENTINEL_NAME: 'school' }]) expect(() => read(given as Record<string, string>)).toThrow('REDIS_SENTINELS and REDIS_SENTINEL_NAME must be set together');
});
