import { get } from 'node:http';
import { createLogger } from '../../config/logger';
import { startApi } from '../../api/start';
import type { TestApi } from '../support/api';
import { requestConsole, consoleOrigin, cookiesOf, signInToConsole, type ConsoleSession } from '../support/console';
import { apiFixture } from '../support/apiFixture';
import { addStaffMember, type StaffMember } from '../support/staff';

const { api } = apiFixture({ institutionPer: 'none' });
let sam: StaffMember;
let supporter: ConsoleSession;

beforeAll(async () => {
  sam = await addStaffMember(api);
  supporter = await signInToConsole(api, sam.token);
});

const token = (): string => sam.token;
const look = async ({ cookie }: ConsoleSession): Promise<number> => (await requestConsole(api, 'GET', '/console/institutions', { headers: { cookie } })).status;
const signIn = (form: Record<string, string>, headers: Record<string, string> = {}) => requestConsole(api, 'POST', '/console/sign-in', { form, headers });
const silent = createLogger('api', 'silent');
const otherToken = 'another-platform-token-of-32-characters';

const running = ['nextTick', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'performance', 'hrtime'] as const;

/** Does something as if so many ms had passed: the wall clock alone is moved. */
async function atLaterTime<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...running] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}

/** Another API process over the same stores. */
async function withPlatformTokens<Result>([platformToken = '', ...earlierPlatformTokens]: readonly string[], work: (other: TestApi) => Promise<Result>): Promise<Result> {
  const other = await startApi({ ...api.settings, platformToken, earlierPlatformTokens }, silent);
  try {
    return await work({ ...api, platformUrl: `http://127.0.0.1:${other.platformPort}/platform/v1` });
  } finally {
    await other.stop();
  }
}

describe('signing in', () => {
  it('with a personal token sets a cookie that scripts, other sites and other paths never see, for 8 hours', async () => {
    const answer = await signIn({ token: token() });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/institutions']);
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(/^console_session=[\w-]+\.\d+; path=\/console; expires=[^;]+; samesite=strict; httponly$/),
      expect.stringMatching(/^console_session\.sig=[\w-]{43}; path=\/console; expires=[^;]+; samesite=strict; httponly$/),
    ]);
    for (const cookie of cookies) {
      const expires = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? '');
      expect(Math.abs(expires - Date.now() - 8 * 3_600_000)).toBeLessThan(60_000);
      expect(cookie).not.toContain(token());
    }
  });

  it.each([{ 'x-forwarded-proto': 'https' }, { 'x-forwarded-proto': 'https, http' }, { forwarded: 'for=192.0.2.1;proto=https' }])('by https (%j) sets a cookie for https alone', async (headers) => {
    const answer = await signIn({ token: token() }, headers);
    const form = /^__Host-console_session(\.sig)?=[\w.-]+; path=\/; expires=[^;]+; samesite=strict; secure; httponly$/;
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(form), expect.stringMatching(form)]);
    const cookie = cookiesOf(answer).join('; ');
    const look = async (sent: Record<string, string>): Promise<number> => (await requestConsole(api, 'GET', '/console/institutions', { headers: { cookie, ...sent } })).status;
    expect([await look(headers), await look({})]).toEqual([200, 303]);
  });

  it.each([[{ 'x-forwarded-proto': 'https' }, 'max-age=31536000; includeSubDomains'], [{}, null]])('behind TLS browsers are to stay with https: %j', async (headers, expected) => {
    expect((await requestConsole(api, 'GET', '/console/sign-in', { headers })).headers.get('strict-transport-security')).toBe(expected);
  });

  it('goes on to the page that was asked for', async () => {
    const asked = '/console/institutions/ins_x/deliveries?status=dead&before=1';
    const first = await requestConsole(api, 'GET', asked);
    expect([first.status, first.headers.get('location')]).toEqual([303, `/console/sign-in?${new URLSearchParams({ next: asked }).toString()}`]);
    expect((await signIn({ token: token(), next: asked })).headers.get('location')).toBe(asked);
  });

  it.each(['https://evil.example/console/', '//evil.example/console/x', '/\\evil.example', '/platform/v1/keys', '/console/../platform', '/console/sign-out', 'javascript:alert(1)'])('never leads to %s', async (next) => {
    expect((await signIn({ token: token(), next })).headers.get('location')).toBe('/console/institutions');
  });

  it('from a link of another site asks for the page again, for which the cookie comes along', async () => {
    const { status, text } = await requestConsole(api, 'GET', '/console/institutions?q=a&before=b', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(status).toBe(200);
    expect(text).toContain('<meta http-equiv="refresh" content="0;url=/console/institutions?q=a&amp;before=b">');
  });
});

