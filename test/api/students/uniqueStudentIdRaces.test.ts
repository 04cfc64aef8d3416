import { Client } from 'pg';
import { newId } from '../../../domain/ids';
import { replaceConfig } from '../../../domain/institutions/replaceConfig';
import { transact } from '../../../domain/transact';
import type { RunningWorker } from '../../../worker/start';
import type { ApiResponse } from '../../support/api';
import { twoApisFixture } from '../../support/apiFixture';
import { bulkItems, postStudentsBulk, studentsOf, type BulkResult } from '../../support/batches';
import { eventually } from '../../support/eventually';
import { existing, setUniqueStudentIds, takenBy } from '../../support/uniqueStudentIds';
import { startTestWorker } from '../../support/worker';

const fixture = twoApisFixture();
const { api, institution, call, sql } = fixture;
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startTestWorker(api.settings);
});

afterAll(() => worker.stop());

const post = (student_id: string, body: object = {}) => call('POST', '/students', { student_id, ...body });
const statuses = (responses: readonly ApiResponse[]): number[] => responses.map(({ status }) => status).toSorted();

/** A POST to the second process of the service. */
async function postElsewhere(student_id: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${fixture.secondPort}/v1/students`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${institution.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ student_id }),
  });
  return { status: response.status, body: await response.json() };
}

/** The students of each identifier that several have. */
const duplicated = async (): Promise<string[]> => [...(await studentsOf(api, institution))].filter(([id, students]) => id !== '' && students.length > 1).map(([id]) => id);

/** A transaction of a writer that knows nothing of the setting, as of the release before. */
async function openWriter(): Promise<{ insert(studentId: string): Promise<string>; end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>; waitForBlocked(): Promise<void> }> {
  const client = new Client({ connectionString: api.stack.ownerDatabaseUrl });
  await client.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    insert: async (studentId) => {
      const id = newId('stu');
      await client.query(
        `WITH new AS (INSERT INTO users (id, institution_id, kind, external_id, status, created_at, updated_at) VALUES ($1, $2, 'student', $3, 'pending', now(), now()) RETURNING id)
         INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) SELECT $1 || '@' || $4, $2, id, now() FROM new`,
        [id, institution.id, studentId, institution.loginDomain],
      );
      return id;
    },
    end: async (how) => {
      await client.query(how);
      await client.end();
    },
    waitForBlocked: async () => {
      await eventually('somebody waits for the writer', async () => (await sql('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]?.pid])).length > 0);
    },
  };
}

describe('while student_ids are unique', () => {
  beforeEach(() => setUniqueStudentIds(fixture, true));

  it('20 POSTs at once with one student_id create one student, whom the 19 conflicts name', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => post('S-1')));
    const [winner] = responses.filter(({ status }) => status === 200);
    expect(statuses(responses)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    for (const { status, body } of responses) if (status === 409) expect(body).toEqual({ success: false, ...takenBy(winner?.data) });
    expect(await duplicated()).toEqual([]);
  });

  it('POSTs through two processes create one of each', async () => {
    const ids = Array.from({ length: 10 }, (_, nth) => `S-${nth}`);
    const answered = await Promise.all(ids.flatMap((id) => [post(id), postElsewhere(id), post(id), postElsewhere(id)]));
    expect(answered.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answered.filter(({ status }) => status === 409)).toHaveLength(30);
    expect(await duplicated()).toEqual([]);
  });

  it('20 PATCHes at once to one student_id change one student', async () => {
    const ids = await fixture.createStudents(20);
    const responses = await Promise.all(ids.map((id) => call('PATCH', `/students/${id}`, { student_id: 'S-1' })));
    const [winner] = responses.filter(({ status }) => status === 200);
    expect(statuses(responses)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    for (const { status, body } of responses) if (status === 409) expect(body.existing).toEqual(existing(winner?.data));
  });

  it('a student_id that one student gives up and another takes at the same time is never held by two', async () => {
    const [one, other] = await Promise.all([post('A'), post('B')]);
    for (let round = 0; round < 10; round += 1) {
      const [to, from] = round % 2 === 0 ? ['B', 'C'] : ['A', 'D'];
      const responses = await Promise.all([
        call('PATCH', `/students/${other.data.id}`, { student_id: from }),
        call('PATCH', `/students/${one.data.id}`, { student_id: to }),
        call('PATCH', `/students/${other.data.id}`, { student_id: to }),
      ]);
      expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
      expect(await duplicated()).toEqual([]);
    }
  });

  it('two bulk calls of 200, concurrent with POSTs and PATCHes of the same student_ids, make one student of each, and every conflict names them', async () => {
    const patched = await fixture.createStudents(10);
    const [first, second, ...others] = await Promise.all([
      postStudentsBulk(api, institution, bulkItems(200)),
      postStudentsBulk(api, institution, bulkItems(200).toReversed()),
      ...Array.from({ length: 10 }, (_, nth) => post(`S-${nth * 20}`)),
      ...patched.map((id, nth) => call('PATCH', `/students/${id}`, { student_id: `S-${nth * 20 + 1}` })),
    ]);
    const students = await studentsOf(api, institution);
    expect([...students.keys()].filter((id) => id !== '')).toHaveLength(200);
    expect(await duplicated()).toEqual([]);
    const of = (studentId: string) => students.get(studentId)?.[0];
    const results = (response: ApiResponse | undefined): BulkResult[] => response?.data.results;
    results(first).forEach((result, nth) => expect(result.existing ?? { id: result.id, login_email: result.login_email }).toEqual(of(`S-${nth}`)));
    results(second).forEach((result, nth) => expect(result.existing ?? { id: result.id, login_email: result.login_email }).toEqual(of(`S-${199 - nth}`)));
    others.forEach(({ status, data, body }, nth) => expect(status === 200 ? existing(data) : body.existing).toEqual(of(`S-${(nth % 10) * 20 + Math.floor(nth / 10)}`)));
  });

  it.each([['COMMIT', 409], ['ROLLBACK', 200]] as const)('a POST waits for the release before, which is creating the same; after its %s the answer is %i', async (how, status) => {
    const writer = await openWriter();
    const id = await writer.insert('S-1');
    const posted = post('S-1');
    await writer.waitForBlocked();
    await writer.end(how);
    const response = await posted;
    expect(response.status).toBe(status);
    if (status === 409) expect(response.body.existing.id).toBe(id);
  });
});

describe('turning unique_student_ids on', () => {
  it.each([['COMMIT', 409], ['ROLLBACK', 200]] as const)('waits for who is writing a student_id: after its %s the answer is %i', async (how, status) => {
    await post('S-1');
    const writer = await openWriter();
    await writer.insert('S-1');
    const turned = setUniqueStudentIds(fixture, true);
    await writer.waitForBlocked();
    await writer.end(how);
    const { status: answered, body } = await turned;
    expect([answered, body.student_ids]).toEqual([status, status === 409 ? ['S-1'] : undefined]);
  });

  it('gives up after two seconds as rate_limited where that takes longer, and nothing has changed', async () => {
    const writer = await openWriter();
    await writer.insert('S-1');
    const { status, body, headers } = await setUniqueStudentIds(fixture, true);
    expect([status, body.error, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    await writer.end('COMMIT');
    expect((await call('GET', '/institution/config')).data.unique_student_ids).toBe(false);
  });

  it('has a write of a student_id wait until it is on, and holds up nothing else', async () => {
    const first = (await post('S-1')).data;
    let posted: ReturnType<typeof postElsewhere> | undefined;
    await transact(api.api.domain, institution.caller, async (tx) => {
      await replaceConfig(tx, { unique_student_ids: true });
      for (const other of [
        () => call('PATCH', `/students/${first.id}`, { full_name: 'Ada' }),
        () => call('POST', '/faculty', { full_name: 'Grace', faculty_id: 'S-1' }),
        () => call('GET', '/students'),
      ]) expect((await other()).status).toBe(200);
      posted = postElsewhere('S-1');
      await eventually('the POST waits', async () => (await sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND mode = 'ShareLock'")).length > 0);
    });
    expect((await posted)?.body).toMatchObject(takenBy(first));
  });

  it('while students are being created, and off again, lets no duplicate slip through', async () => {
    for (let round = 0; round < 8; round += 1) {
      const ids = Array.from({ length: 6 }, (_, nth) => `R${round}-${nth}`);
      // Every other round duplicates come only after the setting is on, or with it.
      const isTwice = round % 2 === 0;
      const creating = ids.flatMap((id) => [post(id), ...(isTwice ? [post(id), postElsewhere(id)] : [])]);
      const turned = await setUniqueStudentIds(fixture, true);
      const bulk = postStudentsBulk(api, institution, ids.map((student_id) => ({ student_id })));
      await Promise.all([...creating, bulk, ...ids.flatMap((id) => [post(id), postElsewhere(id)])]);
      const isOn: boolean = (await call('GET', '/institution/config')).data.unique_student_ids;
      expect(isTwice ? [200, 409] : [200]).toContain(turned.status);
      expect(isOn).toBe(turned.status === 200);
      if (isOn) expect(await duplicated()).toEqual([]);
      await setUniqueStudentIds(fixture, false);
      await sql("UPDATE users SET external_id = NULL WHERE institution_id = $1 AND kind = 'student'", [institution.id]);
    }
  });
});
