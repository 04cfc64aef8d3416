import { scopes } from '../../domain/scopes';
import { suggestedScopes } from '../../cli/scopes';
import { latencyBoundsMs } from '../../domain/webhooks/latency';
import { commandLine, parseCard, parseTable, type CommandLine } from '../support/commandLine';
import { seedDeadDeliveries, seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { minutesAgo } from '../support/time';
import { transact } from '../../domain/transact';

/** An hour of winter, in which Berlin is an hour ahead of UTC. */
const opened = new Date('2026-01-15T09:30:00.000Z');

let api: TestApi;
let cli: CommandLine;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
  await api.api.domain.database.sql("UPDATE institutions SET time_zone = 'Europe/Berlin' WHERE id = $1", [institution.id]);
});

afterAll(() => api.stop());

const failing = { description: 'Gradebook', circuit: 'open', circuitOpenedAt: opened, probeAt: opened, failingSince: opened, consecutiveFailures: 20 } as const;

/** The first row of a table, by the names of its columns. */
function firstRow(words: string): Record<string, string> {
  const [head = [], row = []] = parseTable(words);
  return Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']));
}

describe('endpoints', () => {
  let open: string;
  let healthy: string;

  beforeAll(async () => {
    open = await seedEndpoint(api, institution, 'https://hooks.example.org/open', failing);
    healthy = await seedEndpoint(api, institution, 'https://hooks.example.org/healthy');
    await seedDelivery(api, institution, open, { status: 'held' });
    await seedDelivery(api, institution, open, { status: 'retrying', nextAttemptAt: new Date() });
    await seedDeadDeliveries(api, institution, open, 1);
  });

  it('show has the circuit, the next probe, the backlog, since when it is failing, and the description', async () => {
    expect(parseCard(await cli.text('endpoints', 'show', open))).toMatchObject({
      id: open, description: 'Gradebook', circuit: 'open', circuit_opened_at: opened.toISOString(), next_probe_at: opened.toISOString(), failing_since: opened.toISOString(),
      'backlog.pending': '0', 'backlog.retrying': '1', 'backlog.held': '1', 'backlog.dead': '1',
    });
  });

  it('list has the same in a row for each, and --status narrows it to open circuits, failing ones, or a status', async () => {
    const row = firstRow(await cli.text('endpoints', 'list', institution.id, '--status', 'open'));
    expect(row).toMatchObject({ id: open, status: 'active', description: 'Gradebook', circuit: 'open', failing_since: opened.toISOString(), next_probe_at: opened.toISOString(), 'backlog.held': '1' });
    const listed = async (...filter: string[]): Promise<string[]> => (await cli.json('endpoints', 'list', institution.id, ...filter)).items.map(({ id }: { id: string }) => id);
    expect(await Promise.all([listed(), listed('--status', 'failing'), listed('--status', 'active'), listed('--status', 'disabled')])).toEqual([expect.arrayContaining([open, healthy]), [open], expect.arrayContaining([open, healthy]), []]);
    expect(await cli.run('endpoints', 'list', institution.id, '--status', 'broken')).toMatchObject({ code: 1, err: expect.stringMatching(/^validation_error: /) });
  });

  it('pause names the command that resumes it', async () => {
    const { code, err } = await cli.run('endpoints', 'pause', healthy);
    expect([code, err]).toEqual([0, `Its deliveries are held until it is resumed: institution endpoints resume ${healthy}\n`]);
    expect((await cli.run('endpoints', 'resume', healthy)).err).toBe(`Whether a circuit holds its deliveries: institution endpoints show ${healthy}\n`);
  });

  it('resume of a disabled one says since when it was disabled, and the command that sends what it missed', async () => {
    const gone = await seedEndpoint(api, institution, 'https://hooks.example.org/gone', { status: 'disabled', disabledReason: 'answered 410 Gone' });
    await transact(api.api.domain, institution.caller, async (tx) => tx.emit('endpoint.disabled', { endpoint_id: gone, reason: 'gone', failing_since: null }));
    const { disabled_at: at } = await cli.json('endpoints', 'show', gone);
    const { code, err } = await cli.run('endpoints', 'resume', gone);
    expect([code, err]).toEqual([0, `Whether a circuit holds its deliveries: institution endpoints show ${gone}\nIt was disabled since ${at}; what it missed: institution recover ${gone} --since ${at}\n`]);
    expect(parseCard(await cli.text('endpoints', 'show', gone))).toMatchObject({ status: 'active', disabled_at: '-' });
  });

  it('show of one with an open circuit, and nothing that waits, says that there is no probe', async () => {
    const idle = await seedEndpoint(api, institution, 'https://hooks.example.org/idle', { ...failing, failingSince: minutesAgo(9) });
    expect((await cli.run('endpoints', 'show', idle)).err).toContain('.\nNothing waits, so there is no probe: the next delivery is sent as one, not before next_probe_at\n');
    expect((await cli.run('endpoints', 'show', open)).err).not.toContain('Nothing waits');
  });

  it('statistics has the attempts of a day by the hour, and those of a month by 24 hours', async () => {
    for (const [period, ranges] of [['24h', 24], ['30d', 30]] as const) {
      const [whole = '', table = ''] = (await cli.text('endpoints', 'statistics', open, '--period', period)).split('\n\n');
      expect(parseCard(whole)).toMatchObject({ attempts: '0', failures: '0', latency_p95_ms: '-' });
      expect(parseTable(table)).toHaveLength(ranges + 1);
    }
    expect((await cli.json('endpoints', 'statistics', open)).ranges).toHaveLength(24);
  });

  it('statistics says of a latency below the least of the histogram no more than that; the JSON has the estimate', async () => {
    const [fast, slow] = [await seedEndpoint(api, institution, 'https://hooks.example.org/fast'), await seedEndpoint(api, institution, 'https://hooks.example.org/slow')];
    for (const [id, below50, below100] of [[fast, 4, 0], [slow, 0, 4]] as const) {
      await api.api.domain.database.sql(
        `INSERT INTO endpoint_statistics (institution_id, endpoint_id, hour, attempts, failures, latency_50, latency_100, latency_250, latency_500, latency_1000, latency_2500, latency_5000, latency_slower)
         VALUES ($1, $2, date_trunc('hour', now()), 4, 0, $3, $4, 0, 0, 0, 0, 0, 0)`,
        [institution.id, id, below50, below100],
      );
    }
    const [words = '', table = ''] = (await cli.text('endpoints', 'statistics', fast)).split('\n\n');
    const least = `≤ ${latencyBoundsMs[0]}`;
    expect([parseCard(words).latency_p50_ms, parseCard(words).latency_p95_ms]).toEqual([least, least]);
    expect(parseTable(table).at(-1)?.slice(3)).toEqual([least, least]);
    expect((await cli.json('endpoints', 'statistics', fast)).latency_p50_ms).toBe(25);
    expect(parseCard(await cli.text('endpoints', 'statistics', slow)).latency_p50_ms).toBe('75');
  });

  it('show has its last outage in rows of its own', async () => {
    const again = await seedEndpoint(api, institution, 'https://hooks.example.org/outage', { lastFailureAt: opened });
    expect(parseCard(await cli.text('endpoints', 'show', again)).last_outage).toBe('-');
    await seedDeliveryAttempt(api, await seedDelivery(api, institution, again), { startedAt: opened });
    expect(parseCard(await cli.text('endpoints', 'show', again))).toMatchObject({ 'last_outage.from': opened.toISOString(), 'last_outage.failed_attempts': '1', 'last_outage.recovered_at': '-' });
  });

  it('show says when one was last disabled, also once it is active again', async () => {
    const again = await seedEndpoint(api, institution, 'https://hooks.example.org/again');
    expect(parseCard(await cli.text('endpoints', 'show', again)).last_disabled_at).toBe('-');
    await transact(api.api.domain, institution.caller, async (tx) => tx.emit('endpoint.disabled', { endpoint_id: again, reason: 'gone', failing_since: null }));
    expect(parseCard(await cli.text('endpoints', 'show', again))).toMatchObject({ status: 'active', disabled_at: '-', last_disabled_at: expect.stringMatching(/^20\d\d-/) });
  });
});

