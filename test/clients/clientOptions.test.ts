import { InstitutionClient, type ClientOptions } from '../../clients/typescript/src';

const apiKey = `svc_live_${'k'.repeat(32)}`;

describe('a client is not made', () => {
  const https = 'https://api.example.org/v1';

  /** Why no client is made of options as a program in JavaScript may give them. */
  function rejection(options: Record<string, unknown>): string {
    const given = { baseUrl: https, apiKey, ...options } as ClientOptions;
    try {
      return new InstitutionClient(given) instanceof InstitutionClient ? '' : 'no client';
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
  }

  it.each([
    'https://api.example.org', 'https://api.example.org/', 'https://api.example.org/v2', 'api.example.org/v1', `${https}?a=/v1`, `${https}#/v1`, `${https}?`, 'ftp://api.example.org/v1',
    `${https}\n`, `${https} `, 'https:///v1', 'https://api.example.org:a/v1', `${https}?${apiKey}`, apiKey,
  ])('with the base URL %j, which is not shown', (baseUrl) => {
    const message = rejection({ baseUrl });
    expect(message).toBe('baseUrl must be the URL of the API with its version, as in https://api.example.org/v1');
  });

  it.each(['https://api.example.org/platform/v1', 'http://localhost:4001/platform/v1/'])('with the base URL of the platform API, %j', (baseUrl) => {
    expect(rejection({ baseUrl })).toBe('baseUrl is that of the platform API: the public API is served by another port or host, as in https://api.example.org/v1');
  });

  it.each([[''], [undefined], [null]])('with the base URL %j, which is empty', (baseUrl) => {
    expect(rejection({ baseUrl })).toBe('baseUrl must be the URL of the API with its version, as in https://api.example.org/v1; it is empty');
  });

  it.each([`https://${apiKey}@api.example.org/v1`, `https://:${apiKey}@api.example.org/v1`])('with a user or a password in the base URL, which are not shown', (baseUrl) => {
    expect(rejection({ baseUrl })).toBe('baseUrl must not hold a user or a password');
  });

  it.each(['api.example.org', '192.168.1.5:4000', 'localhost.example.org', '127.0.0.1.example.org', '[2001:db8::1]'])('with http of another machine, %s, unless that is allowed', (host) => {
    expect(rejection({ baseUrl: `http://${host}/v1` })).toMatch(/^baseUrl must begin with https: over plain http anybody on the way could read the API key\./);
    expect(rejection({ baseUrl: `http://${host}/v1`, allowHttp: true })).toBe('');
    for (const local of ['localhost', '127.0.0.1:4000', '[::1]:4000']) expect(rejection({ baseUrl: `http://${local}/v1` })).toBe('');
  });

  it.each([[''], [undefined], [null]])('with the key %j', (none) => {
    expect(rejection({ apiKey: none })).toMatch(/^apiKey is empty/);
  });

  it.each([`${apiKey}\n`, ` ${apiKey}`, `${apiKey} x`, `${apiKey}é`])('with a key of blanks or other characters, which is not shown', (none) => {
    expect([rejection({ apiKey: none }).slice(0, 'apiKey holds blanks'.length), rejection({ apiKey: none }).includes(apiKey)]).toEqual(['apiKey holds blanks', false]);
  });

  it('with the key behind Bearer, which is to be left out', () => {
    expect(rejection({ apiKey: `Bearer ${apiKey}` })).toBe('apiKey is the key alone, without Bearer: the client sends that');
  });

  it.each(['whsec_b3RoZXI=', 'whpk_b3RoZXI='])('with the secret or public key of an endpoint in place of a key, which is not shown', (none) => {
    expect(rejection({ apiKey: none })).toBe('apiKey is the secret or the public key of an endpoint: API keys are svc_live_… or svc_test_…');
  });

  it.each(['svc_staff_b3RoZXI', 'Bearer', 'sk_live_b3RoZXI'])('with a text that is no key, which is not shown: %s', (none) => {
    expect(rejection({ apiKey: none })).toBe('apiKey is no API key: it must begin with svc_live_ or svc_test_');
  });

  it('without options', () => {
    // @ts-expect-error A program in JavaScript may call so.
    expect(() => new InstitutionClient()).toThrow(new TypeError('InstitutionClient takes an object of options: baseUrl, apiKey, allowHttp, fetch, onRetry, onAnswer, tries, answerWithinMs, deadlineMs'));
  });

  it.each(['fetch', 'onRetry', 'onAnswer'])('with a %s that is no function', (name) => {
    for (const none of [7, 'fetch', null]) expect(rejection({ [name]: none })).toBe(`${name} must be a function`);
    expect(rejection({ [name]: undefined })).toBe('');
  });

  it('with an option that it does not have, unless it is undefined', () => {
    expect(rejection({ timeout: 3 })).toBe('timeout is no option of InstitutionClient, which has baseUrl, apiKey, allowHttp, fetch, onRetry, onAnswer, tries, answerWithinMs, deadlineMs');
    expect(rejection({ timeout: undefined })).toBe('');
  });

  it.each([['tries', 0], ['tries', 1.5], ['tries', '3'], ['answerWithinMs', 0], ['answerWithinMs', '60000'], ['deadlineMs', -1], ['deadlineMs', Number.NaN]])('with %s %j, with which no call could be made', (name, value) => {
    expect(rejection({ [name]: value })).toMatch(new RegExp(`^${name} must be`));
    expect(rejection({ [name]: undefined })).toBe('');
  });
});
