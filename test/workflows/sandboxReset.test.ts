import { erasedTables, eraseRows, hasRowsToErase, type ErasedTable } from '../../db/repositories/sandbox/erasure';
import { institutionScope } from '../../db/database';
import { endReset, eraseChunk } from '../../domain/sandbox/eraseSandbox';
import { guardianInvitationWorkflowId, sandboxResetWorkflowId } from '../../domain/outbox/workflows';
import type { TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { createResource, type ResourceKind } from '../support/resourceFactories';
import { upload, zipOf } from '../support/uploads';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql } = fixture;
let sandbox: TestInstitution;

beforeEach(async () => {
  sandbox = await api.sandboxOf(institution);
});

const kinds: ResourceKind[] = ['student', 'faculty', 'group', 'license', 'seat', 'exam', 'submission', 'guardian', 'couponBatch', 'curriculum', 'enrollment', 'delivery'];
const fill = (of: TestInstitution) => Promise.all(kinds.map((kind) => createResource[kind](api, of)));

const reset = () => api.call('DELETE', '/sandbox', { key: sandbox.apiKey });
const isIn = async (): Promise<boolean> => (await api.call('GET', '/me', { key: sandbox.apiKey })).status === 200;
const untilDone = () => eventually('the end of the reset', isIn);

