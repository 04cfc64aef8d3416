import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutput, type CliContext } from '../../cli/context';
import { platformApi } from '../../cli/platformApi';
import { createProgram } from '../../cli/program';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { parseCard, parseTable, commandLine, openNothing, type CommandLine } from '../support/commandLine';
import { changeDeliveries } from '../support/deliveries';
import { seedCouponBatch, seedCoupons } from '../support/seed/coupons';
import { seedDeadDeliveries, seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { chainOf } from '../support/curricula';
import { openPrograms, type Programs } from '../support/programs';

let programs: Programs;
let api: TestApi;
let institution: TestInstitution;
let cli: CommandLine;
let platformUrl: string;
let folder: string;

beforeAll(async () => {
  programs = openPrograms();
  api = await startTestApi();
  const { internalUrl } = await programs.api(api.settings);
  platformUrl = `${internalUrl}/platform/v1`;
  cli = commandLine({ PLATFORM_URL: internalUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
  folder = mkdtempSync(join(tmpdir(), 'curricula-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await programs.end();
  await api.stop();
});

it('institutions are created, listed, shown, approved and suspended', async () => {
  const made = ['--name', 'Südschule 学校', '--login-domain', 'south.example', '--admin-email', 'office@south.example', '--admin-name', 'Ada Admin', '--time-zone', 'Europe/Berlin', '--allowance', '900'];
  const created = await cli.json('institutions', 'create', ...made);
  expect(created).toMatchObject({ name: 'Südschule 学校', status: 'pending', time_zone: 'Europe/Berlin', allowance_cents: 900 });
  const { id } = created;
  const approved = parseCard(await cli.text('institutions', 'approve', id));
  expect(approved).toMatchObject({ id, status: 'approved', 'admin.login_email': created.admin.login_email });
  expect(await cli.json('institutions', 'suspend', id)).toMatchObject({ id, status: 'suspended' });
  const [shown, listed, words] = await Promise.all([cli.json('institutions', 'show', id), cli.json('institutions', 'list'), cli.text('institutions', 'list')]);
  expect(shown).toEqual({ ...created, status: 'suspended' });
  expect(listed).toMatchObject({ items: [shown, { id: institution.id }], page: 1, total: 2, has_more: false });
  const [head, first, second] = parseTable(words);
  expect(head).toEqual(['id', 'name', 'status', 'login_domain', 'time_zone', 'allowance_cents', 'sandbox_of', 'created_at']);
  expect(first).toEqual([id, 'Südschule 学校', 'suspended', 'south.example', 'Europe/Berlin', '900', '-', shown.created_at]);
  expect(second?.slice(0, 3)).toEqual([institution.id, 'North School', 'approved']);
  // The option of create is a field of the institution: times stay in UTC.
  const [, , , , ...more] = made;
  const inWords = parseCard(await cli.text('institutions', 'create', '--name', 'Westschule', '--login-domain', 'west.example', ...more));
  expect(inWords).toMatchObject({ time_zone: 'Europe/Berlin', created_at: expect.stringMatching(/Z$/) });
});

it('an institution is named by its id or its name; a name that several have, or none, is refused with those that are meant, with domain, status and time zone', async () => {
  const made = ['--login-domain', 'unique.example', '--admin-email', 'office@unique.example', '--admin-name', 'Ada Admin'];
  const { id } = await cli.json('institutions', 'create', '--name', 'East_100% School', ...made);
  expect(await cli.json('institutions', 'show', 'east_100% school')).toMatchObject({ id });
  expect(await cli.json('institutions', 'approve', 'East_100% School')).toMatchObject({ id, status: 'approved' });
  expect(await cli.json('keys', 'list', 'East_100% School')).toMatchObject({ items: [], total: 0 });
  expect(await cli.json('deliveries', 'list', 'East_100% School')).toMatchObject({ total: 0 });
  expect((await cli.json('institutions', 'list', '--name', 't_100%')).items).toMatchObject([{ id }]);
  expect((await cli.json('institutions', 'list', '--name', 'tx100')).items).toEqual([]);
  const { id: twin } = await cli.json('institutions', 'create', '--name', 'EAST_100% SCHOOL', ...made.map((word) => word.replace('unique', 'twin')));
  const several = await cli.run('institutions', 'suspend', 'East_100% School');
  expect(several).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: Several institutions have this name; take an id: /) });
  for (const one of [`${id} (East_100% School, unique.example, approved, UTC)`, `${twin} (EAST_100% SCHOOL, twin.example, `]) expect(several.err).toContain(one);
  expect((await cli.run('endpoints', 'list', 'East')).err).toMatch(/^usage: No institution has exactly this name; there are ins_\w+ \(EAST_100% SCHOOL, twin\.example, \w+, UTC\), ins_\w+ \(East_100% School, unique\.example, approved, UTC\)\n$/);
  expect(await cli.run('coupons', 'list', 'West School')).toEqual({ code: 2, out: '', err: 'usage: No institution has this name.\n' });
  expect(await cli.json('institutions', 'show', id)).toMatchObject({ status: 'approved' });
  await cli.json('institutions', 'suspend', id);
});

it('a test key is created with --test, and its sandbox is marked in the list of institutions', async () => {
  const other = await api.institution();
  const key = await cli.json('keys', 'create', other.id, '--name', 'Trial', '--scope', 'students:read', '--test');
  expect(key).toMatchObject({ environment: 'test', prefix: 'svc_test_' });
  expect((await cli.json('keys', 'list', other.id)).items.map(({ environment }: { environment: string }) => environment)).toEqual(['test', 'live']);
  const { items } = await cli.json('institutions', 'list');
  expect(items.filter(({ sandbox_of }: { sandbox_of: string | null }) => sandbox_of === other.id)).toMatchObject([{ name: 'North School (sandbox)' }]);
});

it('the admin is suspended, made active again, and followed by another', async () => {
  expect(await cli.json('admin', 'suspend', institution.id)).toMatchObject({ id: institution.adminId, is_admin: true, status: 'suspended' });
  expect(parseCard(await cli.text('admin', 'reactivate', institution.id))).toMatchObject({ id: institution.adminId, status: 'active' });
  const { data: teacher } = await api.call('POST', '/faculty', { key: institution.apiKey, body: { full_name: 'Grace Hopper' } });
  expect(await cli.json('admin', 'hand-over', institution.id, teacher.login_email)).toMatchObject({ id: teacher.id, is_admin: true });
  expect(await cli.json('admin', 'hand-over', institution.id, institution.adminId)).toMatchObject({ id: institution.adminId, is_admin: true });
});

it('the allowance is set', async () => {
  expect(await cli.json('allowance', 'set', institution.id, '12345')).toMatchObject({ id: institution.id, allowance_cents: 12_345 });
  expect(parseCard(await cli.text('allowance', 'set', institution.id, '7'))).toMatchObject({ id: institution.id, allowance_cents: '7' });
});

it('a key is shown at its creation alone, works, and no longer does once it is revoked', async () => {
  const { code, out, err } = await cli.run('keys', 'create', institution.id, '--name', 'Sync', '--scope', 'students:read, groups:read', '--scope', 'exams:read', '--rate-limit', '60');
  const { api_key: apiKey = '', key_id: id = '', scopes } = parseCard(out);
  expect([code, err, scopes]).toEqual([0, 'The key is shown this once: keep it now.\n', 'students:read, groups:read, exams:read']);
  expect((await api.call('GET', '/me', { key: apiKey })).status).toBe(200);
  const [listed, words] = await Promise.all([cli.json('keys', 'list', institution.id), cli.text('keys', 'list', institution.id)]);
  expect(listed.items[0]).toMatchObject({ key_id: id, status: 'active', rate_limit_per_min: 60 });
  expect(parseTable(words)[1]?.slice(0, 5)).toEqual([id, 'Sync', 'live', 'active', 'students:read, groups:read, exams:read']);
  for (const text of [JSON.stringify(listed), words]) expect(text).not.toContain(apiKey);
  expect(await cli.text('keys', 'revoke', id)).toBe(`${id} is revoked.\n`);
  expect(await cli.json('keys', 'revoke', id)).toEqual({ id, deleted: true });
  const [header = [], row = []] = parseTable(await cli.text('keys', 'list', institution.id));
  expect(row[header.indexOf('revoked_at')]).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect((await api.call('GET', '/me', { key: apiKey })).status).toBe(401);
});

it.each([80, 120])('the list of keys fits a terminal of %d columns, with the scopes of each below it', async (columns) => {
  const { id } = await api.institution();
  await cli.json('keys', 'create', id, '--name', 'SIS', '--scope', 'all');
  let out = '';
  const { signal } = new AbortController();
  const screen = { isTTY: true, columns, write: (text: string) => (out += text) };
  const operator = (): CliContext => ({ api: platformApi({ url: platformUrl, token: api.settings.platformToken }, { timeoutMs: 30_000, actor: undefined, signal }), ...createOutput({ out: screen, err: screen }, 'words'), timeoutMs: 30_000, signal, outputClosed: signal });
  await createProgram('1', { ...openNothing, operator }).parseAsync(['keys', 'list', id], { from: 'user' });
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(out).toMatch(/\n {2}scopes +students:write, .+, \+\d+ more\n/);
});

it('endpoints are named by their own id alone: listed, shown, paused and resumed', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.example.org/in', { description: 'Gradebook' });
  const [shown, listed, words] = await Promise.all([cli.text('endpoints', 'show', id), cli.json('endpoints', 'list', institution.id), cli.text('endpoints', 'list', institution.id)]);
  expect(parseCard(shown)).toMatchObject({ id, status: 'active', url: 'https://hooks.example.org/in', events: 'student.*, license.*', disabled_reason: '-' });
  expect(listed.items[0]).toMatchObject({ id, description: 'Gradebook' });
  expect(parseTable(words)[1]?.slice(0, 3)).toEqual([id, 'active', 'https://hooks.example.org/in']);
  expect(await cli.json('endpoints', 'pause', id)).toMatchObject({ id, status: 'paused' });
  expect(parseCard(await cli.text('endpoints', 'resume', id))).toMatchObject({ id, status: 'active' });
});

describe('deliveries', () => {
  let endpointId: string;
  let dead: string;

  beforeAll(async () => {
    endpointId = await seedEndpoint(api, institution, 'https://hooks.example.org/in');
    [dead = ''] = await seedDeadDeliveries(api, institution, endpointId, 1);
  });

  it('are listed by status, endpoint, type and time', async () => {
    const elsewhere = await seedEndpoint(api, institution, 'https://hooks.example.org/other');
    await seedDeadDeliveries(api, institution, elsewhere, 1);
    const filter = ['--status', 'dead', '--endpoint', endpointId, '--event-type', 'student.email_mapped'];
    const [listed, words, later] = await Promise.all([
      cli.json('deliveries', 'list', institution.id, ...filter, '--since', '7d'),
      cli.text('deliveries', 'list', institution.id, ...filter, '--since', '2026-01-01T00:00:00Z'),
      cli.json('deliveries', 'list', institution.id, ...filter, '--since', '30m'),
    ]);
    expect(listed.items).toEqual([expect.objectContaining({ id: dead, status: 'dead', payload: expect.objectContaining({ type: 'student.email_mapped' }) })]);
    expect(parseTable(words).slice(1).map(([id, status, type]) => [id, status, type])).toEqual([[dead, 'dead', 'student.email_mapped']]);
    expect(later.items).toEqual([]);
  });

  it('are listed by the answer of the last attempt, its failure and the end of a time range', async () => {
    const own = await seedEndpoint(api, institution, 'https://hooks.example.org/filtered');
    const [answered = '', silent = ''] = await seedDeadDeliveries(api, institution, own, 2);
    const { sql } = api.api.domain.database;
    await changeDeliveries(sql, "SET response_code = 503, error_class = 'http' WHERE id = $1", [answered]);
    await changeDeliveries(sql, "SET response_code = NULL, error_class = 'timeout' WHERE id = $1", [silent]);
    const listed = async (...filter: string[]): Promise<string[]> => (await cli.json('deliveries', 'list', institution.id, '--endpoint', own, ...filter)).items.map(({ id }: { id: string }) => id);
    expect(await Promise.all([listed('--response-code', '5xx'), listed('--response-code', '503'), listed('--response-code', '4xx'), listed('--error-class', 'timeout')])).toEqual([[answered], [answered], [], [silent]]);
    expect(await Promise.all([listed('--until', '1m'), listed('--until', '5000d')])).toEqual([expect.arrayContaining([answered, silent]), []]);
  });

  it('that have not ended are listed as open', async () => {
    const own = await seedEndpoint(api, institution, 'https://hooks.example.org/open');
    for (const status of ['pending', 'retrying', 'held', 'dead', 'delivered', 'cancelled'] as const) await seedDelivery(api, institution, own, { status, ...(status === 'retrying' ? { nextAttemptAt: new Date() } : {}) });
    const { items } = await cli.json('deliveries', 'list', institution.id, '--endpoint', own, '--status', 'open');
    expect(items.map(({ status }: { status: string }) => status).sort()).toEqual(['held', 'pending', 'retrying']);
  });

  it('without an attempt say so in place of a table', async () => {
    const fresh = await seedDelivery(api, institution, endpointId, { status: 'pending', attempts: 0 });
    const words = await cli.text('deliveries', 'show', fresh);
    expect([words.includes('attempt_log'), words.endsWith('\n\nNo attempt has been made.\n')]).toEqual([false, true]);
  });

  it('that an open circuit holds say so, and when the next probe is', async () => {
    const probeAt = new Date(Date.now() + 600_000);
    const failing = await seedEndpoint(api, institution, 'https://hooks.example.org/circuit', { circuit: 'open', circuitOpenedAt: new Date(), probeAt, failingSince: new Date(), consecutiveFailures: 20 });
    const held = await seedDelivery(api, institution, failing, { status: 'held', deadlineAt: new Date() });
    const { out, err } = await cli.run('deliveries', 'show', held);
    expect(out).toContain('deadline_at');
    expect(err).toBe(`The circuit of its endpoint is open, which does not stop its deadline: it is sent after a probe has succeeded; the next probe is due ${probeAt.toISOString()}: institution endpoints show ${failing}\n`);
  });

  it('are shown with their attempts, of which nothing leads a terminal', async () => {
    const hostile = '\u001b[2Jgone\u009b31m\u202e';
    await api.api.domain.database.sql(
      `INSERT INTO webhook_attempts (institution_id, endpoint_id, delivery_id, number, cycle, started_at, duration_ms, response_code, error_class, error, response_body)
       VALUES ($1, $2, $3, 12, 1, now(), 84, 500, 'http', 'It answered 500.', $4)`,
      [institution.id, endpointId, dead, hostile],
    );
    const [words, json, shown] = await Promise.all([cli.text('deliveries', 'show', dead), cli.run('deliveries', 'show', dead, '--json'), cli.json('deliveries', 'show', dead)]);
    expect(parseCard(words)).toMatchObject({ id: dead, endpoint_id: endpointId, status: 'dead', attempts: '12' });
    expect(words).not.toContain('payload');
    const [head, attempt] = parseTable(words.split('\n\n')[1] ?? '');
    expect(head?.slice(0, 4)).toEqual(['number', 'started_at', 'duration_ms', 'response_code']);
    expect(attempt?.slice(4)).toEqual(['http', 'It answered 500.', '\\u001b[2Jgone\\u009b31m\\u202e']);
    expect(words + json.out).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(shown.attempt_log[0].response_body).toBe(hostile);
    expect(json.err).toBe(`Why it ended: institution explain ${shown.event_id}\n`);
  });

  it('that a pause holds are shown without the deadline that it stops, and attempted all the same', async () => {
    const paused = await seedEndpoint(api, institution, 'https://hooks.example.org/paused', { status: 'paused', pausedAt: new Date() });
    const [held, open] = [await seedDelivery(api, institution, paused, { status: 'held', deadlineAt: new Date() }), await seedDelivery(api, institution, endpointId, { deadlineAt: new Date() })];
    const { out, err } = await cli.run('deliveries', 'show', held);
    expect([out.includes('deadline_at'), err]).toEqual([false, 'Its endpoint is paused, which stops its deadline: it is sent when the endpoint is resumed, and given up once it has been held for 30 days.\n']);
    expect(await cli.json('deliveries', 'show', held)).toHaveProperty('deadline_at');
    expect(await cli.text('deliveries', 'show', open)).toContain('deadline_at');
    const retried = await cli.run('deliveries', 'retry-now', held);
    expect(retried.err).toBe(`It is held, with the others of its endpoint, and is being attempted, although its endpoint is paused: institution deliveries show ${held}\n`);
    const retrying = await seedDelivery(api, institution, paused, { status: 'retrying', attempts: 1, deadlineAt: new Date() });
    expect(await cli.run('deliveries', 'retry-now', retrying)).toMatchObject({ out: expect.stringMatching(/status +held/), err: expect.stringMatching(/^It is held, with the others of its endpoint, and is being attempted, although/) });
    expect((await cli.run('deliveries', 'retry-now', open)).err).toBe(`As it was; it is being attempted: institution deliveries show ${open}\n`);
    expect(parseCard(retried.out)).not.toHaveProperty('deadline_at');
  });

  it('are replayed, under a ref once, and attempted now', async () => {
    const open = await seedDelivery(api, institution, endpointId, { status: 'pending', eventType: 'student.created' });
    expect(await cli.json('deliveries', 'replay', dead, '--ref', 'r1')).toMatchObject({ id: dead, status: 'pending', applied: true });
    expect(parseCard(await cli.text('deliveries', 'replay', dead, '--ref', 'r1'))).toMatchObject({ id: dead, applied: 'no' });
    expect(parseCard(await cli.text('deliveries', 'retry-now', open))).toMatchObject({ id: open, status: 'pending' });
  });
});

it('coupon batches are listed, shown with their codes, approved and rejected', async () => {
  const { id: ready, codes } = await seedCoupons(api, institution);
  const [wanted, unwanted] = [await seedCouponBatch(api, institution), await seedCouponBatch(api, institution)];
  const [listed, words, shown] = await Promise.all([cli.json('coupons', 'list', institution.id), cli.text('coupons', 'list', institution.id), cli.text('coupons', 'show', ready)]);
  expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([unwanted, wanted, ready]);
  expect(parseTable(words)[3]?.slice(0, 5)).toEqual([ready, 'Science fair', 'approved', '3', '500']);
  expect(parseTable(shown.split('\n\n')[1] ?? '').slice(1).map(([code]) => code).sort()).toEqual([...codes].sort());
  const approved = await cli.run('coupons', 'approve', wanted, '--reason', 'Agreed');
  expect([approved.code, parseCard(approved.out).reason, approved.err]).toEqual([0, 'Agreed', `Its codes are being made: institution coupons show ${wanted}\n`]);
  expect(await cli.json('coupons', 'reject', unwanted)).toMatchObject({ id: unwanted, status: 'rejected', reason: null });
});

it("a curriculum is created from a file and published, shared, or of the acting admin's institution", async () => {
  const file = join(folder, 'fractions.json');
  writeFileSync(file, JSON.stringify({ title: 'Fractions', concepts: chainOf(2) }));
  const shared = await cli.json('curricula', 'create', '--file', file);
  expect(shared).toMatchObject({ title: 'Fractions', shared: true, status: 'draft', concept_count: 2 });
  const words = await cli.text('curricula', 'publish', shared.id);
  expect(parseCard(words)).toMatchObject({ id: shared.id, status: 'published' });
  expect(parseTable(words.split('\n\n')[1] ?? '').slice(1)).toEqual([['c1', 'Concept 1', '-'], ['c2', 'Concept 2', 'c1']]);
  expect(await cli.json('--actor', institution.adminId, 'curricula', 'create', '--file', file)).toMatchObject({ shared: false });
});

it('health shows the health of the process', async () => {
  expect(parseCard(await cli.text('health'))).toMatchObject({ status: 'ready', 'dependencies.postgres': 'yes', 'dependencies.redis': 'yes' });
  expect(await cli.json('health')).toMatchObject({ status: 'ready', dependencies: { postgres: true, redis: true } });
});

describe('a list of more than one page', () => {
  const count = 450;
  let otherInstitution: TestInstitution;
  let ids: string[];

  beforeAll(async () => {
    otherInstitution = await api.institution();
    ids = await seedDeadDeliveries(api, otherInstitution, await seedEndpoint(api, otherInstitution, 'https://hooks.example.org/in'), count);
  });

  const idsOf = ({ items }: { items: { id: string }[] }): string[] => items.map(({ id }) => id);

  it('is one page, with a note on standard error', async () => {
    const { code, out, err } = await cli.run('deliveries', 'list', otherInstitution.id, '--json');
    expect([code, err]).toEqual([0, `50 of ${count}: --page 2 has the next ones, --all has all.\n`]);
    expect(JSON.parse(out)).toMatchObject({ page: 1, limit: 50, total: count, has_more: true });
    const last = await cli.run('deliveries', 'list', otherInstitution.id, '--page', '3', '--limit', '200', '--json');
    expect([idsOf(JSON.parse(last.out)), last.err]).toEqual([ids.slice(0, 50).reverse(), '']);
  });

  it('is every item once, in order, with --all', async () => {
    const [all, words] = await Promise.all([cli.json('deliveries', 'list', otherInstitution.id, '--all'), cli.run('deliveries', 'list', otherInstitution.id, '--all')]);
    expect(idsOf(all)).toEqual([...ids].reverse());
    expect(all).toMatchObject({ total: count, has_more: false });
    expect([parseTable(words.out).slice(1).map(([id]) => id), words.err]).toEqual([[...ids].reverse(), '']);
  });
});
