import { institutionScope, openDatabase } from '../../db/database';
import { migrate } from '../../db/migrate';
import { databaseForReads, openReplica, replicaScope } from '../../db/replica';
import { listenForWakeups } from '../../db/wakeListener';
import { createLogger } from '../../config/logger';
import { withConnection } from '../../local/programs/postgres';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { startStreamingReplica, type StreamingReplica } from '../support/streamingReplica';

let servers: StreamingReplica;
let api: TestApi;
let school: TestInstitution;
let examId: string;
let groupId: string;

beforeAll(async () => {
  servers = await startStreamingReplica();
  api = await startTestApi({ databaseUrl: servers.primaryUrl, databaseReplicaUrl: servers.replicaUrl, databaseReplicaMaxWaitMs: 500 }, { logger: createLogger('api', 'silent') });
  school = await api.institution();
  const call = async (method: string, path: string, body: object) => (await api.call(method, path, { key: school.apiKey, body })).data;
  groupId = (await call('POST', '/groups', { name: 'Class', student_ids: [] })).id;
  examId = (await call('POST', '/exams', { faculty_id: school.adminId, title: 'Algebra', group_ids: [groupId] })).id;
});

afterAll(async () => {
  await api.stop();
  await servers.close();
});

const onReplica = <Result extends object>(text: string): Promise<Result[]> => withConnection(servers.replicaUrl, async (client) => (await client.query<Result>(text)).rows);

/** What the counter of reads says. */
async function counted(): Promise<Record<string, number>> {
  const text = await (await fetch(`${api.platformUrl.replace(/\/platform\/v1$/, '')}/metrics`)).text();
  return Object.fromEntries([...text.matchAll(/database_replica_reads_total\{outcome="(\w+)"\} (\d+)/g)].map(([, outcome, count]) => [outcome, Number(count)]));
}

async function scores(): Promise<string[]> {
  const response = await fetch(`${api.baseUrl}/exams/${examId}/export.csv`, { headers: { authorization: `Bearer ${school.apiKey}` } });
  expect(response.status).toBe(200);
  return (await response.text()).trim().split('\r\n').slice(1);
}

/** Creates a student of the exam. */
async function addStudent(): Promise<string> {
  const { data } = await api.call('POST', '/students', { key: school.apiKey, body: {} });
  expect((await api.call('POST', `/groups/${groupId}/members`, { key: school.apiKey, body: { student_ids: [data.id] } })).status).toBe(200);
  return data.login_email;
}

it('an export of scores reads the replica, and has what was written just before it', async () => {
  const before = await counted();
  for (let nth = 0; nth < 5; nth += 1) {
    const email = await addStudent();
    expect((await scores()).join()).toContain(email);
  }
  expect((await counted()).replica).toBe((before.replica ?? 0) + 5);
  const seen = await onReplica<{ query: string }>("SELECT query FROM pg_stat_activity WHERE datname = 'institution' AND query LIKE '%not_submitted%' AND pid <> pg_backend_pid()");
  expect(seen.length).toBeGreaterThan(0);
});

it('keys, sessions, staff and rules are never read from it', async () => {
  const seen = await onReplica<{ query: string }>("SELECT query FROM pg_stat_activity WHERE datname = 'institution' AND backend_type = 'client backend' AND query ~ 'api_keys|sessions|staff_tokens|platform_tokens'  AND pid <> pg_backend_pid()");
  expect(seen).toEqual([]);
});

it('a replica that is behind by more than the bound is skipped: the primary answers, and the counter says so', async () => {
  await scores();
  await onReplica('SELECT pg_wal_replay_pause()');
  const before = await counted();
  const email = await addStudent();
  expect((await scores()).join()).toContain(email);
  expect((await counted()).behind).toBe((before.behind ?? 0) + 1);
  await onReplica('SELECT pg_wal_replay_resume()');
  await eventually('reads come from the replica again', async () => {
    const { replica } = await counted();
    await scores();
    return (await counted()).replica === (replica ?? 0) + 1;
  });
});

