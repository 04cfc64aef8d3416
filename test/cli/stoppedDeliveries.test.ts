import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine, parseTable, type CommandLine } from '../support/commandLine';
import { changeDeliveries } from '../support/deliveries';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';
import { seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { addStaffMember } from '../support/staff';
import { minutesAgo } from '../support/time';

let api: TestApi;
let cli: CommandLine;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
});

afterAll(() => api.stop());

beforeEach(async () => {
  institution = await api.institution();
});

const open = { circuit: 'open', circuitOpenedAt: minutesAgo(9), probeAt: minutesAgo(5), failingSince: minutesAgo(9), consecutiveFailures: 20 } as const;
const paused = { status: 'paused', pausedAt: minutesAgo(3) } as const;

const stops = [
  ['a paused endpoint', paused, false, 'Its endpoint is paused', 'when the endpoint is resumed'],
  ['a suspended institution', {}, true, 'Its institution is not approved', 'when the institution is approved'],
  ['a suspended institution, with a paused endpoint', paused, true, 'Its institution is not approved and its endpoint is paused', 'when the institution is approved and the endpoint is resumed'],
] as const;

describe.each(stops)('a delivery of %s', (_name, fields, isSuspended, because, sent) => {
  let endpoint: string;

  beforeEach(async () => {
    endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', fields);
    if (isSuspended) await cli.text('institutions', 'suspend', institution.id);
  });

  it('that waits for a retry is shown without a next attempt, and a note says that it is held then', async () => {
    const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(2) });
    const retrying = await seedDelivery(api, institution, endpoint, { eventId, status: 'retrying', attempts: 4, responseCode: 500, createdAt: minutesAgo(2), nextAttemptAt: minutesAgo(-2), deadlineAt: minutesAgo(-700) });
    const { out, err } = await cli.run('deliveries', 'show', retrying);
    expect([out.includes('next_attempt_at'), out.includes('deadline_at'), err]).toEqual([false, false, `${because}, which stops its deadline: when its next attempt is due it is held, and sent ${sent}.\n`]);
    expect(await cli.text('explain', retrying)).toContain(`4 attempts failed, the last one with HTTP 500. ${because}: when its next attempt is due it is held, and sent ${sent}.`);
    expect((await cli.run('deliveries', 'retry-now', retrying)).err).toContain(`, although ${because.charAt(0).toLowerCase()}${because.slice(1)}: institution deliveries show`);
  });

  it('that is held says every reason, and of no probe', async () => {
    const held = await seedDelivery(api, institution, endpoint, { status: 'held', heldAt: minutesAgo(2) });
    expect((await cli.run('deliveries', 'show', held)).err).toBe(`${because}, which stops its deadline: it is sent ${sent}, and given up once it has been held for 30 days.\n`);
  });
});

const failed = 'failed so often in a row that only one delivery is tried at a time';

it.each([
  [
    'a suspended institution', open, true, 'when the institution is approved and one delivery has succeeded', 'its institution is not approved',
    'Its institution is not approved and the circuit of its endpoint is open', `Its institution is not approved and its endpoint ${failed}`,
  ],
  [
    'a paused endpoint', { ...open, ...paused }, false, 'when the endpoint is resumed and one delivery has succeeded', 'its endpoint is paused',
    'Its endpoint is paused and the circuit of its endpoint is open', `Its endpoint is paused and ${failed}`,
  ],
  [
    'a suspended institution and a paused endpoint', { ...open, ...paused }, true, 'when the institution is approved, the endpoint is resumed and one delivery has succeeded',
    'its institution is not approved and its endpoint is paused', 'Its institution is not approved, its endpoint is paused and the circuit of its endpoint is open',
    `Its institution is not approved, and its endpoint is paused and ${failed}`,
  ],
] as const)('a delivery of %s, under an open circuit, says every reason, what sends it, and which of them stops its deadline', async (_name, fields, isSuspended, sent, deadlineStop, because, explained) => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', fields);
  if (isSuspended) await cli.text('institutions', 'suspend', institution.id);
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(2) });
  const held = await seedDelivery(api, institution, endpoint, { eventId, status: 'held', heldAt: minutesAgo(2) });
  expect((await cli.run('deliveries', 'show', held)).err).toBe(`${because}: it is sent ${sent}, and given up once it has been held for 30 days. Its deadline is stopped while ${deadlineStop}.\n`);
  expect(await cli.text('explain', held)).toContain(`It is held: ${explained.charAt(0).toLowerCase()}${explained.slice(1)}; it is sent ${sent}.`);
});

