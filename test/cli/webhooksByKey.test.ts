import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionFile } from '../../local/connection';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine, parseCard, parseTable, type CommandLine } from '../support/commandLine';
import { keyCommandLine } from '../support/keyCommandLine';
import { startReceiver, type Receiver } from '../support/receiver';
import { openSandboxOf } from '../support/sandboxes';
import { seedDeadDeliveries, seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';

let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let cli: CommandLine;
let folder: string;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  folder = mkdtempSync(join(tmpdir(), 'by-key-'));
  mkdirSync(join(folder, '.local'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  institution = await api.institution();
  cli = keyCommandLine(api, institution.apiKey);
});

const endpoint = (fields: Parameters<typeof seedEndpoint>[3] = {}): Promise<string> => seedEndpoint(api, institution, receiver.url, fields);

const idsOf = ({ items }: { items: { id: string }[] }): string[] => items.map(({ id }) => id);

describe('endpoints by a key', () => {
  it('are listed as the public API answers them, without an institution, or with that of the key', async () => {
    const [first, second] = [await endpoint({ description: 'Gradebook' }), await endpoint()];
    await seedEndpoint(api, await api.institution(), receiver.url);
    const listed = await cli.json('endpoints', 'list');
    expect(listed).toEqual((await api.call('GET', '/webhooks/endpoints', { key: institution.apiKey })).data);
    expect(idsOf(listed)).toEqual([second, first]);
    const [head, , row] = parseTable(await cli.text('endpoints', 'list', institution.id));
    expect(head).toEqual(['id', 'status', 'url', 'description', 'events', 'circuit', 'consecutive_failures', 'next_probe_at', 'last_success_at', 'last_failure_at']);
    expect(row?.slice(0, 5)).toEqual([first, 'active', receiver.url, 'Gradebook', 'student.*, license.*']);
    expect(idsOf(await cli.json('endpoints', 'list', 'north SCHOOL', '--limit', '1'))).toEqual([second]);
  });

  it('are filtered by status, circuit and failures', async () => {
    const paused = await endpoint({ status: 'paused', pausedAt: new Date() });
    const open = await endpoint({ circuit: 'open', circuitOpenedAt: new Date(), probeAt: new Date(), failingSince: new Date(), consecutiveFailures: 20 });
    const failing = await endpoint({ failingSince: new Date(), consecutiveFailures: 1 });
    const listed = async (status: string): Promise<string[]> => idsOf(await cli.json('endpoints', 'list', '--status', status));
    expect([await listed('paused'), await listed('active'), await listed('open'), await listed('failing'), await listed('disabled')]).toEqual([[paused], [failing, open], [open], [failing, open], []]);
    expect(await cli.run('endpoints', 'list', '--status', 'lost')).toEqual({ code: 2, out: '', err: 'usage: --status must be one of active, paused, disabled, open, failing.\n' });
    expect((await cli.run('endpoints', 'list', '--status', 'open', '--limit', '1')).err).toBe('usage: With a key --status looks through all endpoints: leave --page and --limit out.\n');
  });
});

describe('an endpoint by a key', () => {
  it('is shown with its state, and of an open circuit what tries it', async () => {
    const probeAt = new Date(Date.now() + 600_000);
    const id = await endpoint({ circuit: 'open', circuitOpenedAt: new Date(), probeAt, failingSince: new Date(), consecutiveFailures: 20 });
    const { code, out, err } = await cli.run('endpoints', 'show', id, '--time-zone', 'Europe/Berlin');
    expect([code, parseCard(out)]).toEqual([0, expect.objectContaining({ id, status: 'active', circuit: 'open', consecutive_failures: '20', next_probe_at: expect.stringMatching(/\+0[12]:00$/) })]);
    expect(err).toMatch(new RegExp(`^The circuit is open: deliveries are held until one has succeeded; the next probe is due \\S+\\+0[12]:00\\. institution endpoints test ${id} tries it now, institution deliveries list --endpoint ${id} --status open has what waits\\.\n$`));
  });

  it('shows times by the clocks of its school', async () => {
    await api.api.domain.database.sql("UPDATE institutions SET time_zone = 'Asia/Tokyo' WHERE id = $1", [institution.id]);
    expect(parseCard(await cli.text('endpoints', 'show', await endpoint(), '--time-zone', 'school')).created_at).toMatch(/\+09:00$/);
  });

  it('is paused, resumed and tested; the answer of a receiver that refuses is shown, with exit code 1', async () => {
    const id = await endpoint();
    const paused = await cli.run('endpoints', 'pause', id, '--json');
    expect([paused.code, JSON.parse(paused.out).status, paused.err]).toEqual([0, 'paused', `Its deliveries are held until it is resumed: institution endpoints resume ${id}\n`]);
    expect((await cli.run('endpoints', 'show', id)).err).toBe('It is paused: its deliveries are held until it is resumed. Their 12 hours are paused until then: the deadlines that are shown move.\n');
    expect((await cli.run('endpoints', 'test', id)).err).toMatch(/^endpoint_inactive: /);
    expect(parseCard(await cli.text('endpoints', 'resume', id))).toMatchObject({ id, status: 'active' });
    expect(await cli.json('endpoints', 'test', id, '--event-type', 'exam.graded')).toMatchObject({ delivered: true, response_code: 200, response_body: 'seen' });
    expect(receiver.received.at(-1)?.headers['x-svc-event']).toBe('exam.graded');
    receiver.respond = () => ({ status: 503, body: 'maintenance' });
    const refused = await cli.run('endpoints', 'test', id);
    receiver.respond = () => 200;
    expect([refused.code, parseCard(refused.out), refused.err]).toEqual([1, expect.objectContaining({ delivered: 'no', response_code: '503', response_body: 'maintenance' }), 'not_delivered: The endpoint did not take it.\n']);
  });

  it('that was disabled says, once it is active, what sends what it missed', async () => {
    const id = await endpoint({ status: 'disabled', disabledReason: 'receiver_gone' });
    const { code, err } = await cli.run('endpoints', 'resume', id);
    expect([code, err.split('\n')[1]]).toEqual([0, `It was disabled; the event says since when: institution events list --type endpoint.disabled --since 30d. From then on: institution recover ${id} --since …, and of what was given up: institution replay-dead ${id} --since …`]);
  });

  it('gets a new secret, which is shown once, and statistics', async () => {
    const id = await endpoint();
    const { code, out, err } = await cli.run('endpoints', 'rotate-secret', id, '--grace-hours', '2');
    expect([code, parseCard(out)]).toEqual([0, expect.objectContaining({ id, secret: expect.stringMatching(/^whsec_/) })]);
    expect(err).toMatch(/^The secret is shown this once: keep it now\. Until \S+Z deliveries carry the signature of the one before, too\.\n$/);
    expect(await cli.text('endpoints', 'show', id)).not.toContain('whsec_');
    expect((await cli.run('endpoints', 'rotate-secret', id, '--grace-hours', '0')).err).toBe('The secret is shown this once: keep it now.\n');
    expect(await cli.json('endpoints', 'statistics', id, '--period', '30d')).toEqual((await api.call('GET', `/webhooks/endpoints/${id}/statistics`, { key: institution.apiKey, query: { period: '30d' } })).data);
  });

  it('of another institution is not found', async () => {
    const other = await seedEndpoint(api, await api.institution(), receiver.url);
    expect(await cli.run('endpoints', 'show', other)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^not_found: /) });
  });

  it('is tested and gets a new secret by an operator, too', async () => {
    const id = await endpoint();
    const operator = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
    expect(await operator.json('endpoints', 'test', id)).toMatchObject({ delivered: true });
    expect((await operator.json('endpoints', 'rotate-secret', id)).secret).toMatch(/^whsec_/);
  });
});

