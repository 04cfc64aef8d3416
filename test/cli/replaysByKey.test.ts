import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine, parseCard, type CommandLine } from '../support/commandLine';
import { deliveriesOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { keyCommandLine } from '../support/keyCommandLine';
import { startReceiver, type Receiver } from '../support/receiver';
import { seedDeadEndpoint, seedEndpoint } from '../support/seed/endpoints';
import { startStubServer, succeeds, type Responder } from '../support/stubServer';
import { startTestWorker } from '../support/worker';

let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let cli: CommandLine;
let worker: RunningWorker | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  institution = await api.institution();
  cli = keyCommandLine(api, institution.apiKey);
});

afterAll(async () => {
  await worker?.stop();
  await api.stop();
  await receiver.close();
});

const deadEndpoint = (count: number): Promise<string> => seedDeadEndpoint(api, institution, receiver.url, count);

const statusesOf = async (endpointId: string): Promise<string[]> => [...(await deliveriesOf(api, endpointId)).values()].map(({ status }) => status);

describe('by a key, while no worker runs', () => {
  it('a dry run only counts, within a range, and a replay of nothing starts nothing', async () => {
    const id = await deadEndpoint(2);
    expect(await cli.json('replay-dead', id, '--since', '7d', '--dry-run')).toEqual({ workflow_id: null, matched: 2 });
    expect(await cli.json('replay-dead', id, '--since', '7d', '--until', '6d', '--dry-run')).toEqual({ workflow_id: null, matched: 0 });
    expect(await cli.json('replay-dead', id, '--since', '7d', '--event-types', 'exam.*', '--dry-run')).toEqual({ workflow_id: null, matched: 0 });
    const recovery = await cli.run('recover', id, '--since', '7d', '--event-types', 'license.expired', '--dry-run');
    expect([recovery.code, parseCard(recovery.out)]).toEqual([0, { workflow_id: '-', matched: '0' }]);
    expect(recovery.err).toMatch(new RegExp(`^2 dead deliveries of this time are no part of it: institution replay-dead ${id} --since \\S+Z\n$`));
    expect(await cli.json('replay-dead', await deadEndpoint(0), '--since', '7d')).toEqual({ workflow_id: null, matched: 0 });
    expect(await statusesOf(id)).toEqual(['dead', 'dead']);
  });

  it('a replay stops when its endpoint is paused, and says so', async () => {
    const id = await deadEndpoint(2);
    const running = cli.start('replay-dead', id, '--since', '7d');
    await eventually('that it was asked for', async () => {
      const [row] = await api.api.domain.database.sql<{ at: Date | null }>('SELECT replay_asked_at AS at FROM webhook_endpoints WHERE id = $1', [id]);
      return row?.at;
    });
    await cli.text('endpoints', 'pause', id);
    const { code, out, err } = await running.ended;
    expect([code, parseCard(out), err]).toEqual([
      1,
      { workflow_id: expect.stringMatching(/^rpl_/), matched: '2', replayed: '0', status: 'completed', outcome: 'endpoint_inactive' },
      'endpoint_inactive: The endpoint no longer takes deliveries: the remaining ones stay dead.\n',
    ]);
  });

  it('one that is not followed is printed immediately', async () => {
    expect(parseCard(await cli.text('replay-dead', await deadEndpoint(2), '--since', '7d', '--no-wait'))).toEqual({ workflow_id: expect.stringMatching(/^rpl_/), matched: '2' });
  });
});

describe('by a key, while a worker runs', () => {
  beforeAll(async () => {
    worker = await startTestWorker(api.settings);
  });

  it('replay-dead is followed until every delivery is sent again, and its id lists them', async () => {
    const id = await deadEndpoint(3);
    const { code, out, err } = await cli.run('replay-dead', id, '--since', '7d', '--json');
    const came = JSON.parse(out);
    expect([code, err, came]).toEqual([0, '', { workflow_id: expect.stringMatching(/^rpl_/), matched: 3, replayed: 3, status: 'completed', outcome: 'done' }]);
    expect(await statusesOf(id)).not.toContain('dead');
    expect((await cli.json('deliveries', 'list', '--sent-by', came.workflow_id)).total).toBe(3);
  });

  it('recover sends an endpoint what happened before it existed', async () => {
    const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
    const id = await seedEndpoint(api, institution, receiver.url);
    const { code, out, err } = await cli.run('recover', id, '--since', '1h', '--event-types', 'student.created', '--json');
    expect([code, err, JSON.parse(out)]).toEqual([0, '', { workflow_id: expect.stringMatching(/^rcv_/), matched: 1, recovered: 1, status: 'completed', outcome: 'done' }]);
    await eventually('its delivery', () => receiver.received.some(({ body }) => body.includes(student.id)));
  });
});

describe('a replay by a key that does not come to its end', () => {
  /** A service that accepts a replay of three deliveries, of which one is released. */
  async function stuck(): Promise<{ requests: () => number; cli: CommandLine; close: () => Promise<void> }> {
    const answer: Responder = (response) => succeeds({ id: 'we_1', status: 'active', circuit: 'closed', workflow_id: 'rpl_1', matched: 3, total: 1, items: [] })(response);
    const server = await startStubServer([answer]);
    return { requests: () => server.requests.length, cli: commandLine({ BASE_URL: server.baseUrl, API_KEY: 'svc_live_x' }), close: () => server.close() };
  }

  it('is left after a time without a new one, with how far it came and what shows the rest', async () => {
    const service = await stuck();
    const { code, out, err } = await service.cli.run('replay-dead', 'we_1', '--since', '2026-11-20T09:30:00Z', '--timeout', '2');
    expect([code, parseCard(out), err]).toEqual([
      1,
      { workflow_id: 'rpl_1', matched: '3', replayed: '1', status: 'running', outcome: '-' },
      'unfinished: Nothing was released for 2 s; the replay may continue: institution deliveries list --sent-by rpl_1\n',
    ]);
    await service.close();
  });

  it('goes on behind an interruption, which names what shows it', async () => {
    const service = await stuck();
    const running = service.cli.start('replay-dead', 'we_1', '--since', '2026-11-20T09:30:00Z');
    await eventually('that it is followed', () => service.requests() > 1);
    running.process.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 130, out: '', err: 'Interrupted. The replay continues: institution deliveries list --sent-by rpl_1\n' });
    await service.close();
  });
});