it('endpoints show of a suspended institution says that its deliveries are held, and that there is no probe', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', open);
  await cli.text('institutions', 'suspend', institution.id);
  expect((await cli.run('endpoints', 'show', endpoint)).err).toBe('Its institution is not approved: its deliveries are held until the institution is approved, and there is no probe. Its circuit is open, too: then one is tried at a time until one has succeeded. Their 12 hours are paused until then: the deadlines that are shown move.\n');
});

it('endpoints list of a suspended institution says that there are no probes, and of a paused endpoint names none', async () => {
  await seedEndpoint(api, institution, 'https://hooks.north.example/paused', { ...open, ...paused });
  const [row] = parseTable(await cli.text('endpoints', 'list', institution.id)).slice(1);
  expect(row?.join(' ')).not.toContain(open.probeAt.toISOString());
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', open);
  expect((await cli.run('endpoints', 'list', institution.id)).err).toBe('');
  await cli.text('institutions', 'suspend', institution.id);
  const { out, err } = await cli.run('endpoints', 'list', institution.id);
  expect([out.includes(endpoint), err]).toEqual([true, 'The institution is not approved: deliveries are held until it is approved, and there are no probes.\n']);
});

it('endpoints show of a paused endpoint with an open circuit says that there is no probe', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { ...open, ...paused });
  expect((await cli.run('endpoints', 'show', endpoint)).err).toBe('It is paused: its deliveries are held until it is resumed, and there is no probe. Its circuit is open, too: then one is tried at a time until one has succeeded. Their 12 hours are paused until then: the deadlines that are shown move.\n');
  await cli.text('institutions', 'suspend', institution.id);
  expect((await cli.run('endpoints', 'show', endpoint)).err).toContain('Its institution is not approved and it is paused: its deliveries are held until the institution is approved and it is resumed, and there is no probe.');
});

it('endpoints show of an endpoint whose time to be disabled is past says how many attempts it waits for, and before that on which condition it is disabled', async () => {
  const failingSince = minutesAgo(73 * 60);
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { failingSince, consecutiveFailures: 3 });
  const delivery = await seedDelivery(api, institution, endpoint, { createdAt: minutesAgo(73 * 60) });
  await seedDeliveryAttempt(api, delivery, { number: 1, startedAt: minutesAgo(25 * 60) });
  await seedDeliveryAttempt(api, delivery, { number: 2, startedAt: minutesAgo(5) });
  const since = new Date(failingSince.getTime() + 72 * 3_600_000).toISOString();
  expect((await cli.run('endpoints', 'show', endpoint)).err).toMatch(new RegExp(`^It may be disabled since ${since}: unless an attempt succeeds before, it is once 10 attempts were made within 24 hours \\(1 so far\\)\\.\n$`));
  const early = await seedEndpoint(api, institution, 'https://hooks.north.example/early', { failingSince: minutesAgo(60), consecutiveFailures: 3 });
  expect((await cli.run('endpoints', 'show', early)).err).toMatch(/^It is disabled at \S+Z or later, unless an attempt succeeds before, with at least 10 attempts in the 24 hours before \(0 in the last 24 hours\)\.\n$/);
});

it('endpoints show of an endpoint with an open circuit says when the first and the last of the held deliveries are given up', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/open', open);
  const [first, last] = [minutesAgo(-600), minutesAgo(-660)];
  await seedDelivery(api, institution, endpoint, { status: 'held', createdAt: minutesAgo(120), deadlineAt: first });
  expect((await cli.run('endpoints', 'show', endpoint)).err).toContain(`An open circuit does not stop their 12 hours: the held one is given up at ${first.toISOString()}. A pause stops them.\n`);
  await seedDelivery(api, institution, endpoint, { status: 'held', createdAt: minutesAgo(60), deadlineAt: last });
  expect((await cli.run('endpoints', 'show', endpoint)).err).toContain(`the first of the held ones is given up at ${first.toISOString()}, the last one at ${last.toISOString()}. A pause stops them.\n`);
});

