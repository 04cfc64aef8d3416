import { apiFixture } from '../support/apiFixture';
import { consoleOrigin, signInToConsole, type ConsoleSession } from '../support/console';
import { addStaffMember, type StaffMember } from '../support/staff';
import { createPayloadCodec } from '../../outbound/temporal/payloadCodec';
import { startTestApi, type TestApi } from '../support/api';

const uiOrigin = 'http://127.0.0.1:8233';
const key = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) });
const keys = [key('p2', 2), key('p1', 1)];

const { api } = apiFixture({ institutionPer: 'none', settings: () => ({ temporalCodecKeys: keys, temporalUiUrl: `${uiOrigin}/` }) });
let sam: StaffMember;
let session: ConsoleSession;

beforeAll(async () => {
  sam = await addStaffMember(api);
  session = await signInToConsole(api, sam.token);
});

interface Wire {
  metadata: Record<string, string>;
  data: string;
}

const base64 = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('base64');
const plain = { metadata: { encoding: base64(Buffer.from('json/plain')) }, data: base64(Buffer.from('{"studentId":"stu_1"}')) };

/** The payload as a worker with these keys stores it, as the Web UI sends it. */
async function encrypted(...by: Parameters<typeof createPayloadCodec>[0]): Promise<Wire> {
  const [payload] = (await createPayloadCodec(by)?.encode([{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"studentId":"stu_1"}') }])) ?? [];
  return { metadata: Object.fromEntries(Object.entries(payload?.metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)])), data: base64(payload?.data) };
}

async function post(body: unknown, headers: Record<string, string>, to: TestApi = api) {
  const response = await fetch(`${consoleOrigin(to)}/console/codec/decode`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-namespace': 'default', ...headers }, body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
const fromUi = () => ({ origin: uiOrigin, cookie: session.cookie });
const byToken = () => ({ authorization: `Bearer ${sam.token}` });

describe('the codec server', () => {
  it('decodes payloads of every key for the Web UI of staff who are signed in to the console, and leaves plain ones as they are', async () => {
    const { status, headers, body } = await post({ payloads: [await encrypted(...keys), await encrypted(key('p1', 1)), plain] }, fromUi());
    expect([status, body]).toEqual([200, { payloads: [plain, plain, plain] }]);
    expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials'), headers.get('vary'), headers.get('cache-control')]).toEqual([uiOrigin, 'true', 'Origin', 'no-store']);
  });

  it('decodes for staff with a personal token, as the command line of Temporal sends it', async () => {
    expect((await post({ payloads: [await encrypted(...keys)] }, byToken())).body).toEqual({ payloads: [plain] });
  });

  it('lets browsers send from the origin of the Web UI alone', async () => {
    const preflight = (origin: string) => fetch(`${consoleOrigin(api)}/console/codec/decode`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-namespace' } });
    const allowed = await preflight(uiOrigin);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin'), allowed.headers.get('access-control-allow-credentials'), allowed.headers.get('access-control-allow-headers')]).toEqual([204, uiOrigin, 'true', 'Authorization, Content-Type, X-Namespace']);
    for (const origin of ['https://evil.example', 'http://127.0.0.1:8234', 'null']) {
      const refused = await preflight(origin);
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect((await post({ payloads: [] }, { ...fromUi(), origin })).status).toBe(403);
    }
  });

  it.each([
    ['nobody', () => ({ origin: uiOrigin })],
    ['a session without the origin of the Web UI', () => ({ cookie: session.cookie })],
    ['a cookie that we did not sign', () => ({ origin: uiOrigin, cookie: session.cookie.replace(/sig=./, 'sig=_') })],
    ['the platform token', () => ({ authorization: `Bearer ${api.settings.platformToken}` })],
    ['an unknown token', () => ({ authorization: 'Bearer svc_staff_unknown' })],
  ])('decodes nothing for %s', async (_who, headers) => {
    const { status, body } = await post({ payloads: [await encrypted(...keys)] }, headers());
    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  it('ends with the session', async () => {
    const { token } = await addStaffMember(api);
    const other = await signInToConsole(api, token);
    await other.post('/console/sign-out');
    expect((await post({ payloads: [] }, { origin: uiOrigin, cookie: other.cookie })).status).toBe(401);
  });

  it('refuses payloads of unknown keys, changed ones, and what are none', async () => {
    const good = await encrypted(...keys);
    const changed = { ...good, data: base64(Buffer.from(good.data, 'base64').map((byte, at) => (at === 30 ? byte ^ 1 : byte))) };
    for (const payload of [await encrypted(key('p9', 9)), changed]) {
      expect((await post({ payloads: [payload] }, byToken())).body).toMatchObject({ error: 'validation_error', message: 'A payload was not encrypted with a key of TEMPORAL_CODEC_KEYS, or was changed.' });
    }
    for (const body of [{}, { payloads: 'x' }, { payloads: [{ data: '§' }] }, { payloads: [{ metadata: { encoding: 7 } }] }, { payloads: Array.from({ length: 1_001 }, () => plain) }]) {
      expect((await post(body, byToken())).status).toBe(422);
    }
    expect((await post({ payloads: [{ data: 'A'.repeat(2 * 1024 * 1024) }] }, byToken())).status).toBe(422);
  });

  it('encrypts nothing, and answers POST alone', async () => {
    const get = await fetch(`${consoleOrigin(api)}/console/codec/decode`, { headers: byToken() });
    expect([get.status, get.headers.get('allow')]).toEqual([501, 'POST, OPTIONS']);
    const encode = await fetch(`${consoleOrigin(api)}/console/codec/encode`, { method: 'POST', headers: { ...byToken(), 'content-type': 'application/json' }, body: '{"payloads":[]}' });
    expect(encode.status).toBe(401);
  });

  it('is not there without keys', async () => {
    const without = await startTestApi();
    try {
      expect((await fetch(`${consoleOrigin(without)}/console/codec/decode`, { method: 'POST', headers: { authorization: `Bearer ${(await addStaffMember(without)).token}`, 'content-type': 'application/json' }, body: '{"payloads":[]}' })).status).toBe(401);
    } finally {
      await without.stop();
    }
  });
});
