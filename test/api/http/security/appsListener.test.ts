import { appsOperations } from '../../../../api/operations/apps';
import { platformOperations } from '../../../../api/operations/platform';
import type { PlatformCaller, PlatformRole } from '../../../../api/http/access';
import type { OperationRecord } from '../../../../api/http/operation';
import { openRawConnection, requestHead } from '../../../support/rawHttp';
import { codeEmailFor, codeIn } from '../../../support/signInCodes';
import { multipart, multipartType } from '../../../support/uploads';
import { addStaffMember } from '../../../support/staff';
import { activeDeveloper, signInAsDeveloper } from '../../../support/developers';
import { appFixture } from '../../../support/appFixture';

type Operation = OperationRecord<PlatformCaller>;

const portal = 'https://portal.institution.test';
const guardians = 'https://guardians.institution.test';
const fixture = appFixture({ institutionPer: 'file', settings: () => ({ appOrigins: [portal, guardians] }) });
const { api, institution, call } = fixture;

const rolesOf = ({ access }: Operation): readonly PlatformRole[] => (access.by === 'platform' ? access.roles : []);
let staffToken: string;

beforeAll(async () => {
  staffToken = (await addStaffMember(api, 'operator')).token;
});

const named = (records: readonly Operation[]) => records.map((record) => ({ name: `${record.method} ${record.path}`, record }));
const pathOf = ({ path }: Operation): string => path.replaceAll(/:\w+/g, 'x_1');
const isOfApps = (record: Operation): boolean => appsOperations.includes(record);

it('has the operations that sessions or anybody may call, and none of the portal, the platform or support', () => {
  const expected = platformOperations.filter((record) => !rolesOf(record).some((role) => ['platform', 'operator', 'support', 'admin'].includes(role)));
  expect(appsOperations.map(({ operationId }) => operationId)).toEqual(expected.map(({ operationId }) => operationId));
  expect(appsOperations.map(({ path }) => path)).toEqual(expect.arrayContaining(['/sign-in/codes', '/app/heartbeat', '/me/mailbox', '/guardian/students', '/invitations/accept']));
});

describe.each(named(platformOperations.filter((record) => !isOfApps(record))))('$name', ({ record }) => {
  it('does not exist there, with any token', async () => {
    for (const sent of [{}, { key: api.settings.platformToken }, { key: api.settings.platformToken, headers: { 'x-actor': institution.adminId } }, { key: staffToken }]) {
      const response = await fetch(`${api.appsUrl}${pathOf(record)}`, {
        method: record.method,
        headers: { ...('key' in sent ? { authorization: `Bearer ${sent.key}` } : {}), ...('headers' in sent ? sent.headers : {}) },
      });
      expect(response.status).toBe(404);
      expect(JSON.parse(await response.text()).error).toBe('not_found');
    }
  });
});

describe.each(named(appsOperations.filter((record) => !rolesOf(record).includes('public'))))('$name', ({ record }) => {
  it('takes no platform token, no acting user, no personal token of staff and no API key there', async () => {
    const asked = [{}, { key: staffToken }, { key: api.settings.platformToken }, { key: api.settings.platformToken, headers: { 'x-actor': institution.adminId } }, { key: institution.apiKey }];
    for (const sent of asked) {
      const { status, body } = await api.apps(record.method, pathOf(record), sent);
      expect([status, body.error, body.message]).toEqual([401, 'unauthorized', 'Send the token of a session (ses_…), which a sign-in opens.']);
    }
  });

  it('still answers at the platform listener', async () => {
    expect((await api.platform(record.method, pathOf(record), { key: undefined })).status).toBe(401);
  });
});

it('has no console, no readiness, no metrics and nothing of the public API; only whether the process lives', async () => {
  const origin = new URL(api.appsUrl).origin;
  const statusOf = async (path: string): Promise<number> => (await fetch(origin + path, { headers: { authorization: `Bearer ${institution.apiKey}` } })).status;
  expect(await Promise.all(['/', '/console', '/readyz', '/metrics', '/v1/me', '/v1/openapi.json', '/v1/files/file_1'].map(statusOf))).toEqual(Array(7).fill(404));
  expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'alive' });
});

it('serves a document of its own, with sessions as the only credentials', async () => {
  const { components, info } = JSON.parse(await (await fetch(`${api.appsUrl}/openapi.json`)).text());
  expect([info.title, Object.keys(components.securitySchemes)]).toEqual(['Apps API', ['session']]);
});

it('is where a student signs in, takes an exam and signs out', async () => {
  const { data: student } = await call('POST', '/students', { personal_email: 'pupil@mail.example' });
  const { id: examId } = await fixture.createExam({ group_ids: [await fixture.createGroup([student.id])] });
  await api.apps('POST', '/sign-in/codes', { body: { login_email: student.login_email } });
  const code = codeIn(await codeEmailFor(api, student.login_email));
  const { data } = await api.apps('POST', '/sign-in/sessions', { body: { login_email: student.login_email, code } });
  const asStudent = (method: string, path: string, body?: object) => api.apps(method, path, { key: data.session, body });
  expect((await asStudent('POST', '/app/heartbeat', {})).data.signed_out).toBe(false);
  expect((await asStudent('GET', '/app/exams')).data.items).toMatchObject([{ id: examId }]);
  const { data: attempt } = await asStudent('POST', `/app/exams/${examId}/attempts`);
  const uploaded = await fetch(`${api.appsUrl}/app/attempts/${attempt.id}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session}`, 'content-type': multipartType },
    body: new Uint8Array(multipart({ name: 'file', filename: 'essay.txt', type: 'text/plain', bytes: 'hello' }, { name: 'kind', bytes: 'attachment' })),
  });
  expect(uploaded.status).toBe(200);
  expect((await asStudent('POST', `/app/attempts/${attempt.id}/submit`, { text: 'Done' })).status).toBe(200);
  expect((await asStudent('DELETE', '/sign-in/sessions/current')).data.deleted).toBe(true);
  expect((await asStudent('GET', '/app/exams')).status).toBe(401);
});

it("takes a developer's session for signing out alone", async () => {
  const { email } = await activeDeveloper(api, institution);
  const { data } = await signInAsDeveloper(api, email);
  expect((await api.apps('GET', '/app/exams', { key: data.session })).body.error).toBe('forbidden');
  expect((await api.apps('DELETE', '/sign-in/sessions/current', { key: data.session })).status).toBe(200);
});

it('answers by any host name, as a proxy forwards it', async () => {
  const { socket, response } = await openRawConnection(api.api.appPort);
  socket.write(requestHead('GET', '/platform/v1/app/exams', { host: 'apps.school.example' }));
  expect((await response)?.status).toBe(401);
});

describe('a page in a browser', () => {
  const preflight = (origin: string) =>
    fetch(`${api.appsUrl}/guardian/students`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' } });

  it.each([portal, guardians])('may call from the origin of a portal: %s', async (origin) => {
    const { status, headers } = await preflight(origin);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect((await api.apps('GET', '/guardian/students', { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('is forbidden from any other origin, and at the platform listener from every one', async () => {
    expect((await preflight('https://evil.example')).status).toBe(403);
    expect((await api.apps('GET', '/guardian/students', { headers: { origin: 'https://evil.example' } })).body.error).toBe('forbidden');
    expect((await api.platform('GET', '/guardian/students', { key: undefined, headers: { origin: portal } })).body.error).toBe('forbidden');
  });
});