it('endpoints show of an open circuit that holds everything says that the endpoint stays active, where no attempt counts once its time to be disabled comes', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/quiet', open);
  const last = minutesAgo(-660);
  await seedDelivery(api, institution, endpoint, { status: 'held', createdAt: minutesAgo(60), deadlineAt: last });
  const disableAt = new Date(open.failingSince.getTime() + 72 * 3_600_000).toISOString();
  const { err } = await cli.run('endpoints', 'show', endpoint);
  expect(err).not.toContain('It is disabled at');
  expect(err).toContain(
    `If nothing new happens, probes end at ${last.toISOString()} with the last held delivery, and it stays active: from ${disableAt} on it is disabled once 10 attempts of later events have failed within 24 hours. Nor is its owner warned by email before that many have failed.\n`,
  );
  const later = await seedEndpoint(api, institution, 'https://hooks.north.example/long', { ...open, failingSince: minutesAgo(50 * 60) });
  await seedDelivery(api, institution, later, { status: 'held', createdAt: minutesAgo(60), deadlineAt: last });
  expect((await cli.run('endpoints', 'show', later)).err).not.toContain('If nothing new happens');
  const quiet = await seedEndpoint(api, institution, 'https://hooks.north.example/given-up', open);
  await seedDelivery(api, institution, quiet, { status: 'dead', createdAt: minutesAgo(800) });
  expect((await cli.run('endpoints', 'show', quiet)).err).toContain(`If nothing new happens, nothing is probed, and it stays active: from ${disableAt} on it is disabled once 10 attempts`);
});

it('a delivery that was late has a note how late, and what says why', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  const shown = async (lateBy: number): Promise<string> => {
    const id = await seedDelivery(api, institution, endpoint, { status: 'delivered', attempts: 1, responseCode: 200, createdAt: minutesAgo(60), deliveredAt: minutesAgo(60 - lateBy) });
    return (await cli.run('deliveries', 'show', id)).err;
  };
  expect(await shown(11)).toMatch(/^It was delivered 11 min after it was created; why: institution explain evt_\w{26}\n$/);
  expect(await shown(0.5)).toBe('');
});

it('a replay by response codes that matches nothing says how many dead deliveries have another response, or none', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
  await seedDelivery(api, institution, endpoint, { eventId, status: 'dead', responseCode: null, createdAt: minutesAgo(60) });
  const { out, err } = await cli.run('replay-dead', endpoint, '--since', '24h', '--response-codes', '503');
  expect(out).toMatch(/matched\s+0/);
  expect(err).toContain('1 dead delivery of this time has another response, or none since a replay: without --response-codes all are sent.\n');
  expect((await cli.run('replay-dead', endpoint, '--since', '30m', '--response-codes', '503')).err).not.toContain('since a replay');
});

it('a delivery that was replayed and given up without an attempt keeps the response of its last one', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(800) });
  const dead = await seedDelivery(api, institution, endpoint, { eventId, status: 'dead', attempts: 2, cycle: 1, responseCode: 503, errorClass: 'http', createdAt: minutesAgo(800) });
  await seedDeliveryAttempt(api, dead, { number: 1, startedAt: minutesAgo(790), responseCode: 500 });
  await seedDeliveryAttempt(api, dead, { number: 2, startedAt: minutesAgo(780), responseCode: 503 });
  await cli.text('deliveries', 'replay', dead);
  await changeDeliveries(api.api.domain.database.sql, "SET status = 'dead', ended_at = now(), end_reason = 'deadline' WHERE id = $1", [dead]);
  const explained = await cli.text('explain', dead);
  expect(explained).toContain('It was given up after 2 attempts, the last one with HTTP 503, and none since it was replayed, because its 12 hours were over');
  expect(explained).not.toContain('without a response');
  const { out, err } = await cli.run('deliveries', 'show', dead);
  expect(parseTable(out.split('\n\n')[1] ?? '').map((row) => row.slice(0, 2))).toEqual([['number', 'started_at'], ['1', expect.anything()], ['2', expect.anything()]]);
  expect(err).toContain('It was replayed and not attempted since: its attempts are of before');
});

