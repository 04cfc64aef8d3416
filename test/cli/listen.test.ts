import { join } from 'node:path';
import { hasValidSignature } from '../../clients/typescript/src/hasValidSignature';
import { Webhook } from 'standardwebhooks';
import fc from 'fast-check';
import { parseReceiver } from '../../cli/forward';
import { webhookHeaders } from '../../cli/webhookSignature';
import { webhookHeaders as serviceHeaders } from '../../domain/webhooks/signature';
import { projectRoot } from '../../local/projectRoot';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine, parseTable, type CommandLine, type RunningCommand } from '../support/commandLine';
import { eventually } from '../support/eventually';
import { jsonLines, keyCommandLine } from '../support/keyCommandLine';
import { startReceiver, type Receiver } from '../support/receiver';
import { startTestWorker } from '../support/worker';

const secret = 'whsec_c29tZSBzZWNyZXQgb2YgeW91cnMgYWxvbmU=';

let ofService: Receiver;
let local: Receiver;
let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let cli: CommandLine;
const running: RunningCommand[] = [];

beforeAll(async () => {
  ofService = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [ofService.host] });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  cli = keyCommandLine(api, institution.apiKey);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await ofService.close();
});

beforeEach(async () => {
  local = await startReceiver();
});

afterEach(async () => {
  for (const { process: child } of running.splice(0)) child.kill('SIGKILL');
  await local.close();
});

const createStudent = async (): Promise<string> => (await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } })).data.id;

const newestEvent = async (): Promise<{ id: string; created_at: string }> => (await api.call('GET', '/events', { key: institution.apiKey, query: { limit: '200' } })).data.items.at(-1);

/** Starts it from the newest event on; returns what it has written so far. */
async function listen(...args: string[]): Promise<{ command: RunningCommand; written: () => string }> {
  const { created_at } = await newestEvent();
  const command = cli.start('listen', '--forward-to', local.url, '--since', created_at, ...args);
  running.push(command);
  let out = '';
  command.process.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return { command, written: () => out };
}

async function interrupt({ process: child, ended }: RunningCommand): ReturnType<() => RunningCommand['ended']> {
  child.kill('SIGINT');
  return ended;
}

it('headers and signatures are those that the service makes', () => {
  const base64 = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  const sent = fc.record({ key: base64, eventId: fc.string(), eventType: fc.string(), deliveryId: fc.string(), timestampSeconds: fc.nat(), body: fc.string({ unit: 'binary' }) });
  fc.assert(
    fc.property(sent, ({ key, ...input }) => {
      const secret = `whsec_${key}`;
      expect(webhookHeaders({ ...input, secret })).toEqual(serviceHeaders({ ...input, secrets: [secret] }));
    }),
  );
});

it('an event arrives as the service delivers it: the same body and headers but for the delivery, and both signatures hold', async () => {
  const endpoint = await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: ofService.url, events: ['student.*', 'license.*'] } });
  const { command, written } = await listen('--events', 'student.*', '--type', 'license.*', '--secret', secret, '--json');
  await createStudent();
  await eventually('both', () => local.received.length === 2 && ofService.received.length === 2);
  const own = [...local.received];
  for (const { headers, body } of own) {
    const delivered = ofService.received.find((received) => received.headers['webhook-id'] === headers['webhook-id']);
    expect(body).toBe(delivered?.body);
    expect(Object.keys(headers).filter((name) => /^(x-svc|webhook)-/.test(name)).sort()).toEqual(Object.keys(delivered?.headers ?? {}).filter((name) => /^(x-svc|webhook)-/.test(name)).sort());
    for (const name of ['x-svc-event', 'content-type', 'user-agent']) expect(headers[name]).toBe(delivered?.headers[name]);
    expect(hasValidSignature(Buffer.from(body), String(headers['x-svc-signature']), secret)).toBe(true);
    expect(new Webhook(secret).verify(body, { 'webhook-id': String(headers['webhook-id']), 'webhook-timestamp': String(headers['webhook-timestamp']), 'webhook-signature': String(headers['webhook-signature']) })).toEqual(JSON.parse(body));
  }
  await eventually('its lines', () => jsonLines(written()).length === 2);
  const { code, err } = await interrupt(command);
  const { created_at } = await newestEvent();
  expect(code).toBe(130);
  expect(err).toBe(`Events of student.*, license.* of the institution, by a live key (trigger causes those of the sandbox, which a test key reads), go to ${local.url}; Ctrl-C ends it.\n{"success":false,"error":"interrupted","message":"Ended; --since ${created_at} goes on where it ended."}\n`);
  expect(jsonLines(written())).toEqual(own.map(({ body }) => {
    const { id, type, created_at: at } = JSON.parse(body);
    return { id, type, created_at: at, response_code: 200, delivered: true, duration_ms: expect.any(Number), error: null, message: null, response_body: null };
  }));
  await api.call('DELETE', `/webhooks/endpoints/${endpoint.data.id}`, { key: institution.apiKey });
});