it('events are listed by institution with their deliveries, and explained with the reason of each endpoint', async () => {
  const school = await api.institution();
  const subscribed = await seedEndpoint(api, school, 'https://hooks.example.org/subscribed', { createdAt: minutesAgo(1) });
  const other = await seedEndpoint(api, school, 'https://hooks.example.org/other', { description: 'Grades', events: ['exam.*'], createdAt: minutesAgo(1) });
  const [event = ''] = await seedEvents(api, school, { type: 'student.created', createdAt: new Date() });
  await seedDelivery(api, school, subscribed, { eventId: event, eventType: 'student.created', status: 'dead' });
  expect(firstRow(await cli.text('institutions', 'events', school.id, '--type', 'student.created'))).toMatchObject({ id: event, type: 'student.created', deliveries: '1 dead' });
  expect((await cli.json('institutions', 'events', school.id, '--since', '1h')).items[0]).toMatchObject({ id: event });
  expect((await cli.json('institutions', 'events', school.id, '--since', minutesAgo(60).toISOString().slice(0, 16).replace('T', ' '))).items[0]).toMatchObject({ id: event });
  expect((await cli.json('institutions', 'events', school.id, '--until', '1h')).items).toEqual([]);
  const [head, ...rows] = parseTable((await cli.text('explain', event)).split('\n\n')[1] ?? '');
  expect(head).toEqual(['endpoint_id', 'endpoint', 'outcome', 'at', 'delivery_id', 'reason']);
  expect(rows.map(([id, name, outcome]) => [id, name, outcome])).toEqual([[subscribed, 'https://hooks.example.org/subscribed', 'dead'], [other, 'Grades', 'not subscribed']]);
  expect(await cli.json('explain', event)).toMatchObject({ id: event, institution_id: school.id, pruned: false });
  const [{ id: delivery }] = (await cli.json('deliveries', 'list', school.id)).items;
  const ofDelivery = await cli.run('explain', delivery, '--json');
  expect([JSON.parse(ofDelivery.out).id, ofDelivery.err]).toEqual([event, `${delivery} is a delivery of the event ${event}.\n`]);
});

