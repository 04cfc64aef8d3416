import type { RunningWorker } from '../../worker/start';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { guardianInvitationEmail } from '../support/guardians';
import { createScriptRunner, type ScriptResult } from '../support/scripts';
import { startTestWorker } from '../support/worker';

const script = { document: 'docs/sandbox.md', name: 'school-year.sh' };

/** The time that the document promises for one run, in ms. */
const maxDurationMs = 180_000;

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let sandbox: TestInstitution;
let before: unknown;
let after: unknown;
let durationMs: number;
const results: ScriptResult[] = [];

/** Every row of an institution, of every table. */
async function rowsOf({ id }: TestInstitution): Promise<Record<string, string[]>> {
  const { sql } = api.api.domain.database;
  const tables = await sql<{ name: string; key: string }>(
    `SELECT c.table_name AS name, 'institution_id' AS key FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'institution_id' AND t.table_type = 'BASE TABLE' UNION ALL SELECT 'institutions', 'id' ORDER BY 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name, key } of tables) {
    const found = await sql<{ whole: string }>(`SELECT t::text AS whole FROM ${name} t WHERE ${key} = $1 ORDER BY 1`, [id]);
    rows[name] = found.map(({ whole }) => whole);
  }
  return rows;
}

/** Live data of the institution, after its emails were sent: a student in a class with an exam, and a guardian. */
async function createLiveData(): Promise<void> {
  const post = async (path: string, body: object) => (await api.call('POST', path, { key: institution.apiKey, body })).data;
  const { id } = await post('/students', { full_name: 'Ada Live', license_days: 10 });
  const group = await post('/groups', { name: 'Class', student_ids: [id] });
  await post('/exams', { faculty_id: group.faculty_id, title: 'Algebra', group_ids: [group.id] });
  const link = await post('/guardians', { student_id: id, guardian_email: 'guardian@mail.example', guardian_type: 'mother' });
  await guardianInvitationEmail(api, link.id);
  await eventually('the end of what the institution has begun', async () => {
    const [left] = await api.api.domain.database.sql<{ open: number }>(
      `SELECT (SELECT count(*) FROM owed_workflows WHERE institution_id = $1)::int
            + (SELECT count(*) FROM exam_notices WHERE institution_id = $1 AND ended_at IS NULL)::int AS open`,
      [institution.id],
    );
    return left?.open === 0;
  });
}

beforeAll(async () => {
  const port = await freePort();
  api = await startTestApi({ webhookTrustedHosts: [`localhost:${port}`] });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  sandbox = await api.sandboxOf(institution);
  await createLiveData();
  const connection = { base_url: api.baseUrl, api_key: sandbox.apiKey, platform_url: api.platformUrl, platform_token: '', institution_id: sandbox.id };
  const notNeeded = Promise.reject(new Error('No script here uses a client'));
  const reader = createScriptRunner({ connection, environment: { RECEIVER_PORT: String(port) }, replaced: [], client: notNeeded, pythonClient: notNeeded });
  before = await rowsOf(institution);
  const began = performance.now();
  results.push(await reader.run(script));
  durationMs = performance.now() - began;
  results.push(await reader.run(script));
  after = await rowsOf(institution);
  reader.remove();
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
});

it('a test key alone plays a school year, twice', () => {
  expect(results.map(({ code, errorOutput }) => [code, errorOutput])).toEqual([[0, ''], [0, '']]);
  expect(results[1]?.output).toContain('SIS-0');
});

it('in less than the three minutes that the document promises', () => {
  expect(durationMs).toBeLessThan(maxDurationMs);
});

it('without a change of any row of the institution', () => {
  expect(after).toEqual(before);
});
