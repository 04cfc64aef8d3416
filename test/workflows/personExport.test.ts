import { createHash } from 'node:crypto';
import Ajv from 'ajv/dist/2020';
import { unzipSync } from 'fflate';
import { sectionNames } from '../../db/repositories/exports/sections';
import { pruneExpired } from '../../domain/retention/pruneExpired';
import type { personExport } from '../../workflows/personExport';
import { searchAttributes } from '../../workflows/contract';
import { disclosuresOf } from '../support/disclosures';
import { eventually } from '../support/eventually';
import { activityQueues, recordHistory } from '../support/histories';
import { seedExam } from '../support/seed/exams';
import { seedTraces } from '../support/seed/traces';
import { daysBefore } from '../support/time';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql, call } = fixture;

/** The student of a submission with text, a recording and proctoring events. */
async function studentWithWork(): Promise<{ id: string; attemptId: string }> {
  const { submissionId, attemptId } = await seedTraces(api, institution, { examId: await seedExam(api, institution), gradedAt: new Date(), endedAt: new Date() });
  const [row] = await sql<{ student_id: string }>("UPDATE submissions SET text = 'The derivative is 2x.' WHERE id = $1 RETURNING student_id", [submissionId]);
  return { id: row?.student_id ?? '', attemptId };
}

const ready = (id: string, key = institution.apiKey) =>
  eventually('the archive', async () => {
    const { data } = await api.call('GET', `/students/${id}/export`, { key });
    return data.status === 'ready' && data;
  });

const download = (url: string): Promise<Response> => fetch(url.replace(api.settings.publicBaseUrl, api.baseUrl));

