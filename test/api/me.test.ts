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

  it('says whether the header is missing or has another form, or the token is none of a key', async () => {
    const { apiKey } = await api.institution();
    const form = 'Send the header "Authorization: Bearer svc_live_…", with a test key "svc_test_…".';
    const answer = async (authorization?: string) => (await api.call('GET', '/me', { headers: authorization === undefined ? {} : { authorization } })).body;
    for (const [other, problem] of [
      [undefined, 'It is missing, or is not "Bearer", a space and the key.'],
      [apiKey, 'What was sent has no "Bearer" before the key.'],
      [`Token ${apiKey}`, 'What was sent begins with "Token".'],
      [`Basic ${apiKey}`, 'What was sent begins with "Basic".'],
      [`Bearer Bearer ${apiKey}`, 'What was sent has "Bearer" twice.'],
      [`Bearer ${apiKey} ${apiKey}`, 'It is missing, or is not "Bearer", a space and the key.'],
    ] as const) {
      expect(await answer(other)).toMatchObject({ error: 'unauthorized', message: `${form} ${problem}` });
    }
    const named = async (headers: Record<string, string>, query = {}) => (await api.call('GET', '/me', { headers, query })).body;
    expect(await named({ 'x-api-key': apiKey })).toMatchObject({ error: 'unauthorized', message: `${form} The key was sent in X-Api-Key, which the service does not read.` });
    expect(await named({}, { api_key: apiKey })).toMatchObject({ error: 'unauthorized', message: `${form} The key was sent in the query, where logs keep it: replace it by another.` });
    expect(await answer('Bearer sk_live_1')).toMatchObject({ error: 'unauthorized', message: `${form} The token that was sent begins with neither.` });
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