it('events of an institution are listed by a pattern of their types, alone and with whom they are about', async () => {
  const school = await api.institution();
  const { data: { id } } = await api.call('POST', '/students', { key: school.apiKey, body: {} });
  await api.call('POST', `/students/${id}/suspend`, { key: school.apiKey });
  const typesOf = async (...filter: string[]): Promise<string[]> => (await cli.json('institutions', 'events', school.id, ...filter)).items.map(({ type }: { type: string }) => type);
  expect(await Promise.all([typesOf('--type', 'student.*'), typesOf('--type', 'student.created'), typesOf('--type', 'exam.*')])).toEqual([['student.updated', 'student.created'], ['student.created'], []]);
  expect((await Promise.all([typesOf('--type', 'student.*', '--about', id), typesOf('--type', 'exam.*', '--about', id)])).map((types) => types.toSorted())).toEqual([['student.created', 'student.updated'], []]);
  expect((await cli.run('institutions', 'events', school.id, '--type', 'students.*')).err).toMatch(/^validation_error: type must be one pattern: /);
});

it('the audit log is listed by who, target, operation, request and time', async () => {
  const school = await api.institution();
  const created = await api.call('POST', '/students', { key: school.apiKey, body: { full_name: 'Ada' } });
  const { id } = created.data;
  await api.call('POST', `/students/${id}/suspend`, { key: school.apiKey });
  await api.call('POST', '/students', { key: school.apiKey, body: {} });
  const operations = async (...filter: string[]): Promise<string[]> => (await cli.json('audit', school.id, ...filter)).items.map(({ operation }: { operation: string }) => operation);
  expect(await Promise.all([
    operations('--target', id), operations('--operation', 'suspendStudent'), operations('--by', school.keyId, '--limit', '1'), operations('--by', 'console'),
    operations('--request', created.headers.get('x-request-id') ?? ''), operations('--until', '1h'), operations('--target', 'stu_none'),
  ])).toEqual([['suspendStudent', 'createStudent'], ['suspendStudent'], ['createStudent'], [], ['createStudent'], [], []]);
  const [{ name: keyName }] = (await cli.json('keys', 'list', school.id)).items;
  expect(firstRow(await cli.text('audit', school.id, '--operation', 'suspendStudent'))).toMatchObject({ 'actor.kind': 'key', 'actor.id': school.keyId, 'actor.name': keyName, operation: 'suspendStudent', target: id });
});

