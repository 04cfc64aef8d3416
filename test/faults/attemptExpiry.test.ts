import type { attemptExpiry } from '../../workflows/attemptExpiry';
import { appFixture } from '../support/appFixture';
import { eventually } from '../support/eventually';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const students = 60;

const fixture = appFixture();
const { sql, signedInStudent, examFor, startAttempt, createStudents, attemptStatuses } = fixture;
let programs: Programs;
let worker: Program;

beforeAll(async () => {
  programs = openPrograms();
  worker = await programs.worker(fixture.api.settings);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
});

it('a worker that is killed as attempts run out changes nothing: each is abandoned once, as of its end', async () => {
  const { api, institution } = fixture;
  const who = await signedInStudent();
  const { id: examId } = await examFor([who], { time_limit_minutes: 60 });
  await startAttempt(who, examId);
  const others = await createStudents(students);
  const end = new Date(Date.now() + 4_000);
  await sql(
    `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at)
     SELECT 'att_' || s, $2, $1, s, 'in_progress', now(), $4::timestamptz + n * interval '100 milliseconds' FROM unnest($3::text[]) WITH ORDINALITY AS u (s, n)`,
    [examId, institution.id, others, end],
  );
  // As a further attempt would tell it.
  const run = openTestTemporal(api.settings).client.workflow.getHandle<typeof attemptExpiry>(`${examId}:attempts:1`);
  await eventually('the run', () => run.describe().catch(() => undefined));
  await run.signal('look', {});
  await eventually('the first of them abandoned', async () => (await sql("SELECT 1 FROM attempts WHERE exam_id = $1 AND status = 'abandoned'", [examId])).length > 0);
  await worker.kill();
  worker = await programs.worker(api.settings);
  const abandoned = () => sql("SELECT 1 FROM attempts WHERE exam_id = $1 AND status = 'abandoned'", [examId]);
  // What the killed one held, a workflow task or an activity, is taken up within 15 s.
  await eventually('all of them abandoned', async () => (await abandoned()).length === students);
  const rows = await sql(
    "SELECT a.id FROM attempts a JOIN attempt_events e ON e.attempt_id = a.id AND e.type = 'attempt_abandoned' WHERE a.exam_id = $1 AND a.ended_at = a.expires_at AND e.at = a.ended_at", [examId]);
  expect(rows).toHaveLength(students);
  expect(await sql('SELECT run, open FROM attempt_expiries WHERE exam_id = $1', [examId])).toEqual([{ run: 1, open: true }]);
  expect(await attemptStatuses(who, examId)).toEqual(['in_progress']);
});
