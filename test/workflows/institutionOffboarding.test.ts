import { createHash } from 'node:crypto';
import Ajv from 'ajv/dist/2020';
import { unzipSync } from 'fflate';
import { institutionScope } from '../../db/database';
import { exportedTables } from '../../db/repositories/offboarding/exportedTables';
import { eraseLastRows } from '../../db/repositories/offboarding/institution';
import { eraseOffboardedChunk } from '../../domain/offboarding/eraseInstitution';
import { guardianInvitationWorkflowId } from '../../domain/outbox/workflows';
import { searchAttributes, workflowProgress } from '../../workflows/contract';
import type { TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { endReadOnly, offboard, offboardingOf, offboardingWorkflow, requestedLongAgo, untilArchived, untilErased } from '../support/offboarding';
import { createResource, type ResourceKind } from '../support/resourceFactories';
import { seedAttemptFile } from '../support/seed/files';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql, call } = fixture;

const kinds: ResourceKind[] = ['student', 'faculty', 'group', 'license', 'seat', 'exam', 'submission', 'guardian', 'couponBatch', 'curriculum', 'enrollment', 'delivery'];
const fill = (of: TestInstitution) => Promise.all(kinds.map((kind) => createResource[kind](api, of)));
const detailsOf = async (of: TestInstitution) => (await offboardingWorkflow(fixture.temporal, of).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
const statusOf = async (id: string) => (await fixture.temporal.client.workflow.getHandle(id).describe().catch(() => undefined))?.status.name;

/** The rows of an institution in every table of the database that has its id. */
async function rowsOf({ id }: TestInstitution): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>(
    "SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name) WHERE c.table_schema = 'public' AND c.column_name = 'institution_id' AND t.table_type = 'BASE TABLE'",
  );
  const counted = await Promise.all(tables.map(async ({ name }) => [name, (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${name} WHERE institution_id = $1`, [id]))[0]?.n ?? 0] as const));
  return Object.fromEntries(counted.filter(([, n]) => n > 0));
}

it('the archive has every table of the institution as lines of JSON, valid by its own schema, and the files; nothing of others', async () => {
  const other = await api.institution();
  await Promise.all([fill(institution), fill(other)]);
  const submission = await createResource.submission(api, institution);
  const [row] = await sql<{ attempt_id: string }>('SELECT attempt_id FROM submissions WHERE id = $1', [submission]);
  const file = await seedAttemptFile(api, institution, row?.attempt_id ?? '', { filename: 'essay.pdf', bytes: Buffer.from('the essay') });
  await offboard(api, institution);
  const { archive } = await untilArchived(api, institution);
  const response = await fetch(archive.url.replace(api.settings.publicBaseUrl, api.baseUrl));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([archive.size, archive.sha256]);
  const entries = unzipSync(bytes);
  const textOf = (name: string) => Buffer.from(entries[name] ?? []).toString();
  const { $defs } = JSON.parse(textOf('schema.json'));
  const { institution_id, lines } = JSON.parse(textOf('institution.json'));
  expect([institution_id, Object.keys($defs), Object.keys(lines)]).toEqual([institution.id, Object.keys(exportedTables), Object.keys(exportedTables)]);
  const ajv = new Ajv({ validateFormats: false, strict: false });
  for (const table of Object.keys(exportedTables)) {
    const rows = textOf(`data/${table}.jsonl`).split('\n').slice(0, -1).map((line) => JSON.parse(line));
    expect([table, rows.length]).toEqual([table, lines[table]]);
    const validate = ajv.compile($defs[table]);
    for (const one of rows) expect([table, validate(one), validate.errors]).toEqual([table, true, null]);
  }
  for (const table of ['users', 'exams', 'submissions', 'groups', 'guardian_links', 'licenses', 'api_keys', 'audit_log', 'webhook_deliveries', 'events']) expect([table, lines[table] > 0]).toEqual([table, true]);
  const all = Buffer.concat(Object.values(entries).map((content) => Buffer.from(content))).toString();
  expect([all.includes(other.id), /_sealed"|_hash"|_hmac"/.test(all)]).toEqual([false, false]);
  expect(Buffer.from(entries[`files/${file}-essay.pdf`] ?? []).toString()).toBe('the essay');
  const [disclosed] = await eventually('the disclosure', async () => {
    const rows = await sql<{ what: string; operation: string }>("SELECT what, operation FROM disclosures WHERE institution_id = $1 AND operation = 'getOffboarding'", [institution.id]);
    return rows.length > 0 && rows;
  });
  expect(disclosed).toEqual({ what: 'export', operation: 'getOffboarding' });
});

it('after the 30 days everything of the institution and its sandbox is erased, others are untouched, and the certificate says what was removed', async () => {
  const other = await api.institution();
  const sandbox = await api.sandboxOf(institution);
  await Promise.all([fill(institution), fill(sandbox), fill(other)]);
  const link = await createResource.guardian(api, institution);
  const waiting = guardianInvitationWorkflowId(link, 1);
  await eventually('the invitation', async () => (await statusOf(waiting)) === 'RUNNING');
  const before = await rowsOf(other);
  await offboard(api, institution, { reason: 'The contract ends.' });
  await untilArchived(api, institution);
  await eventually('what the Web UI says', async () => /^Read-only; the archive is written\. Everything is erased after \S+Z\.$/.test(await detailsOf(institution)));
  await endReadOnly(api, fixture.temporal, institution);
  const erased = await untilErased(api, fixture.temporal, institution);
  for (const one of [institution, sandbox]) {
    const { audit_log: kept = 0, offboardings = 0, ...rest } = await rowsOf(one);
    expect(rest).toEqual({});
    expect(await sql("SELECT 1 FROM audit_log WHERE institution_id = $1 AND actor_kind NOT IN ('platform', 'staff')", [one.id])).toEqual([]);
    expect([kept >= 0, offboardings]).toEqual([true, one === institution ? 1 : 0]);
    expect(await sql('SELECT 1 FROM institutions WHERE id = $1', [one.id])).toEqual([]);
    expect((await api.call('GET', '/me', { key: one.apiKey })).body.error).toBe('invalid_api_key');
  }
  const { webhook_deliveries: _d, event_queue: _q, events: _e, disclosures: _s, owed_workflows: _o, webhook_attempts: _a, ...stable } = before;
  expect(await rowsOf(other)).toMatchObject(stable);
  expect((await api.call('GET', '/me', { key: other.apiKey })).status).toBe(200);
  const { text, sha256 } = erased.certificate;
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  expect(JSON.parse(text)).toMatchObject({ offboarding: `offboard_${institution.id}:1`, institution_id: institution.id, erased_at: erased.erased_at, removed: erased.removed });
  expect(erased).toMatchObject({ status: 'erased', reason: null, archive: null });
  expect(erased.progress.done).toBe(erased.progress.total);
  const counts = Object.fromEntries(erased.removed.map(({ store, count }: { store: string; count: number }) => [store, count]));
  expect(counts).toMatchObject({ institutions: 2, allowances: 2, event_clocks: 2, login_counters: 4 });
  for (const store of ['users', 'exams', 'files', 'submissions', 'audit_log', 'disclosures', 'api_keys', 'licenses']) expect([store, counts[store] > 0]).toEqual([store, true]);
  await eventually('the end of the invitation', async () => !['RUNNING', undefined].includes(await statusOf(waiting)));
  const handle = offboardingWorkflow(fixture.temporal, institution);
  expect(await handle.result()).toMatchObject({ ended: 'erased', done: erased.progress.total });
  expect(await handle.query(workflowProgress)).toEqual(erased.progress);
  expect(await detailsOf(institution)).toMatch(/^Erased: [\d,]+ rows and files; the certificate is written\.$/);
  const { typedSearchAttributes: found } = await handle.describe();
  expect([searchAttributes.institutionId, searchAttributes.outcome].map((key) => found.get(key))).toEqual([institution.id, 'done']);
  await recordHistory('institutionOffboarding', handle);
});

it('a call while the data is being erased is answered like one of a suspended institution; the erasure can neither be cancelled nor the institution approved', async () => {
  await fill(institution);
  await offboard(api, institution);
  await endReadOnly(api, fixture.temporal, institution);
  expect((await call('GET', '/students')).body.error).toBe('invalid_api_key');
  expect((await call('POST', '/students', {})).body.error).toBe('invalid_api_key');
  for (const path of ['/offboard/cancel', '/approve']) {
    const { status } = await api.platform('POST', `/institutions/${institution.id}${path}`);
    expect([path, status]).toEqual([path, 409]);
  }
  const { data } = await offboard(api, institution);
  expect(data.status).toBe('erasing');
  // What a call that was let in before leaves late goes, too.
  await sql("INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at) SELECT 'grp_late' || $1, $1, id, 'Late', now(), now() FROM users WHERE institution_id = $1 AND is_admin", [institution.id]).catch(() => undefined);
  await untilErased(api, fixture.temporal, institution);
  expect(await sql('SELECT 1 FROM groups WHERE institution_id = $1', [institution.id])).toEqual([]);
  expect((await offboardingOf(api, institution)).status).toBe('erased');
});

it('a cancelled offboarding erases nothing, and its archive is deleted', async () => {
  await fill(institution);
  await offboard(api, institution);
  const { archive } = await untilArchived(api, institution);
  // The answer to a call that changes nothing has no URL that would be on record nowhere.
  expect((await offboard(api, institution)).data).toMatchObject({ status: 'read_only', archive: null });
  const before = await rowsOf(institution);
  await api.platform('POST', `/institutions/${institution.id}/offboard/cancel`);
  expect(await offboardingWorkflow(fixture.temporal, institution).result()).toMatchObject({ ended: 'cancelled', erased: 0 });
  expect((await rowsOf(institution)).users).toBe(before.users);
  expect((await fetch(archive.url.replace(api.settings.publicBaseUrl, api.baseUrl))).status).toBe(404);
  expect((await offboardingOf(api, institution)).archive).toBeNull();
  await recordHistory('institutionOffboarding.cancelled', offboardingWorkflow(fixture.temporal, institution));
});

it('the database refuses to forget the logs of an institution that does not leave, or whose leaving is not on record for 29 days', async () => {
  await createResource.student(api, institution);
  const forget = (id: string) => sql('SELECT * FROM forget_institution($1, 10)', [id]);
  await expect(forget(institution.id)).rejects.toThrow('the audit log is append-only');
  await offboard(api, institution);
  await sql('UPDATE institutions SET erasing_since = now() WHERE id = $1', [institution.id]);
  await expect(forget(institution.id)).rejects.toThrow('the audit log is append-only');
});

it('the database refuses to forget the logs of an institution by a request that was cancelled', async () => {
  await createResource.student(api, institution);
  await requestedLongAgo(api, institution);
  await offboard(api, institution);
  await api.platform('POST', `/institutions/${institution.id}/offboard/cancel`);
  await offboard(api, institution);
  await sql('UPDATE institutions SET erasing_since = now() WHERE id = $1', [institution.id]);
  await expect(sql('SELECT * FROM forget_institution($1, 10)', [institution.id])).rejects.toThrow('the audit log is append-only');
});

it('a chunk erases nothing of an institution that is not being erased, and none has rows of another', async () => {
  const other = await api.institution();
  await createResource.student(api, institution);
  await offboard(api, institution);
  const before = await rowsOf(institution);
  expect(await eraseOffboardedChunk(api.api.domain, { institutionId: institution.id, number: 1 }, '', new Date())).toMatchObject({ next: null, erased: 0 });
  await eraseLastRows(institutionScope(api.api.domain.database, institution.id), 'api_keys', 10);
  expect((await rowsOf(institution)).users).toBe(before.users);
  expect((await rowsOf(other)).api_keys).toBe(1);
});