it('search finds an id, a login email and a request, and says what is known where there is nothing', async () => {
  const created = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
  const { id, login_email: email } = created.data;
  for (const text of [id, email]) expect(firstRow(await cli.text('search', text))).toMatchObject({ kind: 'student', id, description: 'Ada', institution_id: institution.id });
  expect((await cli.json('search', created.headers.get('x-request-id') ?? '')).items).toMatchObject([{ kind: 'audited call', state: 'createStudent' }]);
  expect(await cli.run('search', 'stu_01jd4k6f2mep2s5xg5yhc8m1zr')).toEqual({ code: 0, out: expect.stringMatching(/^Nothing found: .+\.\n$/), err: expect.stringContaining('stu_01jd4k6f2mep2s5xg5yhc8m1zr') });
  expect(await cli.run('search', 'svc_live_L7uD')).toMatchObject({ out: 'Nothing was looked for: this is an API key itself.\n', err: expect.stringContaining('institution keys list <school>') });
  expect((await cli.run('search', '8ECNC3EXHJPC46A3')).err).toContain('If it is a coupon code: codes are not searched.');
  expect((await cli.run('search', 'North School')).err).toContain('Institutions by name: institution institutions list --name ');
});

it('search takes several ids: one table of what they are, and which of them are nothing', async () => {
  const [ada, eve] = [(await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } })).data, (await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Eve' } })).data];
  const unknown = 'stu_01jd4k6f2mep2s5xg5yhc8m1zr';
  expect(await cli.json('search', ada.id, unknown, eve.id)).toMatchObject({ items: [{ id: ada.id, description: 'Ada' }, { id: eve.id, description: 'Eve' }], not_found: [unknown] });
  const { out } = await cli.run('search', ada.id, unknown, eve.id);
  expect(parseTable(out).slice(1, 3).map(([kind, id, name]) => [kind, id, name])).toEqual([['student', ada.id, 'Ada'], ['student', eve.id, 'Eve']]);
  expect(out).toContain(`\nNothing found: ${unknown}.\n`);
  for (const { id } of [ada, eve]) expect(out).toContain(`\n${id}:${(await cli.text('search', id)).split('\n').slice(2).join('\n')}`);
  expect(await cli.run('search', ...Array.from({ length: 51 }, () => ada.id))).toEqual({ code: 2, out: '', err: 'usage: 51 texts are too many: 50 at most are searched at a time.\n' });
});

