import { commandLine, type CommandLine } from '../support/commandLine';
import { eventually } from '../support/eventually';
import { respondsWith, closesConnection, neverResponds, startStubServer, succeeds, type Responder, type StubServer } from '../support/stubServer';

const odd: StubServer[] = [];

afterEach(async () => {
  await Promise.all(odd.splice(0).map((server) => server.close()));
});

/** A service that accepts a replay of three deliveries, and then responds with these states. */
async function replaying(...manners: Responder[]): Promise<{ server: StubServer; cli: CommandLine }> {
  const server = await startStubServer([succeeds({ id: 'we_1', institution_id: 'ins_1' }), succeeds({ id: 'ins_1', clock: null }), succeeds({ workflow_id: 'rpl_1', matched: 3 }), ...manners]);
  odd.push(server);
  return { server, cli: commandLine({ PLATFORM_URL: new URL(server.baseUrl).origin, PLATFORM_TOKEN: 't'.repeat(40) }) };
}

const replay = ['replay-dead', 'we_1', '--since', '7d'];
const standing = (status: string, outcome: string | null, done: number): Responder => succeeds({ status, outcome, progress: { done, total: 3 } });
const ended = (status: string, outcome: string | null): Responder => succeeds({ status, outcome, progress: null });
const away = respondsWith(500, { success: false, error: 'internal_error', message: 'Temporal does not answer now.' });
const notYet = respondsWith(404, { success: false, error: 'not_found', message: 'No such workflow.' });

it('a replay is followed though it has not begun yet, and through the absences of service and Temporal', async () => {
  const { server, cli } = await replaying(notYet, closesConnection, away, standing('running', null, 1), standing('paused', null, 1), standing('completed', 'done', 3));
  expect(await cli.json(...replay)).toEqual({ workflow_id: 'rpl_1', matched: 3, replayed: 3, status: 'completed', outcome: 'done' });
  expect(server.requests.map(({ method, url }) => `${method} ${url.replace('/platform/v1', '')}`).slice(0, 4)).toEqual([
    'GET /owners/we_1', 'GET /institutions/ins_1', 'POST /institutions/ins_1/webhook-endpoints/we_1/replay-dead', 'GET /workflows/rpl_1',
  ]);
});

it('a replay to an endpoint whose circuit is open says that the released deliveries are held, and when the next probe is due', async () => {
  const health = succeeds({ circuit: 'open', next_probe_at: '2099-11-20T09:30:00.000Z' });
  const { server, cli } = await replaying(standing('completed', 'done', 3), health);
  const { code, out, err } = await cli.run(...replay, '--json', '--time-zone', 'Europe/Berlin');
  expect([code, JSON.parse(out).outcome]).toEqual([0, 'done']);
  expect(err).toBe('The circuit is open: released deliveries are held until a probe succeeds; the next probe is due 2099-11-20T10:30:00.000+01:00: institution endpoints show we_1\n');
  const { cli: past } = await replaying(standing('completed', 'done', 3), succeeds({ circuit: 'open', next_probe_at: '2026-11-20T09:30:00.000Z' }));
  expect((await past.run(...replay)).err).toContain('until a probe succeeds; a probe is due now: institution endpoints show we_1\n');
  expect(server.requests.slice(-2).map(({ url }) => url)).toEqual(['/platform/v1/institutions/ins_1/webhook-endpoints/we_1/health', '/platform/v1/institutions/ins_1']);
  const { cli: unread } = await replaying(standing('completed', 'done', 3), away);
  expect(await unread.run(...replay)).toMatchObject({ code: 0, err: '' });
});

it('the details of a workflow are shown without Markdown, and in JSON as they are', async () => {
  const details = '**2 deliveries** to `we_1` held: the circuit is open.';
  const server = await startStubServer([succeeds({ workflow_id: 'we_1:1', details }), succeeds({ workflow_id: 'we_1:1', details })]);
  odd.push(server);
  const cli = commandLine({ PLATFORM_URL: new URL(server.baseUrl).origin, PLATFORM_TOKEN: 't'.repeat(40) });
  expect(await cli.text('workflows', 'show', 'we_1:1')).toContain('2 deliveries to we_1 held: the circuit is open.');
  expect(await cli.json('workflows', 'show', 'we_1:1')).toMatchObject({ details });
});

it('who acts is named where they act, and nowhere else', async () => {
  const { server, cli } = await replaying(standing('completed', 'done', 3));
  await cli.text(...replay, '--actor', 'fac_1');
  expect(server.requests.map(({ headers }) => headers['x-actor'])).toEqual([undefined, undefined, 'fac_1', undefined, undefined, undefined]);
});

it.each([
  ['failed', null, { error: 'failed', message: 'The replay did not complete: institution workflows show rpl_1' }],
  ['completed', 'endpoint_inactive', { error: 'endpoint_inactive', message: 'The endpoint no longer takes deliveries: the remaining ones stay dead.' }],
])('a replay that ends as %s, %s, ends with 1 and is printed too', async (status, outcome, error) => {
  const { cli } = await replaying(standing(status, outcome, 2));
  const ran = await cli.run(...replay, '--json');
  expect([ran.code, JSON.parse(ran.out), JSON.parse(ran.err)]).toEqual([1, { workflow_id: 'rpl_1', matched: 3, replayed: 2, status, outcome }, { success: false, ...error }]);
});

it('an end without the number of replayed deliveries is not shown as 0, nor as the last reported number', async () => {
  const { cli } = await replaying(standing('running', null, 1), ended('completed', 'done'));
  expect(await cli.json(...replay)).toMatchObject({ replayed: null, status: 'completed', outcome: 'done' });
  const { cli: failing } = await replaying(ended('terminated', null));
  const { code, out } = await failing.run(...replay, '--json');
  expect([code, JSON.parse(out).replayed]).toEqual([1, null]);
});

it('a replay whose state cannot be read within the time-out is no longer followed', async () => {
  const { cli } = await replaying(closesConnection);
  const { code, out, err } = await cli.run(...replay, '--timeout', '1');
  expect([code, out]).toEqual([3, '']);
  expect(err).toMatch(/^The replay continues: institution workflows show rpl_1\nunreachable: .+ broke the connection off\n$/);
});

it('a replay that is no longer followed continues, and its id is shown', async () => {
  const { server, cli } = await replaying(standing('running', null, 1), neverResponds);
  const running = cli.start(...replay, '--json');
  await eventually('its looks', () => server.requests.length >= 5);
  running.process.kill('SIGINT');
  expect(await running.ended).toEqual({ code: 130, out: '', err: '{"success":false,"error":"interrupted","message":"Interrupted. The replay continues: institution workflows show rpl_1"}\n' });
});
