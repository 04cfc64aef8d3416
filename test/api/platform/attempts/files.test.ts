import { randomBytes } from 'node:crypto';
import { maxAttemptFiles } from '../../../../domain/attempts/storeAttemptFile';
import { errorSummary } from '../../../support/responses';
import type { ApiResponse } from '../../../support/api';
import { appFixture, type SignedInStudent } from '../../../support/appFixture';
import { seedAttemptFile } from '../../../support/seed/files';
import { fullSpec } from '../../../support/codingExams';
import { storedFiles, multipart, multipartType, sha256, type Part } from '../../../support/uploads';

const { api, institution, sql, call, studentWithAttempt, submit, createExam, signedInStudent } = appFixture();
const hour = 3_600_000;
const conflict = [409, 'conflict'];

const file = (bytes: Buffer | string = 'hello', filename = 'essay.txt'): Part => ({ name: 'file', filename, type: 'text/plain', bytes });
const kind = (bytes: string): Part => ({ name: 'kind', bytes });

async function upload(who: SignedInStudent, attemptId: string, ...parts: Part[]): Promise<ApiResponse> {
  const response = await fetch(`${api.platformUrl}/app/attempts/${attemptId}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.session}`, 'content-type': multipartType },
    body: new Uint8Array(multipart(...parts)),
  });
  const body = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body, data: body.data };
}

const rowsOf = (attemptId: string) =>
  sql<{ id: string; kind: string; status: string; exam_id: string | null }>('SELECT id, kind, status, exam_id FROM files WHERE attempt_id = $1 ORDER BY created_at, id', [attemptId]);
const kept = () => storedFiles(api.settings);

// Contract: proctoring.recordings.uploaded-with-submission
it('keeps a file of either kind, whether its kind comes before it or behind it', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const bytes = randomBytes(70_000);
  const before = await upload(who, attemptId, kind('recording'), file(bytes, 'segment-1.webm'));
  const behind = await upload(who, attemptId, file('hello'), kind('attachment'));
  expect(before.data).toEqual({ ref: before.data.file.id, file: { id: expect.stringMatching(/^file_/) }, filename: 'segment-1.webm', size: 70_000, sha256: sha256(bytes), content_type: 'text/plain' });
  expect(await rowsOf(attemptId)).toEqual([
    { id: before.data.ref, kind: 'recording', status: 'stored', exam_id: null },
    { id: behind.data.ref, kind: 'attachment', status: 'stored', exam_id: null },
  ]);
  expect(kept().stored).toEqual(expect.arrayContaining([before.data.ref, behind.data.ref]));
  expect(kept().spooled).toEqual([]);
});

it('lets an attachment be handed in that was uploaded, and no recording', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const [attachment, recording] = [await upload(who, attemptId, kind('attachment'), file()), await upload(who, attemptId, kind('recording'), file())];
  const handIn = (id: string) => submit(who, attemptId, { attachments: [{ file: { id }, name: 'essay.txt' }] });
  expect(errorSummary(await handIn(recording.data.ref))).toEqual([422, 'validation_error', ['attachments.0.file.id']]);
  expect((await handIn(attachment.data.ref)).status).toBe(200);
});

