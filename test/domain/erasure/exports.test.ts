import { writeExport } from '../../../domain/exports/writeExport';
import type { FileStore } from '../../../domain/files/fileStore';
import { newId } from '../../../domain/ids';
import { pruneExpired } from '../../../domain/retention/pruneExpired';
import { erasureFixture } from '../../support/erasureFixture';
import { eventually } from '../../support/eventually';
import { seedExam } from '../../support/seed/exams';
import { seedTraces } from '../../support/seed/traces';

const fixture = erasureFixture();
const { api, institution, sql, call } = fixture;

const newStudent = async (): Promise<string> => (await call('POST', '/students', { full_name: 'Ada Lovelace' })).data.id;
const archivesOf = (id: string) => sql<{ id: string; status: string; filename: string }>("SELECT id, status, filename FROM files WHERE kind = 'export' AND filename = $1", [`${id}.zip`]);

/** An export that no workflow prepares. */
async function exportOf(studentId: string): Promise<string> {
  const id = newId('exp');
  await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ($1, $2, $3, 1, true, 'preparing', now())", [id, institution.id, studentId]);
  return id;
}

it('the exports of an erased student go with their archives', async () => {
  const id = await newStudent();
  await call('POST', `/students/${id}/export`);
  await eventually('the archive', async () => (await call('GET', `/students/${id}/export`)).data.status === 'ready');
  const [archive] = await archivesOf(id);
  const erasure = await fixture.erase(`/students/${id}`);
  expect(erasure.removed).toContainEqual({ store: 'exports', count: 2, at: expect.any(String) });
  expect([await archivesOf(id), await sql('SELECT 1 FROM person_exports WHERE person_id = $1', [id])]).toEqual([[], []]);
  await expect(api.api.domain.files.open(archive?.id ?? '')).rejects.toThrow('ENOENT');
  expect((await call('GET', `/students/${id}/export`)).status).toBe(404);
});

it('an export of a student who was erased is refused', async () => {
  const id = await newStudent();
  await fixture.erase(`/students/${id}`);
  const { status, body } = await call('POST', `/students/${id}/export`);
  expect([status, body.error]).toEqual([409, 'conflict']);
});

/** Writes an export of a student, who is erased meanwhile: before the bytes of the archive are stored, or before those of a recording are read. */
async function writeWhileErased(id: string, exportId: string, when: 'put' | 'open'): Promise<void> {
  const { files } = api.api.domain;
  const erase = async (now: typeof when) => (now === when ? fixture.erase(`/students/${id}`) : undefined);
  const erasing: FileStore = {
    ...files,
    put: async (...stored) => {
      await erase('put');
      await files.put(...stored);
    },
    open: async (file) => {
      const bytes = await files.open(file);
      await erase('open');
      return bytes;
    },
  };
  await writeExport({ ...api.api.domain, spoolFolder: api.settings.uploadSpoolFolder, hasSpace: () => Promise.resolve(true), files: erasing }, institution.id, exportId, new Date());
}

it('an archive whose row is gone as its bytes arrive leaves none in the store', async () => {
  const id = await newStudent();
  const exportId = await exportOf(id);
  const { files } = api.api.domain;
  const stored: string[] = [];
  const late: FileStore = {
    ...files,
    put: async (fileId, content) => {
      await fixture.erase(`/students/${id}`);
      await sql('DELETE FROM files WHERE id = $1', [fileId]);
      await files.put(fileId, content);
      stored.push(fileId);
    },
  };
  await writeExport({ ...api.api.domain, spoolFolder: api.settings.uploadSpoolFolder, hasSpace: () => Promise.resolve(true), files: late }, institution.id, exportId, new Date());
  expect(stored).toHaveLength(1);
  await expect(files.open(stored[0] ?? '')).rejects.toThrow('ENOENT');
});

it.each(['open', 'put'] as const)('an export that is being written when its student is erased stores no archive: %s', async (when) => {
  const { submissionId } = await seedTraces(api, institution, { examId: await seedExam(api, institution), gradedAt: new Date(), endedAt: new Date() });
  const [row] = await sql<{ student_id: string }>('SELECT student_id FROM submissions WHERE id = $1', [submissionId]);
  const id = row?.student_id ?? '';
  await writeWhileErased(id, await exportOf(id), when);
  expect(await archivesOf(id)).toEqual([]);
  const unfinished = await sql<{ id: string }>("SELECT id FROM files WHERE institution_id = $1 AND kind = 'export' AND status = 'removed' AND filename = 'erased'", [institution.id]);
  expect(unfinished).toHaveLength(when === 'put' ? 1 : 0);
  await pruneExpired(api.api.domain, 'files', new Date());
  for (const file of unfinished) await expect(api.api.domain.files.open(file.id)).rejects.toThrow('ENOENT');
});
