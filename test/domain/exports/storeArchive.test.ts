import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { writeExport } from '../../../domain/exports/writeExport';
import { apiFixture } from '../../support/apiFixture';
import { storedFiles } from '../../support/uploads';

const { api, institution, sql, call, createStudents } = apiFixture();

const deps = () => ({ ...api.api.domain, spoolFolder: api.settings.uploadSpoolFolder, hasSpace: () => Promise.resolve(true) });

async function startExport(id?: string): Promise<{ student: string; id: string }> {
  const [student = ''] = id === undefined ? await createStudents(1) : [id];
  return { student, id: (await call('POST', `/students/${student}/export`)).data.id };
}

const read = async (student: string) => (await call('GET', `/students/${student}/export`)).data;
const fetched = async (url: string) => fetch(url.replace(api.settings.publicBaseUrl, api.baseUrl));

it('what a killed run has left in the spool folder is deleted before the next one asks for room', async () => {
  const { id } = await startExport();
  const left = [join(api.settings.uploadSpoolFolder, `${id}.file_1.upload`), join(api.settings.uploadSpoolFolder, `${id}0.file_1.upload`)];
  for (const path of left) writeFileSync(path, 'a part of an archive');
  let spooled: string[] = [];
  const hasSpace = () => {
    ({ spooled } = storedFiles(api.settings));
    return Promise.resolve(false);
  };
  await expect(writeExport({ ...deps(), hasSpace }, institution.id, id, new Date())).rejects.toMatchObject({ code: 'rate_limiter_unavailable' });
  expect(spooled).toEqual([`${id}0.file_1.upload`]);
});

it('an archive whose row was deleted while its bytes were being stored is written again, and nothing refers to the first', async () => {
  const { student, id } = await startExport();
  const { files } = api.api.domain;
  const stored: string[] = [];
  const put: typeof files.put = async (file, spooled) => {
    await sql('DELETE FROM files WHERE id = $1', [file]);
    await files.put(file, spooled);
    stored.push(file);
  };
  await expect(writeExport({ ...deps(), files: { ...files, put } }, institution.id, id, new Date())).rejects.toMatchObject({ name: 'ArchiveLost' });
  expect([(await read(student)).status, stored.length]).toEqual(['preparing', 1]);
  expect(storedFiles(api.settings).stored).not.toContain(stored[0]);
  await writeExport(deps(), institution.id, id, new Date());
  const { status, archive } = await read(student);
  expect([status, (await fetched(archive.url)).status]).toEqual(['ready', 200]);
});

it('an archive that nobody wants any more is deleted from the store', async () => {
  const { student, id } = await startExport();
  const { files } = api.api.domain;
  let stored = '';
  const put: typeof files.put = async (file, spooled) => {
    await sql('DELETE FROM person_exports WHERE person_id = $1', [student]);
    await files.put(file, spooled);
    stored = file;
  };
  await writeExport({ ...deps(), files: { ...files, put } }, institution.id, id, new Date());
  expect(storedFiles(api.settings).stored).not.toContain(stored);
  expect(await sql('SELECT status FROM files WHERE id = $1', [stored])).toEqual([{ status: 'removed' }]);
});

it('an export that is ready ends the earlier ones of its student, so that archives do not add up', async () => {
  const { student, id } = await startExport();
  await writeExport(deps(), institution.id, id, new Date());
  const first = await read(student);
  const second = await startExport(student);
  expect(second.id).not.toBe(id);
  expect((await fetched(first.archive.url)).status).toBe(200);
  await writeExport(deps(), institution.id, second.id, new Date());
  expect((await fetched(first.archive.url)).status).toBe(404);
  expect(await sql('SELECT status FROM person_exports WHERE person_id = $1 ORDER BY number', [student])).toEqual([{ status: 'expired' }, { status: 'ready' }]);
  expect((await fetched((await read(student)).archive.url)).status).toBe(200);
});

it('an export has every sign-in, any number of them, and is read some at a time', async () => {
  const { student, id } = await startExport();
  await sql("INSERT INTO sign_ins (id, institution_id, user_id, at, result, tries) SELECT 'sgn_' || n || $2, $1, $2, now(), 'wrong_code', 1 FROM generate_series(1, 450) n", [institution.id, student]);
  await writeExport(deps(), institution.id, id, new Date());
  const bytes = Buffer.from(await (await fetched((await read(student)).archive.url)).arrayBuffer());
  const document = JSON.parse(Buffer.from(unzipSync(bytes)['student.json'] ?? []).toString());
  expect([document.student.id, document.sign_ins.length, document.disclosures]).toEqual([student, 450, expect.any(Array)]);
});