describe('is refused with the path of the problem, and keeps nothing:', () => {
  const problems: [string, Part[], string[]][] = [
    ['no kind', [file()], ['kind']],
    ['no file', [kind('recording')], ['file']],
    ['an unknown kind', [kind('diary'), file()], ['kind']],
    ['a kind in capitals', [kind('Recording'), file()], ['kind']],
    ['an empty kind', [file(), kind('')], ['kind']],
    ['two kinds', [kind('recording'), kind('attachment'), file()], ['kind']],
    ['a kind that is a file', [{ name: 'kind', filename: 'kind.txt', bytes: 'recording' }, file()], ['kind', 'kind']],
    ['another field', [kind('recording'), { name: 'note', bytes: 'hi' }, file()], ['note']],
    ['a field of every object', [kind('recording'), { name: 'constructor', bytes: 'hi' }, file()], ['constructor']],
    ['two files', [kind('recording'), file(), file()], ['file']],
    ['an empty file', [kind('recording'), file('')], ['file']],
  ];

  it.each(problems)('%s', async (_what, parts, paths) => {
    const { who, attemptId } = await studentWithAttempt();
    const before = kept();
    expect(errorSummary(await upload(who, attemptId, ...parts))).toEqual([422, 'validation_error', paths]);
    expect([await rowsOf(attemptId), kept()]).toEqual([[], before]);
  });

  it('a kind in the upload of an exam file, which has none', async () => {
    const { id } = await createExam();
    const response = await fetch(`${api.baseUrl}/exams/${id}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': multipartType },
      body: new Uint8Array(multipart(kind('recording'), file())),
    });
    expect(await response.json()).toMatchObject({ error: 'validation_error', issues: [{ path: 'kind' }] });
  });
});

describe('takes', () => {
  const over = (attemptId: string, ms: number, status: string) =>
    sql('UPDATE attempts SET status = $2, ended_at = $3 WHERE id = $1', [attemptId, status, new Date(Date.now() - ms)]);
  const of = async (who: SignedInStudent, attemptId: string, which: string) => errorSummary(await upload(who, attemptId, kind(which), file())).slice(0, 2);

  it.each(['submitted', 'abandoned'])('recordings until 24 hours after the end of an attempt, attachments until its end (%s)', async (status) => {
    const { who, attemptId } = await studentWithAttempt();
    await over(attemptId, 1, status);
    expect([await of(who, attemptId, 'recording'), await of(who, attemptId, 'attachment')]).toEqual([[200, undefined], conflict]);
    await over(attemptId, 24.01 * hour, status);
    expect([await of(who, attemptId, 'recording'), await of(who, attemptId, 'attachment')]).toEqual([conflict, conflict]);
  });

  it('nothing more of an attempt whose time has run out, though nobody has noted it, but recordings', async () => {
    const { who, attemptId } = await studentWithAttempt({ time_limit_minutes: 5 });
    await sql("UPDATE attempts SET expires_at = now() - interval '1 second' WHERE id = $1", [attemptId]);
    expect([await of(who, attemptId, 'recording'), await of(who, attemptId, 'attachment')]).toEqual([[200, undefined], conflict]);
  });

  it('no attachment any more once the exam is closed, though nobody has noted it of the attempt; recordings on', async () => {
    const { who, examId, attemptId } = await studentWithAttempt();
    await sql("UPDATE exams SET status = 'closed', closed_at = now() WHERE id = $1", [examId]);
    expect([await of(who, attemptId, 'attachment'), await of(who, attemptId, 'recording')]).toEqual([conflict, [200, undefined]]);
    expect((await rowsOf(attemptId)).map((row) => row.kind)).toEqual(['recording']);
  });

  it('1,000 files of both kinds together', async () => {
    const { who, attemptId } = await studentWithAttempt();
    await sql(
      `INSERT INTO files (id, institution_id, attempt_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
       SELECT 'file_' || n || $1, $2, $1, CASE WHEN n % 2 = 0 THEN 'recording' ELSE 'attachment' END, CASE WHEN n = 1 THEN 'storing' ELSE 'stored' END,
              'a', 'text/plain', 1, repeat('a', 64), now(), now() FROM generate_series(1, $3::int) n`,
      [attemptId, institution.id, maxAttemptFiles - 1],
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => of(who, attemptId, 'recording')));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)).toEqual(Array(4).fill(conflict));
    await sql("UPDATE files SET status = 'removed' WHERE id = $1", [`file_2${attemptId}`]);
    expect(await of(who, attemptId, 'attachment')).toEqual([200, undefined]);
  });

  it("nothing into another student's attempt", async () => {
    const { attemptId } = await studentWithAttempt();
    expect(await of(await signedInStudent(), attemptId, 'attachment')).toEqual([404, 'not_found']);
    expect(await rowsOf(attemptId)).toEqual([]);
  });
});

it("is no file that a code_spec could name, whose institution's it may be", async () => {
  const { attemptId } = await studentWithAttempt();
  for (const which of ['attachment', 'recording'] as const) {
    const id = await seedAttemptFile(api, institution, attemptId, { kind: which });
    const body = { faculty_id: institution.adminId, title: 'Theft', code_spec: { ...fullSpec, starter: { kind: 'zip', file: { id } } } };
    expect(errorSummary(await call('POST', '/exams', body))).toEqual([422, 'validation_error', ['code_spec.starter.file.id']]);
  }
});
