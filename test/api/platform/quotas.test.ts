import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { deleteFiles } from '../../../domain/files/deleteFiles';
import { defaultQuotas } from '../../../domain/quotas/quotas';
import type { ApiResponse } from '../../support/api';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { multipart, multipartType, storedFiles, upload as uploadExamFile, zipOf } from '../../support/uploads';

const { api, institution, sql, studentWithAttempt, examFor, startAttempt, createExam } = appFixture();

const quotasOf = (id: string, body?: object) => api.platform(body === undefined ? 'GET' : 'PUT', `/institutions/${id}/quotas`, { body });
const setQuotas = (body: object) => quotasOf(institution.id, body);

async function upload({ session }: SignedInStudent, attemptId: string, bytes: number): Promise<ApiResponse> {
  const parts = [{ name: 'kind', bytes: 'recording' }, { name: 'file', filename: 'segment.webm', type: 'video/webm', bytes: Buffer.alloc(bytes, 1) }];
  const response = await fetch(`${api.platformUrl}/app/attempts/${attemptId}/files`, {
    method: 'POST', headers: { authorization: `Bearer ${session}`, 'content-type': multipartType }, body: new Uint8Array(multipart(...parts)),
  });
  const body = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body, data: body.data };
}

/** What an upload beyond a quota answers. */
const beyond = (quota: string) => ({ status: 422, body: { error: 'file_too_large', message: expect.stringContaining(`quota ${quota}:`) } });
const kept = async () => ({ ...storedFiles(api.settings), rows: await sql("SELECT id FROM files WHERE institution_id = $1 AND status <> 'removed' ORDER BY id", [institution.id]) });
const secondAttempt = async (who: SignedInStudent) => startAttempt(who, (await examFor([who])).id);

it('an institution has the default quotas until the platform replaces them; a field left out takes its default', async () => {
  expect((await quotasOf(institution.id)).data).toEqual({ ...defaultQuotas, stored_bytes: 0 });
  const { data } = await setQuotas({ student_bytes: 7_000, institution_bytes: 9_000, daily_new_addresses: 3 });
  expect(data).toEqual({ attempt_bytes: 1024 ** 3, student_bytes: 7_000, institution_bytes: 9_000, daily_new_addresses: 3, stored_bytes: 0 });
  expect((await quotasOf(institution.id)).data).toEqual(data);
  await setQuotas({});
  expect((await quotasOf(institution.id)).data).toEqual({ ...defaultQuotas, stored_bytes: 0 });
  expect((await quotasOf('ins_nobody')).body.error).toBe('not_found');
});

describe('an upload beyond a quota names it and leaves neither row nor bytes:', () => {
  it('attempt_bytes', async () => {
    await setQuotas({ attempt_bytes: 1_000 });
    const { who, attemptId } = await studentWithAttempt();
    expect((await upload(who, attemptId, 600)).status).toBe(200);
    const before = await kept();
    expect(await upload(who, attemptId, 401)).toMatchObject(beyond('attempt_bytes'));
    expect(await kept()).toEqual(before);
    expect((await upload(who, attemptId, 400)).status).toBe(200);
    expect((await upload(who, await secondAttempt(who), 1_000)).status).toBe(200);
  });

  it('student_bytes, over all attempts of the student and of no other', async () => {
    await setQuotas({ student_bytes: 1_000 });
    const { who, attemptId } = await studentWithAttempt();
    const other = await studentWithAttempt();
    expect((await upload(who, attemptId, 700)).status).toBe(200);
    const before = await kept();
    expect(await upload(who, await secondAttempt(who), 301)).toMatchObject(beyond('student_bytes'));
    expect(await kept()).toEqual(before);
    expect((await upload(other.who, other.attemptId, 1_000)).status).toBe(200);
  });

  it('institution_bytes, over all students and the files of exams', async () => {
    await setQuotas({ institution_bytes: 1_000 });
    const { who, attemptId } = await studentWithAttempt();
    const { id } = await createExam();
    expect((await uploadExamFile(api, institution.apiKey, id, zipOf(Buffer.alloc(600, 1)))).status).toBe(200);
    const before = await kept();
    expect(await upload(who, attemptId, 401)).toMatchObject(beyond('institution_bytes'));
    expect(await uploadExamFile(api, institution.apiKey, id, zipOf(Buffer.alloc(401, 1)))).toMatchObject(beyond('institution_bytes'));
    expect(await kept()).toEqual(before);
    expect((await upload(who, attemptId, 400)).status).toBe(200);
    expect((await quotasOf(institution.id)).data.stored_bytes).toBe(1_000);
    expect(await uploadExamFile(api, institution.apiKey, id, zipOf('a'))).toMatchObject(beyond('institution_bytes'));
  });
});

