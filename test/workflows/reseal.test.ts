import type { Settings } from '../../config/settings';
import { resealStatus } from '../../worker/reseal/status';
import { startReseal } from '../../worker/reseal/start';
import type { RunningWorker } from '../../worker/start';
import { resealWorkflowId, searchAttributes, workflowProgress } from '../../workflows/contract';
import type { reseal } from '../../workflows/reseal';
import type { TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { keyedApis, newEmail } from '../support/keyedApis';
import { newLegacyKeys, newMasterKey } from '../support/serviceKeys';
import { seedPersonalEmails, seedStudents } from '../support/seed/students';
import { closeTestTemporal, deleteWorkflow, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const [legacy, k1, k2] = [newLegacyKeys('old'), newMasterKey('k1'), newMasterKey('k2')];
const apis = keyedApis({ before: [legacy], rotated: [k1, legacy], next: [k2, k1] });

let worker: RunningWorker;
let institution: TestInstitution;
let rotated: Settings;

beforeAll(async () => {
  rotated = apis.api('rotated').settings;
  institution = await apis.api('before').institution();
  await deleteWorkflow(openTestTemporal(rotated), resealWorkflowId);
  worker = await startTestWorker(rotated);
  await waitUntilPolling(worker);
});
afterAll(async () => {
  await closeTestTemporal();
  await worker.stop();
});

const workflow = () => openTestTemporal(rotated).client.workflow.getHandle<typeof reseal>(resealWorkflowId);
const sql = <Row extends object>(text: string, values: unknown[] = []) => apis.api('before').api.domain.database.sql<Row>(text, values);
const createStudent = (personal_email = newEmail()) => apis.api('before').call('POST', '/students', { key: institution.apiKey, body: { personal_email } });

it('the status before the first reseal names the keys that are used', async () => {
  await createStudent();
  const { data: unmapped } = await apis.api('before').call('POST', '/students', { key: institution.apiKey, body: {} });
  await apis.api('before').call('POST', `/students/${unmapped.id}/enrolment-code`, { key: institution.apiKey });
  const status = await resealStatus(rotated);
  expect(status).toMatch(/^1 enrolment code was made before and can be used until /m);
  expect(status).toContain('Newest key: k1\n');
  expect(status).toContain('Reseal: not started');
  expect(status).toMatch(/^users\.personal_email_sealed +old +2$/m);
  expect(status).toContain('old: 2 values are still sealed under it. Keep it.');
});

it('seals everything under the newest key, counts it by table, and says which keys are unused', async () => {
  for (let nth = 0; nth < 3; nth += 1) await createStudent();
  await apis.api('before').call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: apis.receiver.url, events: ['*'] } });
  await apis.api('before').call('POST', '/students', { key: institution.apiKey, body: {}, headers: { 'idempotency-key': 'k' } });
  expect(await startReseal(rotated)).toContain('The workflow reseal seals every value under the key k1: ');
  expect(await workflow().result()).toEqual({
    outcome: 'done', keyId: 'k1', resealed: 7, total: 7, unreadable: 0,
    tables: { users: 5, webhook_endpoints: 1, exams: 0, sandbox_emails: 0, erasures: 0, idempotency_keys: 1, provisioning_rows: 0, mailbox_changes: 0, sign_in_codes: 0, sign_in_emails: 0 },
    unusedKeys: ['old'],
  });
  expect(await workflow().query(workflowProgress)).toEqual({ done: 7, total: 7 });
  const { currentDetails } = await workflow().query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toBe('**7 of 7** values sealed under `k1` (5 personal emails, 1 secrets of webhook endpoints, 1 stored responses); done. No value is sealed under `old` any more.');
  expect((await workflow().describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('done');
  const history = await historyText(workflow());
  expect(history).toContain('Seal every value under the key k1');
  await recordHistory('reseal', workflow());
  expect(history).not.toContain('@mail.example');
});

it('the status after it says which key may go', async () => {
  const status = await resealStatus(rotated);
  expect(status).toMatch(/^Reseal: completed, done, 7 of 7 values, started /m);
  expect(status).toMatch(/^users\.personal_email_sealed +k1 +5$/m);
  expect(status).toContain('old: no value is sealed under it. It may go 1 hour after');
});

it('once more moves what was written under an earlier key since, and nothing else', async () => {
  const before = await sql('SELECT id, personal_email_sealed FROM users WHERE institution_id = $1 AND personal_email_sealed IS NOT NULL ORDER BY id', [institution.id]);
  await createStudent();
  await startReseal(rotated);
  expect(await workflow().result()).toMatchObject({ outcome: 'done', resealed: 1, total: 1 });
  const after = await sql('SELECT id, personal_email_sealed FROM users WHERE institution_id = $1 AND personal_email_sealed IS NOT NULL ORDER BY id', [institution.id]);
  expect(after).toEqual(expect.arrayContaining(before));
});

it('a value that no key opens stays, and the reseal ends as incomplete', async () => {
  const { data } = await createStudent();
  await sql("UPDATE users SET personal_email_sealed = 'gone.AAAA' WHERE id = $1", [data.id]);
  await startReseal(rotated);
  expect(await workflow().result()).toMatchObject({ outcome: 'incomplete', resealed: 0, unreadable: 1 });
  expect(await resealStatus(rotated)).toContain('gone: 1 value is sealed under it, and it is not configured: add it again, or they cannot be read.');
  await sql('UPDATE users SET personal_email_sealed = NULL, personal_email_hmac = NULL WHERE id = $1', [data.id]);
});

it('goes on where it was when its worker is replaced', async () => {
  const students = await seedStudents(apis.api('before'), institution, 1_100);
  await seedPersonalEmails(apis.api('before'), students);
  await startReseal(rotated);
  await eventually('the first chunk', async () => (await workflow().query(workflowProgress)).done > 0);
  await worker.stop();
  worker = await startTestWorker(rotated);
  expect(await workflow().result()).toMatchObject({ outcome: 'done', total: 1_100, unreadable: 0, unusedKeys: ['old'] });
  const left = await sql("SELECT 1 FROM users WHERE institution_id = $1 AND personal_email_sealed IS NOT NULL AND NOT starts_with(personal_email_sealed, 'v2.k1.')", [institution.id]);
  expect(left).toEqual([]);
});

it('a second start while it runs starts no other one; a worker with another newest key does nothing, and says why', async () => {
  await createStudent();
  const next = apis.api('next').settings;
  await startReseal(next);
  const { runId } = await workflow().describe();
  const failed = await eventually('a failed try', async () => {
    const { raw } = await workflow().describe();
    return raw.pendingActivities?.find(({ lastFailure }) => lastFailure != null)?.lastFailure?.message;
  });
  expect(failed).toBe('The newest key of this worker is k1, not k2: restart it with the keys of the others');
  await startReseal(next);
  expect((await workflow().describe()).runId).toBe(runId);
  // One under an earlier key is ended, since nobody goes on with it once the processes have the newer one.
  await startReseal(apis.api('rotated').settings);
  const ofEarlier = await workflow().describe();
  expect([ofEarlier.runId === runId, await ofEarlier.staticSummary()]).toEqual([false, 'Seal every value under the key k1']);
  await startReseal(next);
  expect(await (await workflow().describe()).staticSummary()).toBe('Seal every value under the key k2');
  await worker.stop();
  worker = await startTestWorker(next);
  // Values under the keys of 0.9.0 stay, which that worker does not have.
  expect(await workflow().result()).toMatchObject({ outcome: 'incomplete', keyId: 'k2', unusedKeys: ['k1'] });
});