describe('a session', () => {
  it('is known to another API process, and to one that was restarted', async () => {
    expect((await supporter.get('/console/institutions')).status).toBe(200);
    await withPlatformTokens([api.settings.platformToken], async (other) => {
      expect((await requestConsole(other, 'GET', '/console/institutions', { headers: { cookie: supporter.cookie } })).status).toBe(200);
    });
  });

  it('ends when the platform token changes', async () => {
    await withPlatformTokens([otherToken], async (other) => {
      expect((await requestConsole(other, 'GET', '/console/institutions', { headers: { cookie: supporter.cookie } })).status).toBe(303);
    });
  });

  it('ends after 8 hours', async () => {
    const eightHours = 8 * 3_600_000;
    expect(await atLaterTime(eightHours - 60_000, () => look(supporter))).toBe(200);
    expect(await atLaterTime(eightHours + 60_000, () => look(supporter))).toBe(303);
  });

  it('that was tampered with is none', async () => {
    const [, id = '', expires = '', signature = ''] = /^console_session=([\w-]+)\.(\d+); console_session\.sig=([\w-]+)$/.exec(supporter.cookie) ?? [];
    const session = `console_session=${id}.${expires}`;
    const statusWith = async (cookie: string): Promise<number> => (await requestConsole(api, 'GET', '/console/institutions', { headers: { cookie } })).status;
    expect(await statusWith(`${session}; console_session.sig=${signature}`)).toBe(200);
    const forged = [
      `console_session=${id}.${Number(expires) + 1e9}; console_session.sig=${signature}`, `console_session=${id}; console_session.sig=${signature}`,
      `${session}; console_session.sig=${signature.slice(1)}x`, `${session}; console_session.sig=`, session, `console_session=; console_session.sig=${signature}`, 'console_session=a.b.c',
    ];
    for (const cookie of forged) expect(await statusWith(cookie)).toBe(303);
  });

  it('lasts while the token that signed its cookie is accepted next to a newer one', async () => {
    await withPlatformTokens([otherToken, api.settings.platformToken], async (other) => {
      expect((await requestConsole(other, 'GET', '/console/institutions', { headers: { cookie: supporter.cookie } })).status).toBe(200);
    });
  });

  it('names who is signed in', async () => {
    expect((await supporter.get('/console/institutions')).text).toContain('>Sam Support</span>');
  });

  it('ends with the personal token that began it, and with its person, at once', async () => {
    const one = await addStaffMember(api);
    const [byToken, byPerson] = [await signInToConsole(api, one.token), await signInToConsole(api)];
    const { data } = await api.platform('POST', `/staff/${one.id}/tokens`, { body: { name: 'Second' } });
    const second = await signInToConsole(api, data.staff_token);
    await api.platform('DELETE', `/staff/${one.id}/tokens/${one.tokenId}`);
    expect([await look(byToken), await look(second), await look(byPerson)]).toEqual([303, 200, 200]);
    await api.platform('DELETE', `/staff/${one.id}`);
    expect([await look(second), await look(byPerson)]).toEqual([303, 200]);
    expect((await signIn({ token: data.staff_token })).status).toBe(401);
  });

  it('ends with the last day of the personal token that began it', async () => {
    const one = await addStaffMember(api);
    const session = await signInToConsole(api, one.token);
    expect(await look(session)).toBe(200);
    await api.api.domain.database.sql("UPDATE staff_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [one.tokenId]);
    expect(await look(session)).toBe(303);
  });

  it('is over on the server after signing out: a copy of its cookie is refused', async () => {
    const session = await signInToConsole(api, sam.token);
    const answer = await session.post('/console/sign-out');
    expect(answer.status).toBe(303);
    expect([await look(session), await look(supporter)]).toEqual([303, 200]);
    expect((await session.post('/console/sign-out')).status).toBe(401);
  });

  it('that ends has the browser clear its cache and storage of the console', async () => {
    const answer = await (await signInToConsole(api, sam.token)).post('/console/sign-out');
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
  });

  it('is left by signing out', async () => {
    const answer = await (await signInToConsole(api, sam.token)).post('/console/sign-out');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in']);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^console_session=; path=\/console; expires=Thu, 01 Jan 1970/);
  });

  it('that is missing is 401 to a page that brings itself up to date, and to a form', async () => {
    expect((await requestConsole(api, 'GET', '/console/institutions', { headers: { 'x-console-live': 'yes' } })).status).toBe(401);
    expect((await requestConsole(api, 'POST', '/console/deliveries/whd_1/retry', { form: {} })).status).toBe(401);
  });
});

describe('a form', () => {
  const act = (fields: Record<string, string>, headers: Record<string, string> = {}) => supporter.post('/console/sign-out', fields, headers);

  it.each(['', 'x', 'A'.repeat(43)])('with the token "%s" is forbidden', async (form_token) => {
    const { status, text } = await act({ form_token });
    expect(status).toBe(403);
    expect(text).toContain('(forbidden)');
  });

  it('with the token of another session is forbidden', async () => {
    const other = await signInToConsole(api);
    expect((await act({ form_token: other.formToken })).status).toBe(403);
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'not a url' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])('with %j is forbidden', async (headers) => {
    const { status, text } = await act({}, headers);
    expect(status).toBe(403);
    expect(text).toContain('This form was sent from another site. (forbidden)');
  });

  it('of a page of the console passes, under every name of the listener', async () => {
    const own: Record<string, string>[] = [{ origin: consoleOrigin(api), 'sec-fetch-site': 'same-origin' }, { origin: 'null', 'sec-fetch-site': 'same-origin' }, { origin: 'https://support.example', 'x-forwarded-host': 'support.example' }];
    for (const headers of own) expect((await (await signInToConsole(api, sam.token)).post('/console/sign-out', {}, headers)).status).toBe(303);
  });

  it('that is no form, or too large, is refused in words', async () => {
    const headers = { cookie: supporter.cookie, 'content-type': 'application/json' };
    expect((await requestConsole(api, 'POST', '/console/sign-out', { headers, form: {} })).status).toBe(422);
    const { status, text } = await act({ more: 'x'.repeat(20_000) });
    expect(status).toBe(422);
    expect(text).toContain('must be a form of at most 16384 bytes');
  });
});

describe('every answer', () => {
  it.each(['/console', '/console/sign-in', '/console/institutions', '/console/nowhere'])('of %s forbids scripts and styles in the page, frames, sniffing, referrers and keeping', async (path) => {
    for (const cookie of [supporter.cookie, '']) {
      const { headers, text } = await requestConsole(api, 'GET', path, { headers: { cookie } });
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).not.toMatch(/<style|style="|<script>| on[a-z]+="/);
    }
  });

  it('of an asset may be kept, and needs nobody signed in', async () => {
    const { text } = await requestConsole(api, 'GET', '/console/sign-in');
    const styles = /href="(\/console\/assets\/console\.[0-9a-f]{12}\.css)"/.exec(text)?.[1] ?? '';
    const answer = await requestConsole(api, 'GET', styles);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([200, 'text/css; charset=utf-8', 'public, max-age=31536000']);
  });

  it('to another name than this listener\'s is forbidden', async () => {
    const status = await new Promise((resolve, reject) => {
      get(`${consoleOrigin(api)}/console/sign-in`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(403);
  });

  it('to another method than GET, HEAD and POST is not_implemented', async () => {
    const answer = await requestConsole(api, 'DELETE', '/console/institutions');
    expect([answer.status, answer.headers.get('allow')]).toEqual([501, 'GET, HEAD, POST']);
  });
});

it('the platform token is for machines: it signs nobody in', async () => {
  const { status, text, headers } = await signIn({ token: api.settings.platformToken });
  expect(status).toBe(401);
  expect(text).toContain('This is the platform token, which is for machines.');
  expect(headers.getSetCookie()).toEqual([]);
});

it.each([['an API key of an institution', 'svc_live_abc', 'This is an API key of an institution, which signs nobody in.'], ['nothing', ' ', 'Type your personal token.']])('%s in place of a token is named', async (_what, typed, words) => {
  const { status, text } = await signIn({ token: typed });
  expect([status, text.includes(words), text.includes(typed.trim() || 'svc_')]).toEqual([401, true, false]);
});

describe('a wrong token', () => {
  it('is 401 in words; the eleventh within a minute 429, as is the right one then, until the minute has passed', async () => {
    await withPlatformTokens([api.settings.platformToken], async (other) => {
      const attempt = (sent: string) => requestConsole(other, 'POST', '/console/sign-in', { form: { token: sent } });
      for (let nth = 1; nth <= 10; nth += 1) {
        const { status, text, headers } = await attempt(`wrong-${nth}`);
        expect(status).toBe(401);
        expect(text).toContain('This is not a valid personal token.');
        expect(headers.getSetCookie()).toEqual([]);
      }
      for (const sent of ['wrong-11', token()]) {
        const { status, headers, text } = await attempt(sent);
        expect(status).toBe(429);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
        expect(text).toContain('Too many wrong tokens.');
        expect(cookiesOf({ status, headers, text })).toEqual([]);
      }
      expect((await atLaterTime(61_000, () => attempt(token()))).status).toBe(303);
    });
  });

  it('has no say in how long a session of others lives', async () => {
    expect((await signIn({ token: 'wrong' })).status).toBe(401);
    expect((await supporter.get('/console/institutions')).status).toBe(200);
  });
});
