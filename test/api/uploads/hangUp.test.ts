import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pruneExpired } from '../../../domain/retention/pruneExpired';
import { withConnection } from '../../../local/programs/postgres';
import { sweepSpool } from '../../../outbound/files/sweepSpool';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { eventually } from '../../support/eventually';
import { seedExam } from '../../support/seed/exams';
import { openPrograms } from '../../support/programs';
import { openRawConnection, requestHead, type RawConnection } from '../../support/rawHttp';
import { storedFiles, multipart, multipartType, partHeader, sendUpload, zipOf } from '../../support/uploads';

let api: TestApi;
let institution: TestInstitution;
let examId: string;
const programs = openPrograms();

beforeAll(async () => {
  api = await startTestApi();
  institution = await api.institution();
  examId = await seedExam(api, institution);
});

afterAll(async () => {
  await programs.end();
  await api.stop();
});

const dayMs = 86_400_000;
const nothing = { stored: [], spooled: [] };
const rows = () => api.api.domain.database.sql<{ id: string; status: string }>('SELECT id, status FROM files WHERE institution_id = $1', [institution.id]);

/** A client that has sent so many bytes of a large file, and waits. */
async function begin(port: number, bytes: number): Promise<RawConnection> {
  const connection = await openRawConnection(port);
  connection.socket.on('error', () => undefined);
  const headers = { authorization: `Bearer ${institution.apiKey}`, 'content-type': multipartType, 'content-length': 40_000_000 };
  connection.socket.write(requestHead('POST', `/v1/exams/${examId}/files`, headers) + partHeader(zipOf('')));
  connection.socket.write(Buffer.alloc(bytes));
  await eventually('the upload is coming in', () => storedFiles(api.settings).spooled.length === 1);
  return connection;
}

it.each([['at once', (socket: RawConnection['socket']) => socket.resetAndDestroy()], ['politely', (socket: RawConnection['socket']) => socket.end()]])(
  'a client that hangs up in the middle, %s, leaves neither file nor row',
  async (_how, hangUp) => {
    const { socket } = await begin(api.api.port, 3_000_000);
    hangUp(socket);
    await eventually('the temporary file is gone', () => storedFiles(api.settings).spooled.length === 0);
    expect(storedFiles(api.settings)).toEqual(nothing);
    expect(await rows()).toEqual([]);
  },
);

it('an API that is stopped in the middle takes the temporary file along', async () => {
  const other = await startTestApi({ shutdownTimeoutMs: 200 });
  await begin(other.api.port, 1_000_000);
  await other.api.stop();
  await eventually('the temporary file is gone', () => storedFiles(api.settings).spooled.length === 0);
  expect(await rows()).toEqual([]);
});

it('an API that is killed while it keeps a file leaves a row that housekeeping clears a day later, with the bytes', async () => {
  const { sql } = api.api.domain.database;
  const asOwner = (text: string) => withConnection(api.stack.ownerDatabaseUrl, async (client) => { await client.query(text); });
  await asOwner("CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(20); RETURN NEW; END'");
  await asOwner('CREATE TRIGGER lingering BEFORE UPDATE ON files FOR EACH ROW EXECUTE FUNCTION linger()');
  const program = await programs.api(api.settings);
  const lost = sendUpload(program.baseUrl, institution.apiKey, examId, multipart(zipOf('bytes'))).then(() => 'answered', () => 'lost');
  await eventually('the bytes are in the store', () => storedFiles(api.settings).stored.length === 1);
  await program.kill();
  expect(await lost).toBe('lost');
  // Its transaction ends with its connection, which Postgres would notice only later.
  await sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'");
  await eventually('the trigger is gone', () => asOwner('DROP TRIGGER lingering ON files').then(() => true, () => false));
  const left = await rows();
  expect(left).toEqual([{ id: storedFiles(api.settings).stored[0], status: 'storing' }]);
  expect(await pruneExpired(api.api.domain, 'files', new Date())).toEqual({ removed: 0, more: false });
  expect(await pruneExpired(api.api.domain, 'files', new Date(Date.now() + dayMs + 60_000))).toEqual({ removed: 1, more: false });
  expect(await rows()).toEqual([]);
  expect(storedFiles(api.settings)).toEqual(nothing);
});

it('an API that is killed in the middle leaves a temporary file that a start a day later removes, and younger ones stay', async () => {
  const program = await programs.api(api.settings);
  await begin(Number(new URL(program.baseUrl).port), 1_000_000);
  await program.kill();
  const [left = ''] = storedFiles(api.settings).spooled;
  await sweepSpool(api.settings.uploadSpoolFolder, new Date(Date.now() + dayMs - 60_000));
  expect(storedFiles(api.settings).spooled).toEqual([left]);
  const old = new Date(Date.now() - dayMs - 60_000);
  utimesSync(join(api.settings.uploadSpoolFolder, left), old, old);
  const other = await startTestApi();
  await other.api.stop();
  expect(storedFiles(api.settings)).toEqual(nothing);
});
