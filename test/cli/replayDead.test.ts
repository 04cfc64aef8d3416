import type { RunningWorker } from '../../worker/start';
import { createOutput, type CliContext } from '../../cli/context';
import { platformApi } from '../../cli/platformApi';
import { createProgram } from '../../cli/program';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { parseCard, commandLine, openNothing, type CommandLine } from '../support/commandLine';
import { seedDeadEndpoint, seedEndpoint } from '../support/seed/endpoints';
import { changeDeliveries, deliveriesOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { withLockedRows } from '../support/lockedRows';
import { openPrograms, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { startTestWorker } from '../support/worker';

/** More than two chunks of a bulk replay. */
const many = 1_100;

let receiver: Receiver;
let programs: Programs;
let api: TestApi;
let cli: CommandLine;
let institution: TestInstitution;
let platformUrl: string;
let worker: RunningWorker | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
  programs = openPrograms();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  const { internalUrl } = await programs.api(api.settings);
  platformUrl = `${internalUrl}/platform/v1`;
  cli = commandLine({ PLATFORM_URL: internalUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
});

afterAll(async () => {
  await worker?.stop();
  await programs.end();
  await api.stop();
  await receiver.close();
});

const deadEndpoint = (count: number): Promise<string> => seedDeadEndpoint(api, institution, receiver.url, count);

const statusesOf = async (endpointId: string): Promise<Set<string>> => new Set([...(await deliveriesOf(api, endpointId)).values()].map(({ status }) => status));

describe('while no worker runs', () => {
  it('a replay of nothing starts nothing', async () => {
    expect(await cli.json('replay-dead', await deadEndpoint(0), '--since', '7d')).toEqual({ workflow_id: null, matched: 0 });
  });

  it('a dry run only counts, and starts nothing', async () => {
    const endpointId = await deadEndpoint(2);
    expect(await cli.json('replay-dead', endpointId, '--since', '7d', '--dry-run')).toEqual({ workflow_id: null, matched: 2 });
    expect(await cli.json('recover', endpointId, '--since', '7d', '--dry-run')).toMatchObject({ workflow_id: null, matched: expect.any(Number), first: expect.any(Array) });
    expect(await statusesOf(endpointId)).toEqual(new Set(['dead']));
  });

  it('response codes are given one by one, or several with commas between them', async () => {
    const endpointId = await deadEndpoint(3);
    const [one = '', two = ''] = [...(await deliveriesOf(api, endpointId)).keys()];
    for (const [id, code] of [[one, 503], [two, 429]] as const) await changeDeliveries(api.api.domain.database.sql, 'SET response_code = $2 WHERE id = $1', [id, code]);
    await changeDeliveries(api.api.domain.database.sql, 'SET response_code = 404 WHERE endpoint_id = $1 AND NOT id = ANY ($2)', [endpointId, [one, two]]);
    expect(await cli.json('replay-dead', endpointId, '--since', '7d', '--response-codes', '429, 5xx', '--no-wait')).toMatchObject({ matched: 2 });
    const other = await deadEndpoint(1);
    expect(await cli.json('replay-dead', other, '--since', '7d', '--response-codes', '503', '--response-codes', '410', '--no-wait')).toEqual({ workflow_id: null, matched: 0 });
  });

  it('one that is not followed is printed immediately', async () => {
    expect(parseCard(await cli.text('replay-dead', await deadEndpoint(2), '--since', '7d', '--no-wait'))).toEqual({ workflow_id: expect.stringMatching(/^rpl_/), matched: '2' });
  });

  it('a replay stops when its endpoint is paused, and says so', async () => {
    const endpointId = await deadEndpoint(2);
    const running = cli.start('replay-dead', endpointId, '--since', '7d');
    await eventually('that it was asked for', async () => {
      const [row] = await api.api.domain.database.sql<{ at: Date | null }>('SELECT replay_asked_at AS at FROM webhook_endpoints WHERE id = $1', [endpointId]);
      return row?.at;
    });
    await cli.text('endpoints', 'pause', endpointId);
    worker = await startTestWorker(api.settings);
    const { code, out, err } = await running.ended;
    expect([code, parseCard(out), err]).toEqual([
      1,
      { workflow_id: expect.stringMatching(/^rpl_/), matched: '2', replayed: '0', status: 'completed', outcome: 'endpoint_inactive' },
      'endpoint_inactive: The endpoint no longer takes deliveries: the remaining ones stay dead.\n',
    ]);
    expect(await statusesOf(endpointId)).toEqual(new Set(['dead']));
  });
});

describe('a replay that is followed', () => {
  it('ends when every delivery is sent again; without a terminal nothing is drawn', async () => {
    const endpointId = await deadEndpoint(many);
    const { code, out, err } = await cli.run('replay-dead', endpointId, '--since', '7d', '--json');
    expect([code, err]).toEqual([0, '']);
    const came = JSON.parse(out);
    expect(came).toEqual({ workflow_id: expect.stringMatching(/^rpl_/), matched: many, replayed: many, status: 'completed', outcome: 'done' });
    expect(await statusesOf(endpointId)).not.toContain('dead');
    const shown = ['workflows', 'show', came.workflow_id];
    expect(await cli.json(...shown)).toMatchObject({ outcome: 'done', progress: { done: many, total: many } });
    expect(parseCard(await cli.text(...shown))).toMatchObject({ workflow_id: came.workflow_id, type: 'bulkReplay', status: 'completed', 'progress.done': String(many) });
  });

  it('is drawn on a terminal as it comes along, and taken away at its end', async () => {
    const drawn: string[] = [];
    const said: string[] = [];
    const screen = { isTTY: true, columns: 100, write: (text: string) => drawn.push(text) };
    const operator = (): CliContext => {
      const { signal } = new AbortController();
      const timeoutMs = 30_000;
      const calling = { timeoutMs, actor: undefined, signal };
      return { api: platformApi({ url: platformUrl, token: api.settings.platformToken }, calling), ...createOutput({ out: { write: (text) => said.push(text) }, err: screen }, 'words'), timeoutMs, signal, outputClosed: signal };
    };
    const program = createProgram('1', { ...openNothing, operator });
    const endpointId = await deadEndpoint(many);
    const counts = (): number[] => drawn.flatMap((frame) => (/\] (\d+) of 1100 released$/.exec(frame) ?? []).slice(1).map(Number));
    // The last chunk waits for this row until the progress of those before it is drawn.
    const newest = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE';
    await withLockedRows(api, newest, [endpointId], async () => {
      const ended = program.parseAsync(['replay-dead', endpointId, '--since', '7d'], { from: 'user' });
      await eventually('progress', () => counts().some((count) => count > 0));
      return { ended };
    }).then(({ ended }) => ended);
    const done = counts();
    expect(done[0]).toBe(0);
    expect([...done].sort((one, other) => one - other)).toEqual(done);
    expect(done.some((count) => count > 0 && count < many)).toBe(true);
    expect(drawn.at(-1)).toBe('\r\u001b[K');
    expect(parseCard(said.join(''))).toMatchObject({ replayed: String(many), outcome: 'done' });
  });
});

it('a replay is narrowed by the end of its range, event types and answers', async () => {
  const endpointId = await deadEndpoint(2);
  const [first = ''] = [...(await deliveriesOf(api, endpointId)).keys()];
  await changeDeliveries(api.api.domain.database.sql, 'SET response_code = 429 WHERE id = $1', [first]);
  const replay = (...filter: string[]): Promise<{ matched: number }> => cli.json('replay-dead', endpointId, '--since', '7d', ...filter);
  expect((await replay('--event-types', 'exam.*')).matched).toBe(0);
  expect((await replay('--until', '6d')).matched).toBe(0);
  expect(await replay('--response-codes', '3xx', '--response-codes', '429', '--event-types', 'student.*')).toMatchObject({ matched: 1, replayed: 1, outcome: 'done' });
});

it('recover sends an endpoint what happened before it existed, and follows it to its end', async () => {
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
  const id = await seedEndpoint(api, institution, receiver.url);
  const { code, out, err } = await cli.run('recover', id, '--since', '1h', '--event-types', 'student.created', '--json');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual({ workflow_id: expect.stringMatching(/^rcv_/), matched: 1, recovered: 1, status: 'completed', outcome: 'done' });
  await eventually('its delivery', () => receiver.received.some(({ body }) => body.includes(student.id)));
  expect(await cli.json('recover', id, '--since', '1h', '--until', '30m')).toEqual({ workflow_id: null, matched: 0 });
});

it('recover says how many dead deliveries of its time it leaves out, and what sends them', async () => {
  const id = await deadEndpoint(2);
  expect((await cli.run('recover', id, '--since', '2026-01-01T00:00:00Z', '--until', '2026-01-01T00:10Z', '--event-types', 'student.created')).err).toBe('');
  const { err } = await cli.run('recover', id, '--since', '20d', '--event-types', 'license.expired');
  expect(err).toMatch(new RegExp(`^2 dead deliveries of this time are no part of it: institution replay-dead ${id} --since \\S+Z\n$`));
});
