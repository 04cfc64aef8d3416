import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findConnection } from '../../cli/connection';
import type { ConnectionFile } from '../../local/connection';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine, type CommandLine, type CommandResult } from '../support/commandLine';
import { seedDeadDeliveries } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { respondsWith, truncatesResponse, neverResponds, startStubServer, succeeds, type Responder, type StubServer } from '../support/stubServer';

let api: TestApi;
let institution: TestInstitution;
let cli: CommandLine;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
});

afterAll(() => api.stop());

/** Of no service. */
const someToken = 'some-token'.repeat(4);

const odd: StubServer[] = [];

afterEach(async () => {
  await Promise.all(odd.splice(0).map((server) => server.close()));
});

/** The command line of a service that answers in its own way. */
async function ofService(...manners: Responder[]): Promise<{ server: StubServer; cli: CommandLine }> {
  const server = await startStubServer(manners);
  odd.push(server);
  return { server, cli: commandLine({ PLATFORM_URL: new URL(server.baseUrl).origin, PLATFORM_TOKEN: someToken }) };
}

const nothingButErr = (code: number, err: RegExp): CommandResult => ({ code, out: '', err: expect.stringMatching(err) });

describe('what the service refuses ends with 1, and says code, message and request id', () => {
  it.each([
    ['an unknown institution', ['institutions', 'show', 'ins_none'], /^not_found: No such institution\. The id has 4 of 26 .+ \(req_\w+\)\n$/],
    ['an unknown endpoint', ['endpoints', 'pause', 'we_none'], /^not_found: Nothing has this id\. The id has 4 of 26 characters after its prefix: it was cut off, and only whole ids are searched\. \(req_\w+\)\n$/],
    ['an event whose id was cut off', ['explain', 'evt_01jd4k6f2mep2s5x'], /^not_found: No such event\. The id has 16 of 26 characters after its prefix: it was cut off, and only whole ids are searched\. \(req_\w+\)\n$/],
    ['a delivery with a whole id', ['deliveries', 'show', 'whd_01jd4k6f2mep2s5xg5yhc8m1zr'], /^not_found: Nothing has this id\. \(req_\w+\)\n$/],
    ['an unknown workflow', ['workflows', 'show', 'whd_none'], /^not_found: No such workflow\. The id has 4 of 26 .+ \(req_\w+\)\n$/],
    ['an unknown endpoint of a list', ['deliveries', 'list', 'ins', '--endpoint', 'we_none'], /^not_found: No such webhook endpoint in this institution: we_none\. The id has 4 of 26 .+ \(req_\w+\)\n$/],
    ['an unknown key', ['keys', 'revoke', 'key_none'], /^not_found: No such key\. The id has 4 of 26 .+ \(req_\w+\)\n$/],
    ['an actor who is nobody', ['--actor', 'fac_none', 'institutions', 'list'], /^unauthorized: X-Actor names nobody\. \(req_\w+\)\n$/],
    ['an unknown status', ['deliveries', 'list', 'ins', '--status', 'lost'], /^validation_error: status must be one of .+ \(req_\w+\)\n$/],
  ])('%s', async (_what, args, err) => {
    const named = args.map((word) => (word === 'ins' ? institution.id : word));
    expect(await cli.run(...named)).toEqual(nothingButErr(1, err));
  });

  it('every issue on a line of its own', async () => {
    const { code, err } = await cli.run('institutions', 'create', '--name', ' ', '--login-domain', 'x', '--admin-email', 'nobody', '--admin-name', 'Ada');
    expect([code, err.split('\n').map((line) => line.split(': ')[0])]).toEqual([1, ['validation_error', '  name', '  login_domain', '  admin_email', '']]);
  });

  it('an institution that is an admin\'s own cannot approve itself', async () => {
    expect(await cli.run('institutions', 'approve', institution.id, '--actor', institution.adminId)).toEqual(nothingButErr(1, /^forbidden: /));
  });

  it('a wrong token, which is not repeated', async () => {
    const wrong = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: 'wrong-token'.repeat(4) });
    expect(await wrong.run('institutions', 'list')).toEqual(nothingButErr(1, /^unauthorized: /));
  });

  it('a service that is not ready, though it says of what', async () => {
    const { cli: ill } = await ofService(respondsWith(503, { status: 'unavailable', dependencies: { postgres: false } }));
    const { code, out, err } = await ill.run('health', '--json');
    expect([code, JSON.parse(out).dependencies, JSON.parse(err)]).toEqual([1, { postgres: false }, { success: false, error: 'unavailable', message: 'A required dependency of the API is unavailable.' }]);
  });
});

