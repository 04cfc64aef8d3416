import { eraseStoreChunk } from '../../domain/erasure/eraseStore';
import { erasureSteps as steps } from '../../domain/erasure/stores';
import { sealSubject } from '../../domain/erasure/subject';
import { responsePlace } from '../../domain/idempotency/responsePlace';
import type { personErasure } from '../../workflows/personErasure';
import { searchAttributes, workflowProgress } from '../../workflows/contract';
import { eventually } from '../support/eventually';
import { activityQueues, historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql, call } = fixture;

const newStudent = async (): Promise<string> => (await call('POST', '/students', { full_name: 'Ada Lovelace' })).data.id;
const workflowOf = (id: string) => fixture.temporal.client.workflow.getHandle<typeof personErasure>(`erase_${id}:1`);
const certificateOf = (path: string) => eventually('the certificate', async () => (await call('GET', `${path}/erasure`)).data.certificate);

/** Sessions that ended long ago, of which there are more than a chunk has. */
const seedSessions = (studentId: string, count: number) =>
  sql(
    `INSERT INTO sessions (id, institution_id, user_id, kind, token_hash, created_at, expires_at, ended_at)
     SELECT 'sess_' || $2 || lpad(n::text, 5, '0'), $1, $2, 'student', decode(md5($2 || n), 'hex'), now(), now(), now() FROM generate_series(1, $3::int) n`,
    [institution.id, studentId, count],
  );