describe('deliveries by a key', () => {
  it('are listed by status, endpoint, type, answer, ref and time, page after page', async () => {
    const [id, elsewhere] = [await endpoint(), await endpoint()];
    const dead = await seedDeadDeliveries(api, institution, id, 2);
    const held = await seedDelivery(api, institution, id, { status: 'held' });
    await seedDeadDeliveries(api, institution, elsewhere, 1);
    const listed = async (...filter: string[]): Promise<string[]> => idsOf(await cli.json('deliveries', 'list', '--endpoint', id, ...filter));
    expect(await listed()).toEqual([held, ...[...dead].reverse()]);
    expect([await listed('--status', 'dead', '--all'), await listed('--status', 'open'), await listed('--event-type', 'exam.graded'), await listed('--response-code', '5xx')]).toEqual([[...dead].reverse(), [held], [held], [...dead].reverse()]);
    expect([await listed('--since', '1h'), await listed('--until', '1h'), await listed('--sent-by', 'rpl_1')]).toEqual([[held], [...dead].reverse(), []]);
    const { out, err } = await cli.run('deliveries', 'list', '--endpoint', id, '--limit', '1');
    expect(parseTable(out).map((row) => row.slice(0, 2))).toEqual([['id', 'status'], [held, 'held']]);
    expect(err).toBe('1 of 3: --page 2 has the next ones, --all has all.\n');
  });

  it('are shown with their attempts and what stops them, and replayed, under a ref once', async () => {
    const id = await endpoint({ status: 'paused', pausedAt: new Date() });
    const [dead = ''] = await seedDeadDeliveries(api, institution, id, 1);
    await api.api.domain.database.sql(
      `INSERT INTO webhook_attempts (institution_id, endpoint_id, delivery_id, number, cycle, started_at, duration_ms, response_code, error_class, error, response_body)
       VALUES ($1, $2, $3, 12, 1, now(), 84, 500, 'http', 'It answered 500.', 'out of order')`,
      [institution.id, id, dead],
    );
    const shown = await cli.run('deliveries', 'show', dead);
    expect([shown.code, shown.err, parseCard(shown.out)]).toEqual([0, '', expect.objectContaining({ id: dead, status: 'dead', endpoint_id: id })]);
    expect(parseTable(shown.out.split('\n\n')[1] ?? '')[1]?.slice(3)).toEqual(['500', 'http', 'It answered 500.', 'out of order']);
    const held = await seedDelivery(api, institution, id, { status: 'held', deadlineAt: new Date() });
    expect((await cli.run('deliveries', 'show', held)).err).toBe('Its endpoint is paused, which stops its deadline: it is sent when the endpoint is resumed, and given up once it has been held for 30 days.\n');
    await cli.text('endpoints', 'resume', id);
    expect(await cli.json('deliveries', 'replay', dead, '--ref', 'r1')).toMatchObject({ id: dead, status: 'pending', applied: true });
    expect(parseCard(await cli.text('deliveries', 'replay', dead, '--ref', 'r1'))).toMatchObject({ id: dead, applied: 'no' });
  });

  it('are found by an age that counts from the clock of a sandbox, which is said', async () => {
    const sandbox = await openSandboxOf(api, institution);
    await sandbox.advance(7_200);
    const id = await seedEndpoint(api, sandbox, receiver.url);
    const now = await sandbox.now();
    const recent = await seedDelivery(api, sandbox, id, { createdAt: new Date(now.getTime() - 60_000) });
    await seedDelivery(api, sandbox, id, { createdAt: new Date(now.getTime() - 5_400_000) });
    const { out, err } = await keyCommandLine(api, sandbox.key).run('deliveries', 'list', '--since', '1h', '--json');
    expect(idsOf(JSON.parse(out))).toEqual([recent]);
    expect(err).toMatch(/^The clock of this sandbox is 2 h ahead: it shows \S+Z\. Ages, today and yesterday count by it\.\n$/);
  });
});

