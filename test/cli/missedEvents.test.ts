import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine, parseTable, type CommandLine } from '../support/commandLine';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
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

const endpointFor = (...events: string[]): Promise<string> => seedEndpoint(api, institution, 'https://hooks.north.example/in', { events, createdAt: minutesAgo(300) });

describe('recover of a type that the endpoint does not subscribe to', () => {
  it.each([['a dry run', ['--dry-run']], ['a real one', []]])('%s matches none, and says why, how many such events there are, and what the school does first', async (_name, options) => {
    const id = await endpointFor('exam.published', 'exam.assigned');
    const [delivered = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 4 });
    await seedDelivery(api, institution, id, { eventId: delivered, status: 'delivered' });
    const { code, out, err } = await cli.run('recover', id, '--since', '1h', '--event-types', 'exam.graded', ...options);
    expect([code, err]).toEqual([0, 'It does not subscribe to exam.graded, so none is recovered. Such events without a delivery to it in this time: exam.graded 3. '
      + `If they are wanted, the school adds them to events of the endpoint first, with its key and the whole list (PATCH /v1/webhooks/endpoints/${id}); then count again.\n`]);
    expect(out).toMatch(/matched\s+0\n$/);
  });
});

describe('recover --dry-run', () => {
  it('lists the oldest events that it counted, and says which types are counted and how many of each', async () => {
    const id = await endpointFor('merits.*', 'student.*');
    const ids = [
      ...(await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'merits.credited', count: 2 })),
      ...(await seedEvents(api, institution, { createdAt: minutesAgo(20), type: 'student.updated' })),
    ];
    const { out, err } = await cli.run('recover', id, '--since', '1h', '--dry-run');
    expect(err).toBe('Counted are the types that it subscribes to now: merits.*, student.*. Of these: merits.credited 2, student.updated 1.\n');
    expect(out).toMatch(/^workflow_id\s+-\nmatched\s+3\n/);
    expect(parseTable(out.split('\n').slice(2).join('\n'))).toEqual([['created_at', 'type', 'id'], ...ids.map((event, index) => [expect.stringMatching(/Z$/), index < 2 ? 'merits.credited' : 'student.updated', event])]);
    expect(await cli.json('recover', id, '--since', '1h', '--dry-run')).toMatchObject({
      workflow_id: null, matched: 3, complete: true, types: [{ type: 'merits.credited', count: 2 }, { type: 'student.updated', count: 1 }], not_subscribed: [], first: ids.map((event) => ({ id: event })),
    });
  });

  it('lists at most 20, and says so', async () => {
    const id = await endpointFor('exam.graded');
    const ids = await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 21 });
    const { out, err } = await cli.run('recover', id, '--since', '1h', '--dry-run');
    expect(err).toContain('The oldest 20 of them are listed.\n');
    expect(ids.filter((event) => out.includes(event))).toEqual(ids.slice(0, 20));
  });

  it('names what it does not count because the endpoint does not subscribe to it, only if its subscriptions were changed', async () => {
    const id = await endpointFor('exam.graded', 'exam.assigned');
    await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 3 });
    const noted = async (): Promise<string> => (await cli.run('recover', id, '--since', '1h', '--until', '1m', '--dry-run')).err;
    await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.published' });
    expect(await noted()).not.toContain('Not counted');
    await api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body: { events: ['exam.assigned'] } });
    expect(await noted()).toMatch(/Not counted: exam\.graded 3, exam\.published 1\. It does not subscribe to them, and its subscriptions were last changed \S+Z\. If they are wanted, the school adds them to events/);
  });
});
