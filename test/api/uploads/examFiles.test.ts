import { newId } from '../../../domain/ids';
import { startTestApi } from '../../support/api';
import { seedFileRows, type FileFields } from '../../support/seed/files';
import { seedExam } from '../../support/seed/exams';
import { openRawConnection, requestHead } from '../../support/rawHttp';
import { apiFixture } from '../../support/apiFixture';
import { storedFiles, multipartType, sha256, upload, zipOf } from '../../support/uploads';

const megabyte = 1024 * 1024;

const fixture = apiFixture();
const { api, sql } = fixture;

const filesOf = async (examId: string) => (await sql('SELECT 1 FROM files WHERE exam_id = $1', [examId])).length;

/** Only the head of a large upload: a response proves that nothing waited for the body. */
async function announce(examId: string): Promise<unknown> {
  const { socket, response } = await openRawConnection(api.api.port);
  const headers = { authorization: `Bearer ${fixture.institution.apiKey}`, 'content-type': multipartType, 'content-length': 50 * megabyte };
  socket.write(requestHead('POST', `/v1/exams/${examId}/files`, headers));
  const { status, body } = (await response) ?? {};
  return [status, body?.error, body?.message];
}

// Contract: errors.422.file-too-large
it('50 MiB pass, to the byte; one byte more is file_too_large, and nothing of it is kept', async () => {
  const examId = await seedExam(api, fixture.institution);
  const bytes = Buffer.alloc(50 * megabyte, 'not only zeros ');
  const { status, data } = await upload(api, fixture.institution.apiKey, examId, zipOf(bytes));
  expect([status, data.size, data.sha256]).toEqual([200, 52_428_800, sha256(bytes)]);
  const kept = storedFiles(api.settings);
  expect(kept).toEqual({ stored: [data.ref], spooled: [] });
  const over = await upload(api, fixture.institution.apiKey, examId, zipOf(Buffer.concat([bytes, Buffer.alloc(1)])));
  expect([over.status, over.body.error]).toEqual([422, 'file_too_large']);
  expect(storedFiles(api.settings)).toEqual(kept);
  expect(await filesOf(examId)).toBe(1);
});

it.each(['draft', 'published'] as const)('a %s exam takes files', async (status) => {
  const examId = await seedExam(api, fixture.institution, { status });
  expect((await upload(api, fixture.institution.apiKey, examId, zipOf('x'))).status).toBe(200);
  expect(await filesOf(examId)).toBe(1);
});

it('an unknown exam, one of another institution, and a closed one are refused before the body is read', async () => {
  const otherInstitution = await api.institution();
  const none = [404, 'not_found', 'No such exam in this institution. Its id begins with exm_.'];
  expect(await announce(newId('exm'))).toEqual(none);
  expect(await announce(await seedExam(api, otherInstitution))).toEqual(none);
  const closed = await seedExam(api, fixture.institution, { status: 'closed' });
  expect(await announce(closed)).toEqual([409, 'conflict', 'The exam is closed: it accepts no more files.']);
  expect((await upload(api, fixture.institution.apiKey, closed, zipOf('x'))).status).toBe(409);
  expect(await filesOf(closed)).toBe(0);
});

it('an exam takes 100 files, those that are being stored counted, removed ones not; at once, too', async () => {
  const examId = await seedExam(api, fixture.institution);
  const seed = (status: FileFields['status'], count: number) => seedFileRows(api, fixture.institution, count, { exam_id: examId, status });
  await seed('stored', 90);
  await seed('storing', 7);
  await seed('removed', 20);
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(api, fixture.institution.apiKey, examId, zipOf('x'))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
  expect(await announce(examId)).toEqual([409, 'conflict', 'An exam can have at most 100 files.']);
  expect(storedFiles(api.settings).spooled).toEqual([]);
});

it('an exam that is deleted while its file comes in answers not_found, and keeps nothing', async () => {
  const examId = await seedExam(api, fixture.institution, { status: 'draft' });
  const before = storedFiles(api.settings).stored;
  const { socket, response } = await openRawConnection(api.api.port);
  const whole = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--b--\r\n`;
  const headers = { authorization: `Bearer ${fixture.institution.apiKey}`, 'content-type': 'multipart/form-data; boundary=b', 'content-length': whole.length };
  socket.write(requestHead('POST', `/v1/exams/${examId}/files`, headers) + whole.slice(0, -10));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await api.call('DELETE', `/exams/${examId}`, { key: fixture.institution.apiKey })).status).toBe(200);
  socket.write(whole.slice(-10));
  const { status, body } = (await response) ?? {};
  expect([status, body?.error]).toEqual([404, 'not_found']);
  expect(storedFiles(api.settings)).toEqual({ stored: before, spooled: [] });
  expect(await sql('SELECT 1 FROM files WHERE institution_id = $1', [fixture.institution.id])).toEqual([]);
});

it('what a store refuses is answered 500, no longer counts, and leaves no temporary file', async () => {
  const full = await startTestApi({ fileStore: { kind: 'folder', folder: '/dev/null/nowhere' } });
  const institution = await full.institution();
  const examId = await seedExam(full, institution);
  expect((await upload(full, institution.apiKey, examId, zipOf('x'))).status).toBe(500);
  expect(await full.api.domain.database.sql('SELECT status FROM files WHERE exam_id = $1', [examId])).toEqual([{ status: 'removed' }]);
  expect(storedFiles({ ...full.settings, fileStore: { kind: 'folder', folder: full.settings.uploadSpoolFolder } }).spooled).toEqual([]);
  await full.api.stop();
});