describe('the key or the platform token', () => {
  const listed = async (environment: Record<string, string>): Promise<unknown[]> => idsOf(await commandLine(environment, folder).json('endpoints', 'list', institution.id));
  let operator: Record<string, string>;
  let ofKey: Record<string, string>;

  beforeEach(() => {
    operator = { PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken };
    ofKey = { BASE_URL: api.baseUrl, API_KEY: institution.apiKey };
    writeFileSync(join(folder, '.local', 'connection.json'), JSON.stringify({ platform_url: api.platformUrl, platform_token: api.settings.platformToken } satisfies Partial<ConnectionFile>));
  });

  it.each([
    ['the platform token, where both are set', () => ({ ...operator, ...ofKey }), true],
    ['the key, where the token is not', () => ofKey, false],
    ['the token of the local stack, where neither is', () => ({}), true],
  ])('%s', async (_what, environment, isPlatform) => {
    await endpoint();
    const { items } = await commandLine(environment(), folder).json('endpoints', 'list', institution.id);
    // Only the platform API knows the backlog.
    expect(items.map((item: object) => 'backlog' in item)).toEqual([isPlatform]);
    expect((await commandLine(environment(), folder).json('config')).webhooks_by).toBe(isPlatform ? 'platform_token' : 'api_key');
  });

  it('neither is named where there is none, with how to set each', async () => {
    expect(await commandLine({}, tmpdir()).run('endpoints', 'list')).toEqual({ code: 2, out: '', err: 'usage: Set API_KEY with BASE_URL, or PLATFORM_TOKEN with PLATFORM_URL, or run it where npm start keeps .local/connection.json.\n' });
  });

  it('the institution of a key is its own: another is refused before anything is listed', async () => {
    const other = await api.institution();
    expect(await cli.run('deliveries', 'list', other.id)).toEqual({ code: 2, out: '', err: `usage: The key is of North School (${institution.id}), and of no other institution: leave the name out, or set PLATFORM_TOKEN with PLATFORM_URL.\n` });
    expect(await listed(operator)).toEqual([]);
  });

  it('an operator names the institution', async () => {
    expect((await commandLine(operator).run('deliveries', 'list')).err).toBe('usage: Name an institution, by its id, ins_…, or its name: only a key has one of its own.\n');
  });

  it('a key acts as itself', async () => {
    expect(await cli.run('endpoints', 'list', '--actor', institution.adminId)).toEqual({ code: 2, out: '', err: 'usage: --actor is for operators: a key acts as itself.\n' });
  });

  it.each([
    [['keys', 'list', 'ins_1'], 'institution keys', 'the admin and the developers of an institution make keys in its portal'],
    [['explain', 'evt_1'], 'institution explain', 'institution deliveries list has'],
    [['deliveries', 'list', '--late'], '--late', 'the list has created_at and delivered_at of each'],
    [['deliveries', 'retry-now', 'whd_1'], 'deliveries retry-now', 'institution endpoints test we_…'],
  ])('%j is for operators, and says what a key has in its place', async (args, what, instead) => {
    const { code, out, err } = await commandLine(ofKey, tmpdir()).run(...args);
    expect([code, out, err.startsWith(`usage: ${what} is for operators, with PLATFORM_TOKEN and PLATFORM_URL. With a key: ${instead}`)]).toEqual([2, '', true]);
  });
});