describe('a wrong command line ends with 2, and asks nothing', () => {
  it.each([
    ['nothing', [], /^Usage: institution /],
    ['a group alone', ['keys'], /^Usage: institution keys /],
    ['an unknown command', ['instituitons', 'list'], /^usage: unknown command 'instituitons' of 'institution' \(did you mean institutions\?\); there are for integrators \(docs\/cli\.md\): listen, trigger, events, me; for operators \(docs\/operations\/cli\.md\): institutions, [^;]+, health; for both: endpoints, deliveries, replay-dead, recover, open, config, completion\n$/],
    ['a mistyped command of a group', ['deliveries', 'lits'], /^usage: unknown command 'lits' of 'institution deliveries' \(did you mean list\?\); there are list, show, replay, retry-now\n$/],
    ['a mistyped option', ['deliveries', 'list', 'ins_1', '--statsu', 'dead'], /^usage: unknown option '--statsu' \(did you mean --status\?\)\n$/],
    ['help for an unknown command', ['help', 'unknown'], /^usage: unknown command 'unknown' of 'institution'; there are for integrators \(docs\/cli\.md\): listen, .+; for operators \(.+\): institutions, .+; for both: .+, completion\n$/],
    ['help for an unknown command of a group', ['deliveries', 'help', 'unknown'], /^usage: unknown command 'unknown' of 'institution deliveries'; there are list, show, replay, retry-now\n$/],
    ['the same, the group named after it', ['help', 'deliveries', 'unknown'], /^usage: unknown command 'unknown' of 'institution deliveries'; there are list, show, replay, retry-now\n$/],
    ['help for a command of a command', ['help', 'health', 'unknown'], /^usage: unknown command 'unknown' of 'institution health'; there are none\n$/],
    ['an unknown option', ['institutions', 'list', '--everything'], /^usage: unknown option '--everything'/],
    ['a missing argument, with an example', ['institutions', 'show'], /^usage: missing required argument 'institution', as in: institution institutions show ins_\w+\n$/],
    ['a missing option, with an example', ['listen'], /^usage: required option '--forward-to <url>' not specified, as in: institution listen --forward-to localhost:3000\/hooks\n$/],
    ['an id of another kind where an option takes that of an endpoint', ['deliveries', 'list', '--endpoint', 'stu_1'], /^usage: option '--endpoint <endpoint>' argument 'stu_1' is invalid\. It must begin with we_\.\n$/],
    ['the same of a command that causes an event', ['trigger', 'ping', '--endpoint', 'stu_1'], /^usage: option '--endpoint <id>' argument 'stu_1' is invalid\. It must begin with we_\.\n$/],
    ['a missing event type', ['trigger'], /^usage: missing required argument 'event', as in: institution trigger exam\.graded\n$/],
    ['a missing event', ['events', 'get'], /^usage: missing required argument 'event', as in: institution events get evt_\w+\n$/],
    ['a missing option', ['replay-dead', 'we_1'], /^usage: required option '--since <moment>' not specified/],
    ['too many arguments', ['institutions', 'list', 'ins_1'], /^usage: too many arguments/],
    ['a path for an id', ['institutions', 'show', '..'], /That is no id\./],
    ['an id that was cut off', ['institutions', 'list', '--actor', 'fac_…'], /That is no id\./],
    ['a person of the staff as whom to act', ['audit', '--actor', 'stf_1'], /^usage: option '--actor <id>' argument 'stf_1' is invalid\. It must begin with fac_ or dev_: .+ filters by --by\.\n$/],
    ['an amount that is none', ['allowance', 'set', 'ins_1', '1.5'], /whole number/],
    ['a moment that is none', ['replay-dead', 'we_1', '--since', 'last week'], /2026-11-20T09:30:00Z/],
    ['a day that its month has not', ['deliveries', 'list', 'ins_1', '--since', '2026-09-31'], /2026-09-31 is no day\.\n$/],
    ['the end of a range on such a day', ['replay-dead', 'we_1', '--since', '7d', '--until', '2026-02-30'], /2026-02-30 is no day\.\n$/],
    ['a time of such a day', ['institutions', 'events', 'ins_1', '--since', '2026-11-31T09:30'], /2026-11-31 is no day\.\n$/],
    ['the same with its offset', ['audit', 'ins_1', '--until', '2025-02-29T09:30:00Z'], /2025-02-29 is no day\.\n$/],
    ['a month that there is not', ['recover', 'we_1', '--since', '2026-13-01'], /2026-13-01 is no day\.\n$/],
    ['an id of another kind', ['explain', 'exm_01jd4k6f2mep2s5xg5yhc8m1zr'], /It must begin with evt_ or whd_\.\n$/],
    ['that of a delivery for an endpoint', ['endpoints', 'show', 'whd_01jd4k6f2mep2s5xg5yhc8m1zr'], /It must begin with we_\.\n$/],
    ['the name of a school for an endpoint', ['recover', 'North School', '--since', '1h'], /the value 'North School' is invalid for argument 'endpoint'\. It must begin with we_\. `institution endpoints list` has those of an institution\.\n$/],
    ['that of an event for a delivery', ['deliveries', 'show', 'evt_01jd4k6f2mep2s5xg5yhc8m1zr'], /It must begin with whd_\.\n$/],
    ['a page of all', ['institutions', 'list', '--all', '--page', '2'], /^usage: --all takes every page/],
    ['a file that is not there', ['curricula', 'create', '--file', '/nowhere.json'], /^usage: \/nowhere\.json cannot be read/],
    ['a file that is no JSON', ['curricula', 'create', '--file', __filename], /is no JSON\.\n$/],
    ['an option twice that takes one value', ['deliveries', 'list', 'ins_1', '--status', 'dead', '--status', 'held'], /^usage: --status is given twice: it takes one value\n$/],
    ['a common option twice', ['--timeout', '5', 'institutions', 'list', '--timeout', '6'], /^usage: --timeout is given twice: it takes one value\n$/],
    ['several values of a list with blanks between them', ['keys', 'create', 'ins_1', '--name', 'x', '--scope', 'students:read', 'groups:read'], /^usage: too many arguments for 'create'\. Expected 1 argument but got 2\. For several values repeat --scope, or separate with commas\.\n$/],
    ['a day and a time of day without quotes', ['audit', 'ins_1', '--since', 'yesterday', '14:00'], /^usage: too many arguments for 'audit'\. .+ A value with a blank needs quotes, as in "yesterday 14:00"\.\n$/],
    ['an option under a part of its name', ['listen', '--forward', 'localhost:1'], /^usage: required option '--forward-to <url>' not specified; --forward is no option of it \(did you mean --forward-to\?\), as in: /],
    ['a list without a value', ['keys', 'create', 'ins_1', '--name', 'x', '--scope', ' , '], /^usage: option '--scope <scope>' argument ' , ' is invalid\. It holds no value\.\n$/],
    ['no time to answer', ['institutions', 'list', '--timeout', '0'], /from 1 to 600/],
  ])('%s', async (_what, args, err) => {
    const { server, cli: asking } = await ofService(succeeds({}));
    expect(await asking.run(...args)).toEqual(nothingButErr(2, err));
    expect(server.requests).toEqual([]);
  });
});