/** The number of an institution's rows by table. */
async function counts({ id }: TestInstitution): Promise<Record<string, number>> {
  const counted = await Promise.all(
    erasedTables
      .filter((table) => table !== 'curriculum_concepts')
      .map(async (table) => [table, (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE institution_id = $1`, [id]))[0]?.n ?? 0] as const),
  );
  return Object.fromEntries(counted.filter(([, n]) => n > 0));
}

const emails = (count: number) =>
  sql(
    `INSERT INTO sandbox_emails (id, institution_id, message_id, kind, recipient_kind, recipient_id, email_sealed, created_at)
     SELECT 'eml_' || $2 || n, $1, n::text, 'weekly_report', 'guardian', 'usr_1', '', now() FROM generate_series(1, $3::int) n`,
    [sandbox.id, sandbox.id.slice(-8), count],
  );

/** Begins an erasure that no workflow does. */
const beginErasing = () => sql('UPDATE institutions SET erasing_since = now() WHERE id = $1', [sandbox.id]);

it('erases what a sandbox holds and nothing of its institution, and the sandbox is then as a new one with the keys that it had', async () => {
  const asNew = await counts(sandbox);
  const [newest] = await sql<{ config: object }>('SELECT config FROM institutions WHERE id = $1', [institution.id]);
  await Promise.all([fill(sandbox), fill(institution)]);
  await api.call('PUT', '/institution/config', { key: sandbox.apiKey, body: { allowed_toolchains: ['python'] } });
  await api.platform('PUT', `/institutions/${sandbox.id}/allowance`, { body: { allowance_cents: 5_000 } });
  await api.call('POST', '/students', { key: sandbox.apiKey, body: {} }).then(({ data }) =>
    api.call('POST', '/merits/credits', { key: sandbox.apiKey, body: { email: data.login_email, amount_cents: 100, reason: 'Prize', ref: 'r1' } }));
  const before = await counts(institution);
  const { status, data } = await reset();
  expect([status, data]).toEqual([200, { id: sandbox.id, deleted: true }]);
  await untilDone();
  expect(await counts(sandbox)).toEqual({ ...asNew, merit_moves: 1, institution_emails: 1, licenses: 1, users: 1 });
  const after = await counts(institution);
  for (const table of ['users', 'exams', 'submissions', 'groups', 'guardian_links', 'coupon_batches', 'licenses', 'webhook_endpoints']) expect([table, after[table]]).toEqual([table, before[table]]);
  const [config, allowance, student] = await Promise.all([
    sql<{ config: object }>('SELECT config FROM institutions WHERE id = $1', [sandbox.id]),
    api.call('GET', '/merits/allowance', { key: sandbox.apiKey }),
    api.call('POST', '/students', { key: sandbox.apiKey, body: {} }),
  ]);
  expect(config[0]?.config).toEqual(newest?.config);
  expect(allowance.data).toMatchObject({ allowance_cents: 1_000_000, granted_cents: 1_000_000, credited_cents: 0 });
  expect(student.data.login_email).toMatch(/^student1\./);
});

it('resets the clock of the sandbox', async () => {
  await sql('UPDATE institutions SET clock_offset_ms = 86400000 WHERE id = $1', [sandbox.id]);
  await reset();
  await untilDone();
  expect(await sql('SELECT clock_offset_ms::int AS ms, erasing_since, resets FROM institutions WHERE id = $1', [sandbox.id])).toEqual([{ ms: 0, erasing_since: null, resets: 1 }]);
});

it('is not done again by a repetition of the call with its key, and forgets the keys of calls before', async () => {
  const send = (method: string, path: string, key: string, body?: object) => api.call(method, path, { key: sandbox.apiKey, headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) });
  const before = (await send('POST', '/students', 'student-1', {})).data;
  expect((await send('DELETE', '/sandbox', 'reset-1')).status).toBe(200);
  await untilDone();
  const { id } = (await send('POST', '/students', 'student-1', {})).data;
  expect(id).not.toBe(before.id);
  const again = await send('DELETE', '/sandbox', 'reset-1');
  expect([again.status, again.headers.get('idempotent-replayed'), await isIn()]).toEqual([200, 'true', true]);
  expect((await api.call('GET', `/students/${id}`, { key: sandbox.apiKey })).status).toBe(200);
});

it('can be repeated', async () => {
  for (const nth of [1, 2]) {
    await createResource.student(api, sandbox);
    await reset();
    await untilDone();
    const { data } = await api.call('GET', '/students', { key: sandbox.apiKey });
    expect([nth, data.total]).toEqual([nth, 0]);
  }
});

it('refuses every other call of a test key with conflict until it is done, but not those of live keys', async () => {
  await beginErasing();
  const calls: [string, string, object?][] = [['GET', '/me'], ['GET', '/students'], ['POST', '/students', {}], ['GET', '/sandbox/emails']];
  for (const [method, path, body] of calls) {
    const answer = await api.call(method, path, { key: sandbox.apiKey, body });
    expect([path, answer.status, answer.body.error, answer.body.message]).toEqual([path, 409, 'conflict', 'The sandbox is being reset; try again when it is done.']);
  }
  expect((await api.call('GET', '/students', { key: institution.apiKey })).status).toBe(200);
});

it('begins once, regardless of how many calls ask for it while it is under way', async () => {
  await beginErasing();
  const answers = await Promise.all([reset(), reset()]);
  expect(answers.map(({ status, data }) => [status, data.deleted])).toEqual([[200, true], [200, true]]);
  expect(await sql('SELECT resets FROM institutions WHERE id = $1', [sandbox.id])).toEqual([{ resets: 0 }]);
  expect(await sql("SELECT 1 FROM owed_workflows WHERE institution_id = $1 AND name = 'sandboxReset'", [sandbox.id])).toEqual([]);
});

it('erases at most 1,000 rows in a transaction, and goes on where the chunk before stopped', async () => {
  await emails(2_500);
  await beginErasing();
  const chunks: [ErasedTable | null, number][] = [];
  let from: ErasedTable | null = 'sandbox_emails';
  for (let nth = 0; nth < 3; nth += 1) {
    const { next, erased } = await eraseChunk(api.api.domain, sandbox.id, from, new Date());
    chunks.push([next, erased]);
    from = next;
  }
  expect(chunks).toEqual([['sandbox_emails', 1_000], ['sandbox_emails', 1_000], ['sign_in_emails', 500]]);
  expect((await eraseChunk(api.api.domain, sandbox.id, 'sandbox_emails', new Date())).next).not.toBe('sandbox_emails');
});

it('does not end while a row is left', async () => {
  await beginErasing();
  expect(await endReset(api.api.domain, sandbox.id, new Date())).toBe('more');
  expect(await isIn()).toBe(false);
  const scope = institutionScope(api.api.domain.database, sandbox.id);
  let from: ErasedTable | null = null;
  do from = (await eraseChunk(api.api.domain, sandbox.id, from, new Date())).next;
  while (from !== null);
  expect(await hasRowsToErase(scope)).toBe(false);
  expect(await endReset(api.api.domain, sandbox.id, new Date())).toBe('done');
  expect(await isIn()).toBe(true);
});

it('erases nothing of an institution that is no sandbox, or of a sandbox that is not being reset', async () => {
  for (const owner of [institution, sandbox]) {
    await createResource.student(api, owner);
    const before = await counts(owner);
    let from: ErasedTable | null = null;
    do from = (await eraseChunk(api.api.domain, owner.id, from, new Date())).next;
    while (from !== null);
    expect(await endReset(api.api.domain, owner.id, new Date())).toBe('done');
    expect((await counts(owner)).users).toBe(before.users);
  }
});

it('leaves rows of other institutions when a table is erased', async () => {
  await createResource.group(api, institution);
  await eraseRows(institutionScope(api.api.domain.database, sandbox.id), 'groups', 1_000);
  expect((await counts(institution)).groups).toBe(1);
});

it('deletes the files from the store', async () => {
  const exam = await createResource.exam(api, sandbox);
  const { data } = await upload(api, sandbox.apiKey, exam, zipOf('starter'));
  const id = String(data.file.id);
  await (await api.api.domain.files.open(id)).toArray();
  await reset();
  await untilDone();
  await expect(api.api.domain.files.open(id)).rejects.toThrow();
});

it('ends the workflows that wait for something of the sandbox', async () => {
  const link = await createResource.guardian(api, sandbox);
  const batch = await createResource.couponBatch(api, sandbox);
  const statusOf = async (id: string) => (await fixture.temporal.client.workflow.getHandle(id).describe().catch(() => undefined))?.status.name;
  const waiting = [guardianInvitationWorkflowId(link, 1), batch];
  for (const id of waiting) await eventually(`the start of ${id}`, async () => (await statusOf(id)) === 'RUNNING');
  await reset();
  await untilDone();
  for (const id of waiting) await eventually(`the end of ${id}`, async () => !['RUNNING', undefined].includes(await statusOf(id)));
  const resetId = sandboxResetWorkflowId(sandbox.id, 1);
  await eventually(`the end of ${resetId}`, async () => (await statusOf(resetId)) === 'COMPLETED');
  await recordHistory('sandboxReset', fixture.temporal.client.workflow.getHandle(resetId));
});