it('goes through every store, writes the certificate, and reads like a sentence in the Web UI', async () => {
  const id = await newStudent();
  await seedSessions(id, 1_200);
  await call('POST', `/students/${id}/erase`);
  await certificateOf(`/students/${id}`);
  const result = await workflowOf(id).result();
  expect(result).toEqual({ done: steps, total: steps, removed: expect.any(Number) });
  expect(await workflowOf(id).query(workflowProgress)).toEqual({ done: steps, total: steps });
  expect((await workflowOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails).toBe(
    `Erased, ${steps} of ${steps} steps: ${result.removed.toLocaleString('en-US')} values removed since the call; the certificate is written.`,
  );
  const { typedSearchAttributes: found } = await workflowOf(id).describe();
  expect([searchAttributes.institutionId, searchAttributes.outcome].map((key) => found.get(key))).toEqual([institution.id, 'done']);
  const { data } = await call('GET', `/students/${id}/erasure`);
  expect(data.progress).toEqual({ done: steps, total: steps });
  expect(data.removed).toContainEqual({ store: 'sessions', count: 1_200, at: expect.any(String) });
  expect(await historyText(workflowOf(id))).toContain(`Erase ${id}`);
  await recordHistory('personErasure', workflowOf(id));
});

it('a call after the end returns the certificate, and starts nothing', async () => {
  const id = await newStudent();
  await call('POST', `/students/${id}/erase`);
  const certificate = await certificateOf(`/students/${id}`);
  const { status, data } = await call('POST', `/students/${id}/erase`);
  expect([status, data.status, data.certificate]).toEqual([200, 'done', certificate]);
  expect(await sql('SELECT subject_sealed FROM erasures WHERE person_id = $1', [id])).toEqual([{ subject_sealed: null }]);
});

it('a repetition with the same Idempotency-Key gets the first response, which names nobody', async () => {
  const id = await newStudent();
  const send = () => api.call('POST', `/students/${id}/erase`, { key: institution.apiKey, headers: { 'idempotency-key': `erase-${id}` } });
  const first = await send();
  await certificateOf(`/students/${id}`);
  const second = await send();
  expect([second.headers.get('idempotent-replayed'), second.data]).toEqual(['true', first.data]);
});

it('a repeated creation with its Idempotency-Key makes nobody, and gets a response without the name', async () => {
  const send = () => api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada Lovelace', student_id: 'SIS-7' }, headers: { 'idempotency-key': 'create-7' } });
  const { id, license } = (await send()).data;
  await call('POST', `/students/${id}/erase`);
  await certificateOf(`/students/${id}`);
  const { status, data } = await send();
  expect([status, data]).toMatchObject([200, { id, full_name: 'erased', student_id: 'erased', status: 'pending', license: { id: license.id, status: 'active' } }]);
  expect(data.login_email).toBe((await call('GET', `/students/${id}`)).data.login_email);
});

it('its chunks run on a task queue of their own, so that hundreds of erasures hold up nothing else', async () => {
  const id = await newStudent();
  await call('POST', `/students/${id}/erase`);
  await certificateOf(`/students/${id}`);
  await workflowOf(id).result();
  expect(await activityQueues(workflowOf(id))).toEqual([`${api.settings.taskQueue}-erasures`, api.settings.taskQueue]);
});

it('the search of events ends with the last of them, also while others are being written', async () => {
  const id = await newStudent();
  const erasure = { personId: id, institutionId: institution.id, number: 1 };
  const subject = { loginEmail: { former: 'ada@north.example', replacement: 'erased@north.example' }, fullName: null, externalId: null, addresses: [], texts: [], ids: [id] };
  await sql("INSERT INTO erasures (person_id, number, institution_id, kind, requested_at, removed, subject_sealed) VALUES ($1, 1, $2, 'student', now(), '{}', $3)", [
    id, institution.id, sealSubject(api.api.domain.secrets, erasure, subject),
  ]);
  expect((await sql('SELECT 1 FROM events WHERE institution_id = $1', [institution.id])).length).toBeGreaterThan(0);
  expect(await eraseStoreChunk(api.api.domain, erasure, 'events', '', new Date())).toEqual({ next: null, removed: 0 });
});

it('a chunk has at most 500 rows; one that is done again removes and counts nothing twice', async () => {
  const id = await newStudent();
  const erasure = { personId: id, institutionId: institution.id, number: 1 };
  // Never started: the chunks are those of this test.
  await sql("INSERT INTO erasures (person_id, number, institution_id, kind, requested_at, removed, subject_sealed) VALUES ($1, 1, $2, 'student', now(), '{}', $3)", [
    id, institution.id, sealSubject(api.api.domain.secrets, erasure, { loginEmail: null, fullName: null, externalId: null, addresses: [], texts: [], ids: [id] }),
  ]);
  await seedSessions(id, 700);
  const chunk = (place: string) => eraseStoreChunk(api.api.domain, erasure, 'sessions', place, new Date());
  const first = await chunk('');
  expect(first).toEqual({ next: expect.stringMatching(/^0\|sess_/), removed: 500 });
  expect(await chunk('')).toEqual({ next: null, removed: 200 });
  expect(await chunk(first.next ?? '')).toEqual({ next: null, removed: 0 });
  expect(await sql('SELECT removed FROM erasures WHERE person_id = $1', [id])).toEqual([{ removed: { sessions: { count: 700, at: expect.any(String) } } }]);
});

it('waits for transactions that began before the login email was replaced, and rewrites what they have written', async () => {
  const { id, login_email } = (await call('POST', '/students', { full_name: 'Ada Lovelace' })).data;
  const client = await api.api.domain.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1');
    await call('POST', `/students/${id}/erase`);
    await eventually('the new login email', async () => (await call('GET', `/students/${id}`)).data.login_email !== login_email);
    await eventually('a wait', async () => (await historyText(workflowOf(id))).includes('TIMER_STARTED'));
    expect((await call('GET', `/students/${id}/erasure`)).data).toMatchObject({ status: 'running', progress: { done: 3 } });
    await client.query(
      "INSERT INTO idempotency_keys (institution_id, key, request_sha256, response_sealed, response_bytes) VALUES ($1, 'late', decode(repeat('00', 32), 'hex'), $2, 1)",
      [institution.id, api.api.domain.secrets.seal(JSON.stringify({ login_email }), responsePlace(institution.id, 'late'))],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await certificateOf(`/students/${id}`);
  const [row] = await sql<{ response_sealed: string }>("SELECT response_sealed FROM idempotency_keys WHERE institution_id = $1 AND key = 'late'", [institution.id]);
  expect(JSON.parse(api.api.domain.secrets.open(row?.response_sealed ?? '', responsePlace(institution.id, 'late')))).toEqual({ login_email: (await call('GET', `/students/${id}`)).data.login_email });
});