it('resume of a disabled endpoint names what was given up with it, which no recovery sends; the command sends all of it', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { failingSince: minutesAgo(60), consecutiveFailures: 3 });
  const { sql } = api.api.domain.database;
  const events = [minutesAgo(50), minutesAgo(40), minutesAgo(30)];
  for (const at of events) {
    const [eventId = ''] = await seedEvents(api, institution, { createdAt: at });
    await seedDelivery(api, institution, endpoint, { eventId, status: 'retrying', attempts: 1, responseCode: 500, createdAt: at, nextAttemptAt: minutesAgo(-5), deadlineAt: minutesAgo(-600) });
  }
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(2) });
  await seedDelivery(api, institution, endpoint, { eventId, status: 'dead', attempts: 1, responseCode: 410, createdAt: minutesAgo(2), deadlineAt: minutesAgo(-700) });
  await seedDelivery(api, institution, endpoint, { status: 'dead', attempts: 12, responseCode: 500, createdAt: minutesAgo(3_000), deadlineAt: minutesAgo(2_200) });
  const now = new Date();
  await disableGoneEndpoint(api.api.domain, { endpoint_id: endpoint, institution_id: institution.id, response_code: 410, started_at: now, ended_at: now });
  const health = await cli.json('endpoints', 'show', endpoint);
  const oldest = events[0]?.getTime() ?? 0;
  expect(health).toMatchObject({ dead_by_disabling: 4, oldest_dead_by_disabling_at: new Date(oldest).toISOString(), backlog: { dead: 5 } });
  const since = new Date(oldest - 1).toISOString();
  const note = `4 deliveries were given up when it was disabled, no part of a recovery: institution replay-dead ${endpoint} --since ${since}\n`;
  expect((await cli.run('endpoints', 'resume', endpoint)).err).toContain(note);
  expect((await cli.run('recover', endpoint, '--since', health.disabled_at, '--no-wait')).err).toBe(note);
  await sql("UPDATE institutions SET time_zone = 'Asia/Singapore' WHERE id = $1", [institution.id]);
  const { err } = await cli.run('recover', endpoint, '--since', new Date(oldest + 60_000).toISOString(), '--dry-run', '--time-zone', 'school');
  const bySchool = err.match(/^\d deliver(?:ies|y).+ --since (\S+)$|^\d dead deliver(?:ies|y).+ --since (\S+)$/gm) ?? [];
  expect(bySchool.map((line) => line.replace(/^.+(?=\+)/, ''))).toEqual(['+08:00', '+08:00']);
  expect(await cli.json('replay-dead', endpoint, '--since', bySchool[0]?.replace(/^.+ /, '') ?? '', '--no-wait')).toMatchObject({ matched: 4 });
  const [row] = await sql<{ count: number }>("SELECT count(*)::int AS count FROM deliveries WHERE endpoint_id = $1 AND status = 'dead'", [endpoint]);
  expect(row?.count).toBe(5);
});

it('a replay in a suspended institution says that what it releases is held', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  await cli.text('institutions', 'suspend', institution.id);
  expect((await cli.run('replay-dead', endpoint, '--since', '7d')).err).toBe('');
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(5) });
  await seedDelivery(api, institution, endpoint, { eventId, status: 'dead', createdAt: minutesAgo(5) });
  expect((await cli.run('replay-dead', endpoint, '--since', '7d', '--no-wait')).err).toBe('Its institution is not approved: released deliveries are held until it is approved.\n');
});

it('a range is named by days, too: from the beginning of one, up to the end of one, by the clocks of the zone', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  const [night, noon] = [new Date('2026-01-14T23:30:00.000Z'), new Date('2026-01-15T12:00:00.000Z')];
  const [early, late] = [await seedDelivery(api, institution, endpoint, { createdAt: night }), await seedDelivery(api, institution, endpoint, { createdAt: noon })];
  const recent = await seedDelivery(api, institution, endpoint, { createdAt: minutesAgo(0) });
  const found = async (...range: string[]): Promise<string[]> => (await cli.json('deliveries', 'list', institution.id, ...range)).items.map(({ id }: { id: string }) => id);
  expect(await found('--since', '2026-01-15', '--until', '2026-01-15')).toEqual([late]);
  expect(await found('--since', '2026-01-15', '--until', '2026-01-15', '--time-zone', 'Europe/Berlin')).toEqual([late, early]);
  expect(await Promise.all([found('--since', 'yesterday'), found('--until', 'yesterday')])).toEqual([[recent], [late, early]]);
});

