import { apiFixture } from '../support/apiFixture';
import { requestConsole } from '../support/console';

const { api } = apiFixture({ institutionPer: 'none' });

describe('after a session has ended', () => {
  const nextOf = async (method: string, path: string, headers: Record<string, string> = {}): Promise<string | null> => {
    const { status, text } = await requestConsole(api, method, path, { headers, ...(method === 'POST' ? { form: {} } : {}) });
    const link = /href="(\/console\/sign-in[^"]*)"/.exec(text)?.[1] ?? '';
    return status === 401 ? new URL(link, 'http://console.invalid').searchParams.get('next') : `status ${status}`;
  };

  it('signing in leads back to the page of the form, or to the page that was open', async () => {
    expect(await nextOf('POST', '/console/deliveries/whd_1/retry')).toBe('/console/deliveries/whd_1');
    expect(await nextOf('POST', '/console/endpoints/we_1/pause')).toBe('/console/endpoints/we_1');
    expect(await nextOf('GET', '/console/endpoints/we_1?x=1', { 'x-console-live': 'yes' })).toBe('/console/endpoints/we_1?x=1');
    expect(await nextOf('POST', '/console/sign-out')).toBe('/console/institutions');
  });

  it.each(['/console/nowhere', '/console//evil.example/retry', '/console/deliveries/..%2f..%2f%2fevil.example/retry', '/console/deliveries/%2f%2fevil.example/retry'])('a form at %s leads to no other site', async (path) => {
    const next = await nextOf('POST', path);
    expect(new URL(next ?? '', 'http://console.invalid')).toMatchObject({ origin: 'http://console.invalid', pathname: expect.stringMatching(/^\/console\//) });
  });
});
