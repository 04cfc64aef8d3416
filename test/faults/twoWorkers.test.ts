import { setTimeout as pause } from 'node:timers/promises';
import { startTestApi, type TestApi } from '../support/api';
import { createStudents } from '../support/calls';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { openPrograms, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { announcedEvents } from '../support/studentRecords';

const students = 150;

let receiver: Receiver;
let api: TestApi;
let programs: Programs;

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respond = async () => {
    await pause(5);
    return 200;
  };
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  programs = openPrograms();
  await Promise.all([programs.worker(api.settings), programs.worker(api.settings)]);
});

afterAll(async () => {
  await programs.end();
  await api.stop();
  await receiver.close();
});

it('two workers on one database deliver every event exactly once, both of them busy', async () => {
  const { sql } = api.api.domain.database;
  const institution = await api.institution();
  await seedEndpoint(api, institution, receiver.url);
  const claimers = new Set<string>();
  const bursting = createStudents({ baseUrl: api.baseUrl, apiKey: institution.apiKey, clients: 16, shouldContinue: (begun) => begun < students });
  const watching = eventually('both workers at work', async () => {
    const rows = await sql<{ claimed_by: string }>('SELECT DISTINCT claimed_by FROM deliveries WHERE claimed_by IS NOT NULL');
    for (const row of rows) claimers.add(row.claimed_by);
    return claimers.size === 2;
  });
  await bursting;
  const events = await announcedEvents(sql, institution.id);
  await eventually('every event at the receiver', () => receiver.received.length >= events.length);
  await eventually('every delivery written', async () => {
    const open = await sql("SELECT 1 FROM deliveries WHERE status <> 'delivered' OR attempts <> 1");
    return open.length === 0;
  });
  await watching;
  const arrived = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  expect(arrived.sort()).toEqual(events.sort());
  expect(events).toHaveLength(students * 2);
});
