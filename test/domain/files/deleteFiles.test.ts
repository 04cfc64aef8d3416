import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { pruneExpired } from '../../../domain/retention/pruneExpired';
import { seedFile, seedFileRows, type FileFields, seedAttemptFile } from '../../support/seed/files';
import { seedExam } from '../../support/seed/exams';
import { daysBefore } from '../../support/time';
import { seedStudents } from '../../support/seed/students';
import { seedExamAttempt } from '../../support/seed/submissions';
import { apiFixture } from '../../support/apiFixture';

const now = new Date('2026-11-20T09:30:00.000Z');

const { api, institution, sql } = apiFixture();

const prune = () => pruneExpired(api.api.domain, 'files', now);

async function file(status: FileFields['status'], updatedAt: Date): Promise<string> {
  const { id } = await seedFile(api, institution, { status });
  await sql('UPDATE files SET updated_at = $2 WHERE id = $1', [id, updatedAt]);
  return id;
}

const rowsLeft = async () => (await sql<{ id: string }>('SELECT id FROM files WHERE institution_id = $1', [institution.id])).map(({ id }) => id).sort();

function placeOf(id: string): string {
  const { fileStore } = api.settings;
  if (fileStore.kind !== 'folder') throw new Error('Tests keep their files in a folder');
  return join(fileStore.folder, id.slice(-2), id);
}

const isThere = (id: string) => api.api.domain.files.open(id).then((stream) => Boolean(stream.destroy()), () => false);

it('deletes removed files at once and unfinished ones after a day, bytes and rows, and no other', async () => {
  const day = daysBefore(now, 1);
  const gone = [await file('removed', now), await file('storing', new Date(day.getTime() - 1))];
  const stay = [await file('storing', day), await file('stored', daysBefore(now, 400))];
  expect(await prune()).toEqual({ removed: 2, more: false });
  expect(await rowsLeft()).toEqual([...stay].sort());
  expect(await Promise.all([...gone, ...stay].map(isThere))).toEqual([false, false, true, true]);
});

it('deletes files of deleted exams once no exam uses them, and leaves those of students alone', async () => {
  const [gone, user] = [await seedExam(api, institution), await seedExam(api, institution)];
  const [used, unused] = [await seedFile(api, institution, { exam_id: gone }), await seedFile(api, institution, { exam_id: gone })];
  const [student = ''] = await seedStudents(api, institution, 1);
  const attempts = await seedExamAttempt(api, institution, { examId: user, studentId: student });
  const [essay, recording] = [await seedAttemptFile(api, institution, attempts), await seedAttemptFile(api, institution, attempts, { kind: 'recording' })];
  await sql("INSERT INTO exam_files (exam_id, part, file_id, institution_id) VALUES ($1, 'starter', $2, $3)", [user, used.id, institution.id]);
  expect((await api.call('DELETE', `/exams/${gone}`, { key: institution.apiKey })).status).toBe(200);
  expect(await prune()).toEqual({ removed: 1, more: false });
  expect(await Promise.all([used.id, unused.id, essay, recording].map(isThere))).toEqual([true, false, true, true]);
  await sql('DELETE FROM exam_files WHERE exam_id = $1', [user]);
  expect(await prune()).toEqual({ removed: 1, more: false });
  expect(await rowsLeft()).toEqual([essay, recording].sort());
});

it('an unfinished file without bytes loses its row, too', async () => {
  const id = await file('storing', daysBefore(now, 2));
  await api.api.domain.files.delete(id);
  expect(await prune()).toEqual({ removed: 1, more: false });
  expect(await rowsLeft()).toEqual([]);
});

it('never deletes a file that an exam uses, regardless of its row', async () => {
  const [examId, id] = [await seedExam(api, institution), await file('removed', now)];
  await sql("INSERT INTO exam_files (exam_id, part, file_id, institution_id) VALUES ($1, 'starter', $2, $3)", [examId, id, institution.id]);
  expect(await prune()).toEqual({ removed: 0, more: false });
  expect(await isThere(id)).toBe(true);
});

it('what the store does not delete keeps its row, the rest goes, and the next time goes on', async () => {
  const [stuck, free] = [await file('removed', now), await file('removed', now)];
  // A folder in its place: the store cannot delete it as a file.
  await api.api.domain.files.delete(stuck);
  mkdirSync(placeOf(stuck));
  await expect(prune()).rejects.toThrow('EISDIR');
  expect(await rowsLeft()).toEqual([stuck]);
  expect(await isThere(free)).toBe(false);
  rmdirSync(placeOf(stuck));
  expect(await prune()).toEqual({ removed: 1, more: false });
});

it('takes a hundred files at a time and says whether there is more', async () => {
  await seedFileRows(api, institution, 103, { status: 'removed', exam_id: null });
  expect(await prune()).toEqual({ removed: 100, more: true });
  expect(await prune()).toEqual({ removed: 3, more: false });
});
