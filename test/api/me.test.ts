import { apiFixture } from '../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

describe('GET /me', () => {
  // Contract: keys.institution.exactly-one, keys.description.fields, me.get.response, auth.key.identifies-institution
  // Contract: scopes.none-needed.me-and-scopes
  it('describes the calling key, for any scopes', async () => {
    const institution = await api.institution(['alpha:read']);
    const { status, data, headers } = await api.call('GET', '/me', { key: institution.apiKey });
    expect(status).toBe(200);
    expect(data).toEqual({
      key_id: institution.keyId,
      name: 'test',
      environment: 'live',
      institution: { id: institution.id, name: 'North School' },
      scopes: ['alpha:read'],
      rate_limit_per_min: 6000,
      request_id: headers.get('x-request-id'),
    });
    expect(data.request_id).toMatch(/^req_/);
  });

  it('needs a key and takes no parameters', async () => {
    const institution = await api.institution();
    expect((await api.call('GET', '/me')).body.error).toBe('unauthorized');
    expect((await api.call('GET', '/me', { key: institution.apiKey, query: { verbose: true } })).body.issues).toHaveLength(1);
  });
});

describe('GET /scopes', () => {
  // Contract: scopes.list.all-with-descriptions, scopes.none-needed.me-and-scopes
  it('lists the 24 scopes with descriptions, to a key of any scope', async () => {
    const institution = await api.institution(['alpha:read']);
    const { status, data } = await api.call('GET', '/scopes', { key: institution.apiKey });
    expect(status).toBe(200);
    expect(data.items).toHaveLength(24);
    expect(data.items[0]).toEqual({ scope: 'students:read', description: 'List and read students.' });
    expect(new Set(data.items.map(({ scope }: { scope: string }) => scope)).size).toBe(24);
  });
});