describe('--time-zone', () => {
  let endpoint: string;
  let dead: string;

  beforeAll(async () => {
    endpoint = await seedEndpoint(api, institution, 'https://hooks.example.org/zone', failing);
    dead = await seedDelivery(api, institution, endpoint, { status: 'dead', createdAt: opened });
  });

  it('school shows the times of an institution by its own clocks; a zone by its name; UTC without it; the JSON stays as the API answers it', async () => {
    const times = async (...zone: string[]): Promise<string | undefined> => parseCard(await cli.text('endpoints', 'show', endpoint, ...zone)).failing_since;
    expect(await Promise.all([times(), times('--time-zone', 'school'), times('--time-zone', 'America/New_York')])).toEqual(['2026-01-15T09:30:00.000Z', '2026-01-15T10:30:00.000+01:00', '2026-01-15T04:30:00.000-05:00']);
    expect(firstRow(await cli.text('deliveries', 'list', institution.id, '--endpoint', endpoint, '--time-zone', 'school')).created_at).toBe('2026-01-15T10:30:00.000+01:00');
    expect(await cli.json('endpoints', 'show', endpoint, '--time-zone', 'school')).toMatchObject({ failing_since: '2026-01-15T09:30:00.000Z' });
    expect(firstRow(await cli.text('institutions', 'list', '--time-zone', 'school')).created_at).toMatch(/Z$/);
  });

  it('is the zone of times that are given without an offset', async () => {
    const found = async (since: string, until: string, ...zone: string[]): Promise<string[]> =>
      (await cli.json('deliveries', 'list', institution.id, '--endpoint', endpoint, '--since', since, '--until', until, ...zone)).items.map(({ id }: { id: string }) => id);
    const range = ['2026-01-15T10:00', '2026-01-15T11:00'] as const;
    // The delivery was created at 10:30:00 in Berlin.
    expect(await Promise.all([found('2026-01-15T10:29', '2026-01-15T10:30', '--time-zone', 'school'), found('2026-01-15T10:29', '2026-01-15T10:29', '--time-zone', 'school')])).toEqual([[dead], []]);
    expect(await Promise.all([found(...range), found(...range, '--time-zone', 'school'), found('2026-01-15T10:00+01:00', '2026-01-15T11:00+01:00')])).toEqual([[], [dead], [dead]]);
    expect(await cli.run('deliveries', 'list', institution.id, '--since', '2026-01-15T99:00')).toMatchObject({ code: 2, err: 'usage: 2026-01-15T99:00 is no time such as 2026-11-20T09:30, 2026-11-20T09:30:00Z or "yesterday 14:00".\n' });
    expect((await cli.run('deliveries', 'list', institution.id, '--since', 'today 25:00')).err).toMatch(/^usage: today 25:00 is no time such as /);
  });
});

it('a key with --scope all has every scope, and each is completed', async () => {
  const key = await cli.json('keys', 'create', institution.id, '--name', 'Trial', '--scope', 'all', '--scope', 'students:write', '--test');
  expect(key).toMatchObject({ environment: 'test', scopes: scopes.map(({ scope }) => scope).filter((scope) => scope.endsWith(':write')) });
  expect([...suggestedScopes].sort()).toEqual(['all', ...scopes.map(({ scope }) => scope)].sort());
});

it('events of a student are found by login email, and explain has the ids in their content', async () => {
  const school = await api.institution();
  const { data } = await api.call('POST', '/students', { key: school.apiKey, body: { full_name: 'Bo Marsh' } });
  await api.call('POST', '/students', { key: school.apiKey, body: { full_name: 'Ada' } });
  const { items } = await cli.json('institutions', 'events', school.id, '--about', data.login_email, '--type', 'student.created');
  expect(items).toHaveLength(1);
  expect(parseCard((await cli.text('explain', items[0].id)).split('\n\n')[0] ?? '')).toMatchObject({ 'ids.student_id': data.id });
  expect((await cli.run('institutions', 'events', school.id, '--about', 'nobody@north.example')).err).toBe('Nobody of this institution has the login email nobody@north.example.\n');
});

it('audit finds the writes about a person by login email, and those of a request, in any case', async () => {
  const school = await api.institution();
  const { data, headers } = await api.call('POST', '/students', { key: school.apiKey, body: { full_name: 'Bo Marsh' } });
  const operations = async (...options: string[]): Promise<string[]> => (await cli.json('audit', school.id, ...options)).items.map(({ operation }: { operation: string }) => operation);
  expect(await operations('--target', String(data.login_email).toUpperCase())).toEqual(['createStudent']);
  expect(await operations('--request', String(headers.get('x-request-id')).toUpperCase())).toEqual(['createStudent']);
  expect((await cli.run('audit', school.id, '--target', 'nobody@north.example')).err).toBe('Nobody of this institution has the login email nobody@north.example.\n');
});