it('help says the same as --help, of all, of a group and of a command', async () => {
  for (const [asked, ...others] of [
    [['--help'], ['help']],
    [['deliveries', '--help'], ['help', 'deliveries'], ['deliveries', 'help']],
    [['deliveries', 'list', '--help'], ['help', 'deliveries', 'list'], ['deliveries', 'help', 'list']],
  ] as const) {
    const said = await cli.run(...asked);
    expect([said.code, said.err, said.out]).toEqual([0, '', expect.stringMatching(/^Usage: institution /)]);
    for (const other of others) expect(await cli.run(...other)).toEqual(said);
  }
});

describe('where it finds the service', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stack-'));
    mkdirSync(join(folder, '.local'));
    const connection = { platform_url: api.platformUrl, platform_token: api.settings.platformToken } satisfies Partial<ConnectionFile>;
    writeFileSync(join(folder, '.local', 'connection.json'), JSON.stringify(connection));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is the running local stack of the folder, or of LOCAL_DIR', async () => {
    expect((await commandLine({}, folder).json('institutions', 'list')).total).toBe(1);
    expect((await commandLine({ LOCAL_DIR: join(folder, '.local') }).json('institutions', 'list')).total).toBe(1);
  });

  it('is this machine for a token without a place, as inside the image', async () => {
    const cli = commandLine({ PLATFORM_TOKEN: api.settings.platformToken, PLATFORM_PORT: new URL(api.platformUrl).port });
    expect((await cli.json('institutions', 'list')).total).toBe(1);
  });

  it.each([
    ['no stack runs', {}, /^usage: Set PLATFORM_URL and PLATFORM_TOKEN/],
    ['a place is named without its token: no other token is sent there', { PLATFORM_URL: 'http://127.0.0.1:1', LOCAL_DIR: 'stack' }, /^usage: PLATFORM_URL is set, PLATFORM_TOKEN is not\.\n$/],
    ['the place is none', { PLATFORM_URL: 'ftp://x', PLATFORM_TOKEN: someToken }, /no http or https URL/],
    ['the place holds a password', { PLATFORM_URL: 'http://me:secret@127.0.0.1', PLATFORM_TOKEN: someToken }, /^((?!secret)[\s\S])*$/],
    ['the token would go through the network in the clear', { PLATFORM_URL: 'http://platform.example.org', PLATFORM_TOKEN: someToken }, /^usage: .+ https/],
    ['so it would on a network at home', { PLATFORM_URL: 'http://192.168.0.7:4001', PLATFORM_TOKEN: someToken }, /^usage: .+ https/],
    ['a name only begins like this machine', { PLATFORM_URL: 'http://127.0.0.1.example.org', PLATFORM_TOKEN: someToken }, /^usage: .+ https/],
    ['the token is broken', { PLATFORM_URL: 'http://127.0.0.1:1', PLATFORM_TOKEN: 'broken\ntoken' }, /^usage: PLATFORM_TOKEN holds blanks or characters that no platform token has\.\n$/],
  ])('is nowhere where %s', async (_why, environment, err) => {
    const given = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value === 'stack' ? join(folder, '.local') : value]));
    expect(await commandLine(given, tmpdir()).run('institutions', 'list')).toEqual(nothingButErr(2, err));
  });
});