async function fetched(url: string): Promise<Buffer> {
  const response = await download(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return Buffer.from(await response.arrayBuffer());
}

const textOf = (entries: Record<string, Uint8Array>, name: string): string => Buffer.from(entries[name] ?? []).toString();

it('an export is an archive with all of a student, valid by its own schema, and with the files', async () => {
  const { id, attemptId } = await studentWithWork();
  const { data: started } = await call('POST', `/students/${id}/export`);
  expect(started).toMatchObject({ student_id: id, status: 'preparing', with_recordings: true, archive: null });
  const { archive, expires_at: expiresAt, ready_at: readyAt } = await ready(id);
  expect(Date.parse(expiresAt) - Date.parse(readyAt)).toBe(7 * 86_400_000);
  const bytes = await fetched(archive.url);
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([archive.size, archive.sha256]);
  const entries = unzipSync(bytes);
  const document = JSON.parse(textOf(entries, 'student.json'));
  const ajv = new Ajv({ validateFormats: false });
  expect([ajv.validate(JSON.parse(textOf(entries, 'student.schema.json')), document), ajv.errors]).toEqual([true, null]);
  expect(Object.keys(document)).toEqual(['$schema', 'exported_at', ...sectionNames]);
  expect([document.student.id, document.submissions[0].text]).toEqual([id, 'The derivative is 2x.']);
  expect(JSON.parse(textOf(entries, `attempts/${attemptId}.json`))).toHaveLength(2);
  expect(Object.keys(entries).filter((name) => name.startsWith(`files/${attemptId}/`))).toEqual([expect.stringMatching(/file_\w+-segment\.webm$/)]);
  const handle = fixture.temporal.client.workflow.getHandle<typeof personExport>(`export_${id}:1`);
  await handle.result();
  const { typedSearchAttributes: found } = await handle.describe();
  expect([searchAttributes.institutionId, searchAttributes.outcome].map((key) => found.get(key))).toEqual([institution.id, 'done']);
  await recordHistory('personExport', handle);
});

it('an archive is written on a task queue of its own, so that hundreds of them hold up nothing else', async () => {
  const { id } = await studentWithWork();
  await call('POST', `/students/${id}/export`);
  await ready(id);
  const handle = fixture.temporal.client.workflow.getHandle(`export_${id}:1`);
  await handle.result();
  expect(await activityQueues(handle)).toEqual([`${api.settings.taskQueue}-archives`]);
});

/** The scopes of a key that gets everything but recordings. */
const withoutRecordings = ['students:write', 'licenses:read', 'groups:read', 'submissions:read', 'merits:read', 'guardians:read', 'alpha:read'];

it('a key without one of the scopes of what is in the archive starts none, and gets no URL of one', async () => {
  const { id } = await studentWithWork();
  await call('POST', `/students/${id}/export`);
  expect((await ready(id)).archive).not.toBeNull();
  for (const left of withoutRecordings.slice(1)) {
    const key = await api.keyFor(institution, withoutRecordings.filter((scope) => scope !== left));
    const { status, body } = await api.call('POST', `/students/${id}/export`, { key });
    expect([status, body.error, body.missing]).toEqual([403, 'insufficient_scope', [left]]);
    expect((await api.call('GET', `/students/${id}/export`, { key })).data.archive).toBeNull();
  }
});

it('recordings are in the archive if the key that asked for it has submissions:write, and the archive is for such keys alone', async () => {
  const { id } = await studentWithWork();
  const [reader, writer] = [await api.keyFor(institution, ['students:read', 'submissions:write']), await api.keyFor(institution, withoutRecordings)];
  await api.call('POST', `/students/${id}/export`, { key: writer });
  const { archive } = await ready(id, writer);
  expect(Object.keys(unzipSync(await fetched(archive.url))).filter((name) => name.startsWith('files/'))).toEqual([]);
  expect((await ready(id, reader)).archive).toBeNull();
  await call('POST', `/students/${id}/export`);
  await ready(id);
  expect((await ready(id, writer)).archive).toBeNull();
});

it('an export that is being prepared is returned as it is, also after one with other contents, which is another', async () => {
  const { id } = await studentWithWork();
  await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ('exp_' || $2, $1, $2, 1, true, 'preparing', now())", [institution.id, id]);
  expect((await call('POST', `/students/${id}/export`)).data.id).toBe(`exp_${id}`);
  const writer = await api.keyFor(institution, withoutRecordings);
  const { data } = await api.call('POST', `/students/${id}/export`, { key: writer });
  expect([data.with_recordings, data.id === `exp_${id}`]).toEqual([false, false]);
  expect((await call('POST', `/students/${id}/export`)).data.id).toBe(`exp_${id}`);
});

it('the archive is deleted after 7 days, and its URL is not found', async () => {
  const { id } = await studentWithWork();
  await call('POST', `/students/${id}/export`);
  const { archive } = await ready(id);
  expect(await pruneExpired(api.api.domain, 'personExports', daysBefore(new Date(), -6))).toEqual({ removed: 0, more: false });
  expect((await pruneExpired(api.api.domain, 'personExports', daysBefore(new Date(), -8))).removed).toBeGreaterThan(0);
  const { data } = await call('GET', `/students/${id}/export`);
  expect([data.status, data.archive]).toEqual(['expired', null]);
  expect((await download(archive.url)).status).toBe(404);
});

it('who got the URL of an archive is on record, and who looked before it was ready is not', async () => {
  const { id } = await studentWithWork();
  await call('POST', `/students/${id}/export`);
  await ready(id);
  const reads = await disclosuresOf(api, institution, id);
  expect(reads.map(({ what, operation }) => [what, operation])).toEqual([['export', 'getStudentExport']]);
});

it('an export of a student of another institution is not found, nor is one that nobody asked for', async () => {
  const { id } = await studentWithWork();
  const other = await api.institution();
  const statuses = [
    await api.call('POST', `/students/${id}/export`, { key: other.apiKey }),
    await api.call('GET', `/students/${id}/export`, { key: other.apiKey }),
    await call('GET', `/students/${id}/export`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404]);
});
