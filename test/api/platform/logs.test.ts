import { Writable } from 'node:stream';
import pino from 'pino';
import { startApi, type RunningApi } from '../../../api/start';
import { freePort } from '../../../local/ports';
import { sendCodeEmails } from '../../support/codeEmails';
import { eventually } from '../../support/eventually';
import { inspectResponse } from '../../support/inspectResponse';
import { stack, type TestStack } from '../../support/stack';

const arrivesWithinMs = 30_000;
let testStack: TestStack;

beforeAll(async () => {
  testStack = await stack();
});

afterAll(() => testStack.stop());

/** An API and a worker's loop for its codes, whose every log line, unredacted, is kept. */
async function startLogged(smtpUrl: string): Promise<{ api: RunningApi; lines: string[]; stop: () => Promise<void> }> {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const settings = testStack.settings({ smtpUrl });
  const logger = pino({ level: 'trace' }, sink);
  const api = await startApi(settings, logger, inspectResponse);
  const codeEmails = sendCodeEmails(api.domain, settings, logger);
  const stop = async (): Promise<void> => {
    await codeEmails.stop();
    await api.stop();
  };
  return { api, lines, stop };
}

async function post(api: RunningApi, path: string, body: object, token?: string) {
  const response = await fetch(`http://127.0.0.1:${api.platformPort}/platform/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  const { data }: any = await response.json();
  return data;
}

describe('the log', () => {
  it('never holds a key, a session, a code, a token or an address', async () => {
    const { api, lines, stop } = await startLogged(testStack.smtpUrl);
    const token = testStack.settings().platformToken;
    const institution = await post(api, '/institutions', { name: 'Sensitive', login_domain: 'sensitive.example', admin_email: 'sensitive.admin@mail.example', admin_name: 'P' }, token);
    await post(api, `/institutions/${institution.id}/approve`, {}, token);
    const key = await post(api, `/institutions/${institution.id}/keys`, { name: 'k', scopes: ['students:read'] }, token);
    await post(api, '/sign-in/codes', { login_email: institution.admin.login_email });
    const mail = await testStack.mail.waitFor(({ text }) => text?.includes(institution.admin.login_email) === true, arrivesWithinMs);
    const code = /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '';
    await post(api, '/sign-in/sessions', { login_email: institution.admin.login_email, code: 'wrong' });
    const { session } = await post(api, '/sign-in/sessions', { login_email: institution.admin.login_email, code });
    await stop();
    const log = lines.join('');
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const secret of [key.api_key, session, `"${code}"`, token, 'sensitive.admin', institution.admin.login_email]) expect(log).not.toContain(secret);
  });

  it('reports an email that could not be sent, by its request only', async () => {
    const { api, lines, stop } = await startLogged(`smtp://127.0.0.1:${await freePort()}`);
    const token = testStack.settings().platformToken;
    const institution = await post(api, '/institutions', { name: 'Lost', login_domain: 'lost.example', admin_email: 'lost.admin@mail.example', admin_name: 'L' }, token);
    await post(api, '/sign-in/codes', { login_email: institution.admin.login_email });
    const retryLines = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'an email with a sign-in code is retried');
    await eventually('word of the email', () => retryLines().length > 0);
    await stop();
    for (const line of retryLines()) expect(line).toMatchObject({ request_id: expect.stringMatching(/^req_/), err: { code: 'unreachable' } });
    expect(lines.join('')).not.toContain('lost.admin');
  });
});