it('a statement that fails by itself is no failure of the replica, which goes on being read', async () => {
  const { database } = api.api.domain;
  const divide = (): Promise<object[]> => replicaScope(database, school.id).sql('SELECT 1 / (count(*) * 0) FROM users WHERE institution_id = $1 AND pg_is_in_recovery()', [school.id]);
  await eventually('a read from the replica', async () => (await databaseForReads(database)).pool !== database.pool);
  const before = await counted();
  await expect(divide()).rejects.toThrow('division by zero');
  expect((await databaseForReads(database)).pool).not.toBe(database.pool);
  expect((await counted()).unreachable).toBe(before.unreachable);
});

it('a replica that is opened before it has the policies of a migration binds reads to one institution once it has', async () => {
  const [owner, service] = [new URL(servers.primaryUrl), new URL(servers.primaryUrl)];
  Object.assign(service, { username: 'late_service', password: 'late' });
  await withConnection(owner.href, async (client) => {
    await client.query("CREATE ROLE late_service LOGIN PASSWORD 'late'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO late_service");
  });
  await eventually('the role at the replica', async () => (await onReplica("SELECT 1 FROM pg_roles WHERE rolname = 'late_service'")).length === 1);
  await onReplica('SELECT pg_wal_replay_pause()');
  await migrate(owner.href, service.href);
  const primary = await openDatabase(service.href, 4, () => undefined);
  const at = new URL(servers.replicaUrl);
  Object.assign(at, { username: 'late_service', password: 'late' });
  const settings = { databaseReplicaUrl: at.href, databaseReplicaMaxWaitMs: 500, databasePoolSize: 4, databaseDirectUrl: null };
  const both = openReplica(primary, settings, createLogger('api', 'silent'), () => undefined, () => undefined);
  expect((await databaseForReads(both)).pool).toBe(primary.pool);
  await onReplica('SELECT pg_wal_replay_resume()');
  const found = await eventually('a replica that has caught up', async () => {
    const reads = await databaseForReads(both);
    return reads.pool !== primary.pool && reads;
  });
  const seen = await institutionScope(found, 'ins_of_nobody').sql<{ n: number; standby: boolean }>('SELECT count(*)::int AS n, pg_is_in_recovery() AS standby FROM users');
  await both.close();
  expect(seen).toEqual([{ n: 0, standby: true }]);
});

it('a listener for wake-ups that may not listen, as at a standby, has one connection at a time', async () => {
  const failures: unknown[] = [];
  const url = new URL(servers.replicaUrl);
  url.searchParams.set('application_name', 'wakeups');
  const listener = listenForWakeups(url.href, () => undefined, (error) => failures.push(error));
  await eventually('three tries', () => failures.length === 3);
  await eventually('one connection at most', async () => (await onReplica("SELECT 1 FROM pg_stat_activity WHERE application_name = 'wakeups'")).length <= 1);
  await listener.close();
  expect(failures.map(String)).toEqual(expect.arrayContaining([expect.stringContaining('during recovery')]));
});

it('a replica that ends loses no call, in the middle of one neither, and is used again when it is back', async () => {
  const { database } = api.api.domain;
  const scope = replicaScope(database, school.id);
  const read = () => scope.sql<{ n: number; standby: boolean }>('SELECT count(*)::int AS n, pg_is_in_recovery() AS standby FROM users WHERE institution_id = $1', [school.id]);
  const [onStandby] = await eventually('a read from the replica', async () => {
    const rows = await replicaScope(database, school.id).sql<{ n: number; standby: boolean }>('SELECT count(*)::int AS n, pg_is_in_recovery() AS standby FROM users WHERE institution_id = $1', [school.id]);
    return rows[0]?.standby === true && rows;
  });
  await read();
  await servers.stopReplica();
  expect(await read()).toEqual([{ n: onStandby?.n, standby: false }]);
  expect((await scores()).length).toBeGreaterThan(0);
  expect((await databaseForReads(database)).pool).toBe(database.pool);
  expect((await counted()).unreachable).toBeGreaterThan(0);
  await servers.startReplica();
  await eventually('reads come from the replica again', async () => (await databaseForReads(database)).pool !== database.pool);
});
