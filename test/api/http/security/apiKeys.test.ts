import { ApiKeyEntity } from '../../../../db/entities/apiKey';
import { eventually } from '../../../support/eventually';
import { twoApisFixture } from '../../../support/apiFixture';

const fixture = twoApisFixture({ institutionPer: 'none' });
const { api } = fixture;

const change = (id: string, values: Partial<ApiKeyEntity>) => api.api.domain.database.manager.update(ApiKeyEntity, { id }, values);
const lastUsed = async (id: string): Promise<Date | null> => (await api.api.domain.database.manager.findOneByOrFail(ApiKeyEntity, { id })).lastUsedAt;

// Contract: keys.revocation.immediate
it('a revoked key is refused at the next request, also by another process that has just let it in', async () => {
  const { apiKey, keyId } = await api.institution();
  const ask = async (port: number): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } })).status;
  expect([await ask(api.api.port), await ask(fixture.secondPort)]).toEqual([200, 200]);
  await change(keyId, { revokedAt: new Date() });
  expect([await ask(fixture.secondPort), await ask(api.api.port)]).toEqual([401, 401]);
});

it('a key expires at its moment, not before', async () => {
  const { apiKey, keyId } = await api.institution();
  await change(keyId, { expiresAt: new Date(Date.now() + 600) });
  expect((await api.call('GET', '/me', { key: apiKey })).status).toBe(200);
  await eventually('the key expires', async () => (await api.call('GET', '/me', { key: apiKey })).status === 401);
});

it('last_used_at is written at most once a minute', async () => {
  const { apiKey, keyId } = await api.institution();
  expect(await lastUsed(keyId)).toBeNull();
  await Promise.all(Array.from({ length: 5 }, () => api.call('GET', '/me', { key: apiKey })));
  const first = await eventually('the first use', () => lastUsed(keyId));
  await api.call('GET', '/me', { key: apiKey });
  await api.call('GET', '/students', { key: apiKey });
  expect(await lastUsed(keyId)).toEqual(first);
  const long = new Date(Date.now() - 61_000);
  await change(keyId, { lastUsedAt: long });
  await api.call('GET', '/me', { key: apiKey });
  await eventually('the next use, a minute later', async () => ((await lastUsed(keyId)) ?? long) > long);
});