describe('a service that cannot be reached ends with 3', () => {
  it('where nothing listens', async () => {
    const nobody = commandLine({ PLATFORM_URL: `http://127.0.0.1:${await freePort()}`, PLATFORM_TOKEN: someToken });
    for (const args of [['institutions', 'list'], ['keys', 'revoke', 'key_1'], ['health']]) {
      expect(await nobody.run(...args)).toEqual(nothingButErr(3, /^unreachable: http:\/\/127\.0\.0\.1:\d+ refuses connections; is it running\?\n$/));
    }
  });

  it('where it stays silent: of a write nobody knows whether it was done', async () => {
    const { cli: waiting } = await ofService(neverResponds);
    const [read, write] = await Promise.all([waiting.run('institutions', 'list', '--timeout', '1'), waiting.run('keys', 'revoke', 'key_1', '--timeout', '1')]);
    expect(read).toEqual(nothingButErr(3, /did not answer within 1 s\n$/));
    expect(write).toEqual(nothingButErr(3, /did not answer within 1 s; whether it was done is not known: look before doing it again\n$/));
  });

  it.each([
    ['it breaks off', truncatesResponse, /broke the connection off\n$/],
    ['something else answers', ((response) => response.writeHead(502).end('<html>')) satisfies Responder, /answered 502, but not as the API does\n$/],
    ['it leads elsewhere: the token does not go there', ((response) => response.writeHead(302, { location: api.platformUrl }).end()) satisfies Responder, /answered 302/],
  ])('where %s', async (_how, manner, err) => {
    expect(await (await ofService(manner)).cli.run('institutions', 'list')).toEqual(nothingButErr(3, err));
  });
});

it.each(['localhost', '127.9.9.9', '[::1]'])('plain http is taken to %s, which is this machine', (host) => {
  const url = `http://${host}:4001`;
  expect(findConnection({ PLATFORM_URL: url, PLATFORM_TOKEN: someToken }, tmpdir())).toEqual({ url: `${url}/platform/v1`, token: someToken });
});

