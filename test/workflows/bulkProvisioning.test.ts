import type { BatchReference } from '../../domain/provisioning/batch';
import { openBatch, type OpenedBatch } from '../../domain/provisioning/openBatch';
import { closeAbandonedBatches } from '../../domain/provisioning/closeAbandonedBatches';
import { provisionChunk } from '../../domain/provisioning/provisionChunk';
import { transact } from '../../domain/transact';
import { searchAttributes, workflowProgress } from '../../workflows/contract';
import type { bulkProvisioning } from '../../workflows/bulkProvisioning';
import { systemCaller } from '../support/api';
import { batchesOf, postStudentsBulk, lockEmail, studentsOf, bulkItems } from '../support/batches';
import { eventsOf } from '../support/events';
import { historyText, recordHistory } from '../support/histories';
import { openSandboxOf } from '../support/sandboxes';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const workflowOf = (batchId: string) => fixture.temporal.client.workflow.getHandle<typeof bulkProvisioning>(batchId);

/** What the Web UI shows as the workflow's current details. */
async function currentDetails(batchId: string): Promise<string> {
  const metadata = await workflowOf(batchId).query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** A batch of so many students whose workflow is not started. */
const opened = (count: number, now = new Date()): Promise<OpenedBatch> =>
  transact(api.api.domain, systemCaller(institution.id, now), (tx) => openBatch(tx, bulkItems(count).map((student) => ({ student })), { hasIdempotencyKey: false, realNow: now }));

const chunk = ({ batchId }: BatchReference, from: number, now = new Date()) =>
  transact(api.api.domain, systemCaller(institution.id, now), (tx) => provisionChunk(tx, batchId, from, now));

const rowsOf = ({ batchId }: BatchReference): Promise<{ user_id: string | null; error: string | null }[]> =>
  api.api.domain.database.sql('SELECT * FROM provisioning_rows WHERE batch_id = $1 ORDER BY index', [batchId]);

it('reads like a sentence in the Web UI and answers how far it came', async () => {
  const students = bulkItems(150);
  students[3] = { full_name: '', student_id: 'S-3' };
  await postStudentsBulk(api, institution, students);
  const [batch] = await batchesOf(api, institution);
  const workflow = workflowOf(batch?.id ?? '');
  expect(batch?.id).toMatch(/^bulk_/);
  expect(await workflow.result()).toEqual({ created: 149, failed: 1 });
  const { typedSearchAttributes: found } = await workflow.describe();
  expect([found.get(searchAttributes.institutionId), found.get(searchAttributes.outcome)]).toEqual([institution.id, 'done']);
  expect(await workflow.query(workflowProgress)).toEqual({ done: 150, total: 150 });
  expect(await currentDetails(workflow.workflowId)).toBe('**149 of 150** students created, 1 not; the batch is done.');
  expect(await historyText(workflow)).toContain('Provision 150 students');
  await recordHistory('bulkProvisioning', workflow);
});

it('reports its progress while it is running', async () => {
  const students = bulkItems(150);
  students[120] = { full_name: 'Ada', student_id: 'S-120', personal_email: 'ada@example.org' };
  const held = await lockEmail(api, institution, 'ada@example.org');
  const calling = postStudentsBulk(api, institution, students);
  await held.waitForBlockedTransaction();
  const [batch] = await batchesOf(api, institution);
  expect(await workflowOf(batch?.id ?? '').query(workflowProgress)).toEqual({ done: 100, total: 150 });
  await held.end('ROLLBACK');
  expect((await calling).data.created).toBe(150);
});

it('creates all its students though the clock of the sandbox is moved meanwhile', async () => {
  const sandbox = await openSandboxOf(api, institution);
  const students = bulkItems(150);
  students[50] = { full_name: 'Ada', student_id: 'S-50', personal_email: 'ada@example.org' };
  const held = await lockEmail(api, sandbox, 'ada@example.org');
  const calling = sandbox.call('POST', '/students/bulk', { students });
  await held.waitForBlockedTransaction();
  await sandbox.advance(86_400);
  await closeAbandonedBatches(api.api.domain, new Date());
  await held.end('ROLLBACK');
  const { status, data } = await calling;
  expect([status, data.created, data.failed]).toEqual([200, 150, 0]);
  expect(await batchesOf(api, sandbox)).toMatchObject([{ status: 'done' }]);
});

it('has ids and counters in its history, and no personal email', async () => {
  await postStudentsBulk(api, institution, [{ full_name: 'Sensitive Name', student_id: 'sensitive-id', personal_email: 'sensitive@example.org' }, { personal_email: 'sensitive.badly' }]);
  const [batch] = await batchesOf(api, institution);
  const text = await historyText(workflowOf(batch?.id ?? ''));
  expect(text).toContain(`"batchId":"${batch?.id}"`);
  expect(text.toLowerCase()).not.toContain('sensitive');
});

it('fails at once for a batch that is not there', async () => {
  const workflow = await fixture.temporal.client.workflow.start<typeof bulkProvisioning>('bulkProvisioning', {
    workflowId: 'bulk_unknown',
    taskQueue: api.settings.taskQueue,
    args: [{ batchId: 'bulk_unknown', institutionId: institution.id, total: 1 }],
  });
  await expect(workflow.result()).rejects.toMatchObject({ cause: { type: 'UnknownBatch' } });
});

describe('a chunk', () => {
  it('run twice leaves the same rows and creates nobody twice', async () => {
    const batch = await opened(120);
    await chunk(batch, 0);
    const once = await rowsOf(batch);
    await chunk(batch, 0);
    expect(await rowsOf(batch)).toEqual(once);
    expect((await studentsOf(api, institution)).size).toBe(100);
    expect((await eventsOf(api, institution)).filter(({ type }) => type === 'student.created')).toHaveLength(100);
  });

  it('run again by two workers at once creates nobody twice', async () => {
    const batch = await opened(100);
    await Promise.all([chunk(batch, 0), chunk(batch, 0), chunk(batch, 0)]);
    const students = await studentsOf(api, institution);
    expect([...students.values()].map((same) => same.length)).toEqual(Array(100).fill(1));
  });

  it('of another institution is not found', async () => {
    const batch = await opened(1);
    const otherInstitution = await api.institution();
    expect(await transact(api.api.domain, otherInstitution.caller, (tx) => provisionChunk(tx, batch.batchId, 0, new Date()))).toBeUndefined();
    expect(await rowsOf(batch)).toMatchObject([{ user_id: null, error: null }]);
  });

  it('creates nobody in a batch that its call abandoned two minutes ago, and closes it', async () => {
    const openedAt = new Date('2026-11-20T09:00:00.000Z');
    const batch = await opened(1, openedAt);
    expect(await chunk(batch, 0, new Date('2026-11-20T09:02:00.001Z'))).toMatchObject({ status: 'closed', created: 0, failed: 1 });
    expect((await studentsOf(api, institution)).size).toBe(0);
  });

  it('still creates within the two minutes', async () => {
    const batch = await opened(1, new Date('2026-11-20T09:00:00.000Z'));
    expect(await chunk(batch, 0, new Date('2026-11-20T09:02:00.000Z'))).toMatchObject({ status: 'done', created: 1 });
  });
});

it('an abandoned batch is closed and its personal emails erased though no workflow ever ran', async () => {
  const { domain } = api.api;
  const openedAt = new Date('2026-11-20T09:00:00.000Z');
  const { batchId } = await transact(domain, systemCaller(institution.id, openedAt), (tx) =>
    openBatch(tx, [{ student: { personal_email: 'ada@example.org' } }], { hasIdempotencyKey: false, realNow: openedAt }),
  );
  const kept = () => domain.database.sql('SELECT 1 FROM provisioning_rows WHERE batch_id = $1 AND personal_email_sealed IS NOT NULL', [batchId]);
  expect(await kept()).toHaveLength(1);
  await closeAbandonedBatches(domain, new Date('2026-11-20T09:03:00.000Z'));
  expect(await kept()).toHaveLength(0);
  expect(await batchesOf(api, institution)).toEqual([{ id: batchId, status: 'closed' }]);
});
