import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { deleteFiles } from '../../../domain/files/deleteFiles';
import { defaultQuotas } from '../../../domain/quotas/quotas';
import type { ApiResponse } from '../../support/api';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { eventually } from '../../support/eventually';
import { codeEmailFor, codeEmailsFor, requestCode, signInByMail } from '../../support/signInCodes';
import { multipart, multipartType, storedFiles, upload as uploadExamFile, zipOf } from '../../support/uploads';

const { api, institution, sql, createStudents, studentWithAttempt, examFor, startAttempt, createExam } = appFixture();

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

it('bytes of deleted files are free again, and folding keeps the count', async () => {
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

describe('of the emails to new addresses of a day', () => {
  const inviteGuardian = async (address: string, student: string) =>
    api.call('POST', '/guardians', { key: institution.apiKey, body: { student_id: student, guardian_email: address, guardian_type: 'mother' } });
  const inviteDeveloper = (address: string) => api.platform('POST', `/institutions/${institution.id}/developers`, { body: { email: address, name: 'Linus' } });
  const limited = { status: 409, body: { error: 'conflict', message: expect.stringMatching(/^Daily limit of \d+ emails to new addresses reached; retry after \d{4}-\d\d-\d\dT00:00:00\.000Z\.$/) } };

  it('invitations beyond the quota are refused, of guardians and developers together, also of many at once', async () => {
    await setQuotas({ daily_new_addresses: 3 });
    const students = await createStudents(6);
    expect((await inviteDeveloper('linus@mail.example')).status).toBe(200);
    const answers = await Promise.all(students.map((student, n) => inviteGuardian(`parent${n}@mail.example`, student)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(limited);
    expect(await inviteDeveloper('ken@mail.example')).toMatchObject(limited);
    expect(await sql("SELECT 1 FROM guardian_links WHERE institution_id = $1", [institution.id])).toHaveLength(2);
    await setQuotas({ daily_new_addresses: 4 });
    expect((await inviteDeveloper('ken@mail.example')).status).toBe(200);
  });

  it('a quota of 0 refuses all, and the next day has a quota of its own', async () => {
    await setQuotas({ daily_new_addresses: 0 });
    const [student = ''] = await createStudents(1);
    expect(await inviteGuardian('parent@mail.example', student)).toMatchObject(limited);
    await setQuotas({ daily_new_addresses: 1 });
    expect((await inviteGuardian('parent@mail.example', student)).status).toBe(200);
    expect(await inviteGuardian('father@mail.example', student)).toMatchObject(limited);
    await sql("UPDATE new_address_emails SET day = day - 1 WHERE institution_id = $1", [institution.id]);
    expect((await inviteGuardian('father@mail.example', student)).status).toBe(200);
  });

  it('a code that confirms a mailbox takes one, and is refused beyond the quota', async () => {
    await setQuotas({ daily_new_addresses: 1 });
    const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { personal_email: 'grace@mail.example' } });
    const { answer } = await signInByMail(api, student.login_email);
    const want = (email: string) => api.platform('POST', '/me/mailbox', { key: answer.data.session, body: { email } });
    expect((await want('grace.hopper@mail.example')).status).toBe(200);
    expect(await want('hopper@mail.example')).toMatchObject(limited);
    expect(await sql('SELECT 1 FROM mailbox_changes WHERE user_id = $1', [student.id])).toHaveLength(1);
  });

  it('a code for an address that a student names takes one, and beyond the quota the answer is the usual one and nothing is sent', async () => {
    await setQuotas({ daily_new_addresses: 1 });
    const ids = await createStudents(2);
    const rows = await sql<{ login_email: string }>('SELECT login_email FROM institution_emails WHERE user_id = ANY ($1) ORDER BY login_email', [ids]);
    const [first = '', second = ''] = rows.map(({ login_email }) => login_email);
    const accepted = await requestCode(api, first, { personal_email: 'ada@mail.example' });
    await codeEmailFor(api, first);
    const refused = await requestCode(api, second, { personal_email: 'ben@mail.example' });
    expect([accepted.status, refused.status, refused.body]).toEqual([200, 200, accepted.body]);
    await eventually('the second request is handled', async () => (await sql('SELECT 1 FROM sign_in_emails')).length === 0);
    expect(await codeEmailsFor(api, second)).toEqual([]);
    await setQuotas({ daily_new_addresses: 2 });
    await requestCode(api, second, { personal_email: 'ben@mail.example' });
    expect((await codeEmailFor(api, second)).to?.[0]?.address).toBe('ben@mail.example');
  });
});
