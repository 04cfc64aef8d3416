import { startTestApi, type TestApi } from '../../../support/api';
import { apiFixture } from '../../../support/apiFixture';
import { requestConsole, signInToConsole } from '../../../support/console';
import { openRawConnection, requestHead } from '../../../support/rawHttp';
import { seedExam } from '../../../support/seed/exams';
import { upload, zipOf } from '../../../support/uploads';

const { api, institution } = apiFixture({ institutionPer: 'file' });

it('at an https address browsers are to stay with https for a year, subdomains included', async () => {
  const overTls = await startTestApi({ publicBaseUrl: 'https://api.institution.test/v1' });
  const policies = async ({ baseUrl, appsUrl }: TestApi): Promise<Set<string | null>> => {
    const urls = [...['/me', '/docs', '/openapi.json', '/files/file_none'].map((path) => baseUrl + path), `${appsUrl}/app/exams`];
    const answers = await Promise.all(urls.map((url) => fetch(url)));
    return new Set(answers.map(({ headers }) => headers.get('strict-transport-security')));
  };
  const [https, http] = [await policies(overTls), await policies(api)];
  await overTls.stop();
  expect([https, http]).toEqual([new Set(['max-age=31536000; includeSubDomains']), new Set([null])]);
});

/** A file under its signed URL. */
async function download(): Promise<Response> {
  const { data } = await upload(api, institution.apiKey, await seedExam(api, institution), zipOf('bytes'));
  const { url } = await api.api.domain.files.signedUrl({ id: data.ref, filename: 'a.zip', contentType: 'application/zip' }, new Date());
  return fetch(url.replace(api.settings.publicBaseUrl, api.baseUrl));
}

/** What is no HTTP is answered before any middleware. */
async function malformed(): Promise<{ status: number; headers: Headers }> {
  const { socket, response } = await openRawConnection(api.api.port);
  socket.write('nonsense\r\n\r\n');
  const { status, headers } = (await response) ?? { status: 0, headers: {} };
  return { status, headers: new Headers(headers) };
}

it.each<[kind: string, status: number, request: () => Promise<{ status: number; headers: Headers }>]>([
  ['a response of the API', 200, () => api.call('GET', '/me', { key: institution.apiKey })],
  ['an error of the API', 401, () => api.call('GET', '/me')],
  ['a page of the reference', 200, () => fetch(`${api.baseUrl}/docs`)],
  ['a page that the reference does not have', 404, () => fetch(`${api.baseUrl}/docs/none`, { headers: { accept: 'text/html' } })],
  ['the OpenAPI document', 200, () => fetch(`${api.baseUrl}/openapi.json`)],
  ['a file', 200, download],
  ['what is no HTTP', 422, malformed],
  ['a response of the platform API', 200, () => api.platform('GET', '/institutions')],
  ["a response of the apps' listener", 401, () => api.apps('GET', '/app/exams')],
  ['metrics', 200, () => fetch(new URL('/metrics', api.platformUrl))],
  ['the sign-in of the console', 200, () => requestConsole(api, 'GET', '/console/sign-in')],
  ['a page of the console', 200, async () => (await signInToConsole(api)).get('/console/institutions')],
])('every kind of response lets browsers load, frame and name nothing that it does not need: %s', async (_kind, expected, request) => {
  const { status, headers } = await request();
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  expect([status, policy]).toEqual([expected, expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])]);
  expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
});

it('TRACE is not implemented, on any listener', async () => {
  const ports = [[api.api.port, '/v1/me', institution.apiKey], [api.api.platformPort, '/platform/v1/institutions', api.settings.platformToken]] as const;
  for (const [port, path, key] of ports) {
    const { socket, response } = await openRawConnection(port);
    socket.write(requestHead('TRACE', path, { authorization: `Bearer ${key}`, 'x-secret': 'echoed' }));
    const received = await response;
    expect([received?.status, received?.body.error, JSON.stringify(received).includes('echoed')]).toEqual([501, 'not_implemented', false]);
  }
});