it('a secret that it makes is shown once, and signs', async () => {
  const { command, written } = await listen();
  await createStudent();
  await eventually('two events', () => written().split('\n').length > 2);
  const { err, out } = await interrupt(command);
  const [, made = ''] = /^Signed with (whsec_\S+), made for this run; /.exec(err) ?? [];
  const [first] = local.received;
  expect(hasValidSignature(Buffer.from(first?.body ?? ''), String(first?.headers['x-svc-signature']), made)).toBe(true);
  expect(out + err).not.toContain(institution.apiKey);
});

it('a secret comes from the environment, too, and is not shown', async () => {
  cli = keyCommandLine(api, institution.apiKey, { WEBHOOK_SECRET: secret });
  const { command, written } = await listen();
  await createStudent();
  await eventually('two events', () => written().split('\n').length > 2);
  const { err } = await interrupt(command);
  cli = keyCommandLine(api, institution.apiKey);
  expect(err).not.toContain('whsec_');
  expect(hasValidSignature(Buffer.from(local.received[0]?.body ?? ''), String(local.received[0]?.headers['x-svc-signature']), secret)).toBe(true);
});

it('a receiver that fails, redirects or is gone is shown, each event sent once', async () => {
  local.respond = (_received, nth) => (nth === 1 ? 500 : { status: 302, headers: { location: 'http://127.0.0.1:1/' } });
  const { command, written } = await listen('--secret', secret);
  await createStudent();
  await eventually('two answers', () => parseTable(written()).length === 2);
  const sent = local.received.map(({ headers }) => headers['webhook-id']);
  await local.close();
  await createStudent();
  await eventually('two failures', () => written().includes('refused') && parseTable(written()).length === 4);
  const { code } = await interrupt(command);
  expect(code).toBe(130);
  expect(parseTable(written()).map(([, , , result]) => result)).toEqual(['failed: 500 seen', 'failed: 302 seen', 'failed: The connection was refused', 'failed: The connection was refused']);
  expect(new Set(sent).size).toBe(2);
});

it('what a receiver that refuses says is shown on the line of its event, 200 characters of it', async () => {
  const answer = `No signature!\n\u001b[2J${'é'.repeat(300)}`;
  local.respond = () => ({ status: 401, body: answer });
  const [people, program] = await Promise.all([listen('--secret', secret), listen('--secret', secret, '--json')]);
  await createStudent();
  await eventually('four answers', () => parseTable(people.written()).length === 2 && jsonLines(program.written()).length === 2);
  await Promise.all([interrupt(people.command), interrupt(program.command)]);
  const shown = answer.slice(0, 200);
  expect(parseTable(people.written()).map(([, , , result]) => result)).toEqual(Array(2).fill(`failed: 401 No signature! \\u001b[2J${'é'.repeat(182)}`));
  expect(jsonLines(program.written())).toEqual(Array(2).fill(expect.objectContaining({ response_code: 401, delivered: false, error: null, message: null, response_body: shown })));
});

it('a receiver that speaks no TLS is shown in words, with the code for programs', async () => {
  const command = cli.start('listen', '--forward-to', local.url.replace('http:', 'https:'), '--since', (await newestEvent()).created_at, '--secret', secret, '--json');
  running.push(command);
  let written = '';
  command.process.stdout?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await createStudent();
  await eventually('a failure', () => jsonLines(written).length > 0);
  await interrupt(command);
  expect(jsonLines(written)[0]).toMatchObject({ response_code: null, delivered: false, error: 'EPROTO', message: 'The TLS handshake failed (EPROTO)', response_body: null });
});

it('an interruption during a receiver’s response ends it, and the event counts as not sent', async () => {
  local.respond = () => new Promise(() => undefined);
  const before = await newestEvent();
  const { command } = await listen('--secret', secret);
  await createStudent();
  await eventually('its request', () => local.received.length === 1);
  expect(await interrupt(command)).toMatchObject({ code: 130, out: '', err: expect.stringContaining(`--since ${before.created_at} goes on where it ended.`) });
});