describe('a sandbox whose clock was moved', () => {
  const note = /^Ages, today and yesterday count from the real time\. The clock of this sandbox was moved: it shows \d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z, 3 d ahead\. Give times by that clock\.\n/;
  const listed = async (id: string, ...range: string[]): Promise<string> => (await cli.run('deliveries', 'list', id, ...range)).err;
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await openSandboxOf(api, institution);
    await sandbox.advance(3 * 86_400);
  });

  it('is shown with the time of its clock, and any other institution without', async () => {
    const { clock } = await cli.json('institutions', 'show', sandbox.id);
    expect([clock.offset_seconds, Math.abs(Date.parse(clock.now) - (await sandbox.now()).getTime()) < 60_000]).toEqual([3 * 86_400, true]);
    expect(await cli.text('institutions', 'show', sandbox.id)).toMatch(/^clock\.now +\d{4}-\d{2}-\d{2}T.+Z\nclock\.offset_seconds +259200$/m);
    expect(await cli.json('institutions', 'show', institution.id)).toMatchObject({ clock: null });
  });

  it('has a note where a range is by age or by a named day: these count from the real time, and its clock shows another', async () => {
    expect(await Promise.all([listed(sandbox.id, '--since', 'yesterday'), listed(sandbox.id, '--until', '1h')])).toEqual([expect.stringMatching(note), expect.stringMatching(note)]);
    expect((await cli.run('institutions', 'events', sandbox.id, '--since', 'today')).err).toMatch(note);
    expect(await listed(sandbox.id, '--since', '2026-01-15')).toBe('');
    expect(await listed(institution.id, '--since', 'today')).toBe('');
  });

  it('has the time of the note by the clocks of the command, too', async () => {
    expect(await listed(sandbox.id, '--since', '1h', '--time-zone', 'Asia/Kolkata')).toMatch(/it shows \d{4}-\d{2}-\d{2}T\d{2}:\d{2}\+05:30 \(\d{4}-\d{2}-\d{2}T\d{2}:\d{2} UTC\), 3 d ahead/);
  });

  it.each(['replay-dead', 'recover'])('has the same note before %s begins', async (command) => {
    const endpoint = await seedEndpoint(api, sandbox, 'https://hooks.sandbox.example/in');
    expect((await cli.run(command, endpoint, '--since', '24h', '--no-wait')).err).toMatch(note);
    expect((await cli.run(command, endpoint, '--since', '2026-01-15', '--no-wait')).err).not.toContain('clock');
  });
});

it('a sandbox whose clock was not moved has no note about it', async () => {
  const sandbox = await openSandboxOf(api, institution);
  expect(await cli.json('institutions', 'show', sandbox.id)).toMatchObject({ clock: { offset_seconds: 0 } });
  expect((await cli.run('deliveries', 'list', sandbox.id, '--since', 'yesterday')).err).toBe('');
});

it.each([
  ['--by', 'key_nope', '“key_nope” is no actor id: only whole ids are searched, such as key_…, and console, platform, sign_in, retention and webhooks; not names. The id has 4 of 26 characters after its prefix: it was cut off.\n'],
  ['--target', 'we_01jd4k6f2mep2s5xg5y', '“we_01jd4k6f2mep2s5xg5y” is no target id: only whole ids are searched, such as we_… or stu_…, and login emails; not names. The id has 19 of 26 characters after its prefix: it was cut off.\n'],
  ['--request', 'req_nope', '“req_nope” is no request id: only whole ids are searched, such as the req_… of the header X-Request-Id. The id has 4 of 26 characters after its prefix: it was cut off.\n'],
  ['--by', 'console', ''],
  ['--target', 'stu_01jd4k6f2mep2s5xg5yhc8m1zr', ''],
])('the audit log by %s %s says why nothing matches where it is no whole id, page by page and all at once', async (option, id, note) => {
  for (const paging of [[], ['--all']]) expect(await cli.run('audit', institution.id, option, id, ...paging)).toMatchObject({ code: 0, err: note });
  expect((await cli.run('audit', option, id)).err).toBe(note);
});

it('the audit log is narrowed to a person of the staff by their email, and without an institution says where the rest is', async () => {
  const sam = await addStaffMember(api, 'operator', 'Sam');
  const own = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: sam.token });
  await own.text('institutions', 'suspend', institution.id);
  expect([(await cli.json('audit', institution.id, '--by', sam.email)).items, (await cli.run('audit', '--by', sam.email)).err]).toMatchObject([[{ actor: { id: sam.id } }], `Only writes that belong to no institution are listed. Those at a school: institution audit <school> --by ${sam.email}\n`]);
});

it('search finds a person of the staff, and of a write in the audit log what, about whom and by whom', async () => {
  const sam = await addStaffMember(api, 'operator', 'Sam');
  const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
  const [{ id: written }] = (await cli.json('audit', institution.id, '--target', data.id)).items;
  expect((await cli.json('search', sam.id)).items).toMatchObject([{ kind: 'person of the staff', description: 'Sam' }]);
  expect((await cli.json('search', written)).items).toMatchObject([{ kind: 'audited call', description: `createStudent (POST /v1/students) by key “test” ${institution.keyId}; created ${data.id}` }]);
  const [, row = []] = parseTable(await cli.text('search', written));
  expect(row.slice(0, 4)).toEqual(['audited call', written, `createStudent (POST /v1/students) by key “test” ${institution.keyId}; created ${data.id}`, '-']);
  expect(await cli.run('search', `${sam.id} ${data.id}`)).toMatchObject({ code: 0, err: expect.stringMatching(/^Search one id at a time\.\n/) });
});