describe('a service that is busy', () => {
  const busy = (seconds: string) => respondsWith(429, { success: false, error: 'rate_limited', message: 'Too much is under way.' }, { 'retry-after': seconds });

  it('is asked again after the wait that it asks for', async () => {
    const { server, cli: patient } = await ofService(busy('1'), succeeds({ id: 'key_1', deleted: true }));
    expect(await patient.json('keys', 'revoke', 'key_1')).toEqual({ id: 'key_1', deleted: true });
    const [first, second] = server.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(900);
  });

  it('is called at most once a second, even with Retry-After 0; when time runs out its error is shown', async () => {
    const { server, cli: pressing } = await ofService(busy('0'));
    expect(await pressing.run('keys', 'revoke', 'key_1', '--timeout', '2')).toEqual(nothingButErr(1, /^rate_limited: Too much is under way\. \(req_1\)\n$/));
    expect(server.requests).toHaveLength(2);
  });

  it('which then does not respond: a read ends with the earlier error', async () => {
    const { cli: reading } = await ofService(busy('1'), neverResponds);
    expect(await reading.run('institutions', 'list', '--timeout', '2')).toEqual(nothingButErr(1, /^rate_limited: Too much is under way\./));
  });

  it('is asked for a write once more only where it has certainly done nothing', async () => {
    const inWay: Responder = (response) => response.writeHead(503, { 'retry-after': '1' }).end('<html>');
    const { server: proxy, cli: throughProxy } = await ofService(inWay, succeeds({}));
    expect(await throughProxy.run('keys', 'revoke', 'key_1')).toEqual(nothingButErr(3, /answered 503, but not as the API does/));
    const failing = respondsWith(503, { success: false, error: 'internal_error', message: 'Something broke.' }, { 'retry-after': '1' });
    const { server: broken, cli: ofBroken } = await ofService(failing, succeeds({}));
    expect(await ofBroken.run('keys', 'revoke', 'key_1')).toEqual(nothingButErr(1, /^internal_error: /));
    expect([proxy.requests.length, broken.requests.length]).toEqual([1, 1]);
    const { cli: reading } = await ofService(inWay, succeeds({ items: [] }));
    expect(await reading.json('institutions', 'list')).toEqual({ items: [] });
  });

  it('is left alone where the wait is longer than there is time', async () => {
    const { server, cli: hasty } = await ofService(busy('60'));
    expect(await hasty.run('institutions', 'list', '--timeout', '5')).toEqual(nothingButErr(1, /^rate_limited: Too much is under way\. \(req_1\)\n$/));
    expect(server.requests).toHaveLength(1);
  });
});

it('a list of more than --all takes is cut with a word about it, and ends with 1', async () => {
  const page: Responder = (response) => {
    const query = new URL(response.req.url ?? '', 'http://x').searchParams;
    const [number, limit] = [Number(query.get('page') ?? query.get('cursor')), Number(query.get('limit'))];
    const items = Array.from({ length: limit }, (_item, index) => ({ id: `ins_${(number - 1) * limit + index}` }));
    succeeds({ items, limit, total: query.has('page') ? 20_100 : null, next_cursor: `${number + 1}` })(response);
  };
  const { server, cli: listing } = await ofService(page);
  const { code, out, err } = await listing.run('institutions', 'list', '--all', '--json');
  const answer = JSON.parse(out);
  expect([code, JSON.parse(err)]).toEqual([1, { success: false, error: 'too_many', message: '--all takes 20000 of the 20100 and no more: --limit 200 --page 101 has the next ones.' }]);
  expect([answer.items.length, answer.items.at(-1), answer.total, answer.has_more, server.requests.length]).toEqual([20_000, { id: 'ins_19999' }, 20_100, true, 100]);
});

describe('an interruption ends it cleanly', () => {
  it.each([
    ['SIGINT', 130, ['institutions', 'list'], 'Interrupted; nothing was changed.\n'],
    ['SIGTERM', 143, ['institutions', 'list'], 'Interrupted; nothing was changed.\n'],
    ['SIGINT', 130, ['keys', 'revoke', 'key_1'], 'Interrupted; whether it was done is not known: look before doing it again.\n'],
  ] as const)('by %s with %i: %j', async (signal, code, args, err) => {
    const { server, cli: waiting } = await ofService(neverResponds);
    const running = waiting.start(...args);
    await eventually('its call', async () => server.requests.length > 0);
    running.process.kill(signal);
    expect(await running.ended).toEqual({ code, out: '', err });
  });

  it('by a reader that has read enough, without a word', async () => {
    await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, 'https://hooks.example.org/in'), 400);
    const { process: child, ended } = cli.start('deliveries', 'list', institution.id, '--all', '--json');
    // The exit code is read below; the output is not read to the end.
    ended.catch(() => undefined);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const complaints = child.stderr === null ? '' : await text(child.stderr);
    await eventually('its end', () => child.exitCode !== null);
    expect([child.exitCode, complaints]).toEqual([0, '']);
  });

  it.each([
    ['answer', 'stdout', ['health'], 1],
    ['complaint', 'stderr', ['institutions', 'list', '--everything'], 2],
  ] as const)('a command that failed says so by its exit code though nobody reads its %s', async (_what, stream, args, code) => {
    const { cli: ill } = await ofService(respondsWith(503, { status: 'unavailable', dependencies: { postgres: false } }));
    const { process: child, ended } = ill.start(...args);
    ended.catch(() => undefined);
    child[stream]?.destroy();
    await eventually('its end', () => child.exitCode !== null);
    expect(child.exitCode).toBe(code);
  });
});