it('search of a person has what decides whether they can sign in: the lock, the license, the address and the seats', async () => {
  const school = await api.institution();
  const { data } = await api.call('POST', '/students', { key: school.apiKey, body: { full_name: 'Rita' } });
  await api.call('POST', `/licenses/${data.license.id}/revoke`, { key: school.apiKey });
  const [, account = ''] = (await cli.text('search', data.login_email)).split('\n\n');
  expect(parseCard(account)).toMatchObject({ login_email: data.login_email, personal_email_mapped: 'no', locked_since: '-', locked_until: '-', 'license.id': data.license.id, 'license.status': 'revoked' });
  const [, change = ''] = (await cli.text('search', data.license.id)).split('\n\n');
  expect(parseCard(change)).toEqual({ revoked: expect.stringMatching(new RegExp(`^at \\d{4}-.+ by .+${school.keyId}`)) });
});

it('search of a license has until when it lasts, and once it is revoked when that was', async () => {
  const school = await api.institution();
  const { data: { license } } = await api.call('POST', '/students', { key: school.apiKey, body: {} });
  const found = async (): Promise<string> => firstRow(await cli.text('search', license.id)).description ?? '';
  expect(await found()).toBe(`student, until ${license.expires_at.slice(0, 19)}Z`);
  const { data: revoked } = await api.call('POST', `/licenses/${license.id}/revoke`, { key: school.apiKey });
  expect(await found()).toBe(`student, revoked ${revoked.revoked_at.slice(0, 19)}Z`);
});

it('endpoints list without an institution has the failing ones of all, with the name of their school', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.example.org/failing', { ...failing, circuit: 'closed', circuitOpenedAt: null, probeAt: null });
  const { items } = await cli.json('endpoints', 'list', '--status', 'failing', '--all');
  expect(items.find((one: { id: string }) => one.id === id)).toMatchObject({ institution_id: institution.id, institution_name: 'North School', circuit: 'closed' });
  expect((await cli.json('endpoints', 'list', '--status', 'open', '--all')).items.map((one: { id: string }) => one.id)).not.toContain(id);
  expect(await cli.run('endpoints', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('Name an institution') });
});

it('endpoints list without an institution has the disabled and the paused ones of all, with since when', async () => {
  const url = 'https://hooks.example.org/stopped';
  const disabled = await seedEndpoint(api, institution, url, { status: 'disabled', disabledReason: 'answered 410 Gone' });
  const paused = await seedEndpoint(api, institution, url, { status: 'paused', pausedAt: opened });
  const ofStatus = async (status: string): Promise<{ id: string }[]> => (await cli.json('endpoints', 'list', '--status', status, '--all')).items;
  const [allDisabled, allPaused] = [await ofStatus('disabled'), await ofStatus('paused')];
  expect([allDisabled, allPaused].map((items) => items.map(({ id }) => id).filter((id) => id === disabled || id === paused))).toEqual([[disabled], [paused]]);
  expect(allDisabled.find(({ id }) => id === disabled)).toMatchObject({ institution_name: 'North School', disabled_reason: 'answered 410 Gone' });
  expect(firstRow(await cli.text('endpoints', 'list', '--status', 'paused'))).toMatchObject({ id: paused, paused_at: opened.toISOString() });
  expect((await cli.run('endpoints', 'list', '--status', 'active')).code).toBe(2);
});

it('health says whether workers ask for work, and how old the oldest pending delivery is', async () => {
  const card = parseCard(await cli.text('health'));
  expect(card['workers.polling']).toMatch(/^(yes|no)$/);
  expect(Number(card['workers.oldest_pending_delivery_seconds'])).toBeGreaterThanOrEqual(0);
});