describe('of uploads at once that together exceed a quota as many are stored as fit:', () => {
  const stored = (answers: readonly ApiResponse[]) => answers.map(({ status }) => status).sort();

  it('student_bytes, into two attempts', async () => {
    await setQuotas({ student_bytes: 1_000 });
    const { who, attemptId } = await studentWithAttempt();
    const attempts = [attemptId, await secondAttempt(who)];
    expect(stored(await Promise.all(attempts.map((id) => upload(who, id, 501))))).toEqual([200, 422]);
  });

  it('institution_bytes, by several students, also when its count is folded meanwhile', async () => {
    await setQuotas({ institution_bytes: 1_000 });
    const students = await Promise.all(Array.from({ length: 8 }, () => studentWithAttempt()));
    const answers = Promise.all(students.map(({ who, attemptId }) => upload(who, attemptId, 300)));
    await deleteFiles(api.api.domain, { storingSince: new Date(0), now: new Date() }, 100);
    expect(stored(await answers)).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
    expect((await quotasOf(institution.id)).data.stored_bytes).toBe(900);
  });
});

it('an upload of one student or institution waits for no other, though a quota of theirs is held', async () => {
  await setQuotas({ institution_bytes: 10_000 });
  const { who, attemptId } = await studentWithAttempt();
  const waiting = await studentWithAttempt();
  const { dataSource } = api.api.domain.database;
  const holder = dataSource.createQueryRunner();
  await holder.startTransaction();
  try {
    await holder.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [waiting.who.id]);
    expect((await upload(who, attemptId, 100)).status).toBe(200);
  } finally {
    await holder.rollbackTransaction();
    await holder.release();
  }
});

it('bytes of deleted files are free again, whoever deletes them, and folding keeps the count', async () => {
  await setQuotas({ institution_bytes: 1_000, student_bytes: 1_000 });
  const { who, attemptId } = await studentWithAttempt();
  const { data } = await upload(who, attemptId, 600);
  await upload(who, attemptId, 400);
  expect((await upload(who, attemptId, 1)).status).toBe(422);
  await sql("UPDATE files SET status = 'removed' WHERE id = $1", [data.ref]);
  expect((await quotasOf(institution.id)).data.stored_bytes).toBe(400);
  await deleteFiles(api.api.domain, { storingSince: new Date(0), now: new Date() }, 100);
  expect(await sql('SELECT bytes::int FROM stored_bytes WHERE institution_id = $1', [institution.id])).toEqual([{ bytes: 400 }]);
  expect((await upload(who, attemptId, 600)).status).toBe(200);
  await sql('DELETE FROM files WHERE attempt_id = $1', [attemptId]);
  expect((await quotasOf(institution.id)).data.stored_bytes).toBe(0);
});

it('an upload whose bytes cannot be stored is not counted', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const { fileStore } = api.settings;
  if (fileStore.kind !== 'folder') throw new Error('Tests keep their files in a folder');
  renameSync(fileStore.folder, `${fileStore.folder}.away`);
  writeFileSync(fileStore.folder, 'no folder');
  try {
    expect((await upload(who, attemptId, 100)).status).toBe(500);
  } finally {
    rmSync(fileStore.folder);
    renameSync(`${fileStore.folder}.away`, fileStore.folder);
  }
  expect((await quotasOf(institution.id)).data.stored_bytes).toBe(0);
});