describe('where events may go', () => {
  it.each([
    ['localhost:3000/hooks', 'http://localhost:3000/hooks'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['https://[::1]:3000/x', 'https://[::1]:3000/x'],
    ['[::1]:3000/x', 'http://[::1]:3000/x'],
    ['4010', 'http://localhost:4010/'],
    ['4010/hooks', 'http://localhost:4010/hooks'],
    ['localhost:80/hooks', 'http://localhost/hooks'],
    ['http://localhost/hooks', 'http://localhost/hooks'],
  ])('to %s of this machine', (text, url) => {
    expect(parseReceiver(text, false).href).toBe(url);
  });

  it('to another machine only with --allow-remote', async () => {
    expect(parseReceiver('web:3000/hooks', true).href).toBe('http://web:3000/hooks');
    for (const [url, err] of [
      ['hooks.example.org/in', /^usage: hooks\.example\.org is not this machine; localhost:3000\/hooks would be\. --allow-remote sends events there all the same\.\n$/],
      ['127.0.0.1.example.org', /is not this machine/],
      ['ftp://localhost/x', /^usage: --forward-to is no http or https URL/],
      ['http://me:word@localhost:1/', /^usage: --forward-to must not hold a user or a password\.\n$/],
      ['/hooks', /^usage: --forward-to begins with a host or a port: 3000\/hooks\.\n$/],
      ['0/hooks', /^usage: --forward-to names the port 0: ports are 1 to 65535\.\n$/],
      ['http://localhost:0/hooks', /^usage: --forward-to names the port 0: /],
      ['99999/hooks', /^usage: --forward-to names the port 99999: /],
    ] as const) {
      expect(await cli.run('listen', '--forward-to', url)).toEqual({ code: 2, out: '', err: expect.stringMatching(err) });
    }
  });

  it.each(['localhost', 'localhost/hooks', 'localhost/hooks:4010', '127.0.0.1?a=:1', '[::1]/hooks'])('not to %s, which names no port', async (url) => {
    expect(await cli.run('listen', '--forward-to', url)).toEqual({ code: 2, out: '', err: 'usage: --forward-to names no port, as localhost:3000/hooks does; for port 80 begin with http://.\n' });
  });

  it('not with a secret that is none, which is not repeated', async () => {
    const { code, err } = await cli.run('listen', '--forward-to', 'localhost:1', '--secret', 'wrong-and-private');
    expect([code, err]).toEqual([2, 'usage: --secret (or WEBHOOK_SECRET) is no signing secret: it must be whsec_ and base64, as an endpoint has it.\n']);
  });

  it('not with a key that must not read events, before it says where they go', async () => {
    const { data } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'Narrow', scopes: ['students:read'] } });
    const { code, err } = await keyCommandLine(api, data.api_key).run('listen', '--forward-to', 'localhost:1');
    expect([code, err]).toEqual([1, expect.stringMatching(/^insufficient_scope: /)]);
  });

  it('not without a key, and not with a key that names no API', async () => {
    const folder = join(projectRoot(), 'docs');
    expect((await commandLine({}, folder).run('listen', '--forward-to', 'localhost:1')).err).toBe('usage: Set BASE_URL and API_KEY, or run it where npm start keeps .local/connection.json.\n');
    expect((await commandLine({ API_KEY: 'svc_test_x' }, folder).run('me')).err).toBe('usage: API_KEY is set, BASE_URL is not: it is the address of the API, as in https://api.example.org/v1.\n');
    expect((await commandLine({ BASE_URL: api.baseUrl }, folder).run('me')).err).toBe('usage: BASE_URL is set, API_KEY is not: set both.\n');
    for (const url of ['https://api.example.org', 'https://api.example.org/v2', `${api.baseUrl}/students`]) {
      expect((await commandLine({ BASE_URL: url, API_KEY: 'svc_test_x' }, folder).run('me')).err).toBe('usage: BASE_URL must be the address of the API with its version, as in https://api.example.org/v1.\n');
    }
    expect((await commandLine({ BASE_URL: `${api.platformUrl}/platform/v1`, API_KEY: 'svc_test_x' }, folder).run('me')).err).toMatch(/^usage: BASE_URL is the address of the platform API, which PLATFORM_URL is for; /);
    expect((await commandLine({ PLATFORM_URL: api.baseUrl, PLATFORM_TOKEN: 'x' }, folder).run('institutions', 'list')).err).toMatch(/^usage: PLATFORM_URL is the address of the public API, which BASE_URL is for; /);
    expect((await commandLine({ BASE_URL: 'http://api.example.org', API_KEY: 'svc_test_x' }, folder).run('me')).err).toMatch(/^usage: BASE_URL must begin with https: over plain http anybody on the way could read the API key\.\n$/);
  });
});
