import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeExport } from '../../../domain/exports/writeExport';
import { checkSpaceForFiles } from '../../../outbound/files/freeSpace';
import { apiFixture } from '../../support/apiFixture';
import { storedFiles } from '../../support/uploads';

const { api, institution, call, createStudents } = apiFixture({ settings: () => ({ minimumFreeBytes: 2 ** 60 }) });

it('an archive waits while the disk has less free space than it must, and leaves nothing behind', async () => {
  const [id = ''] = await createStudents(1);
  const { data } = await call('POST', `/students/${id}/export`);
  const prepare = (hasSpace: () => Promise<boolean>) =>
    writeExport({ ...api.api.domain, spoolFolder: api.settings.uploadSpoolFolder, hasSpace }, institution.id, data.id, new Date());
  await expect(prepare(checkSpaceForFiles(api.settings))).rejects.toMatchObject({ code: 'rate_limiter_unavailable' });
  expect(storedFiles(api.settings)).toEqual({ stored: [], spooled: [] });
  expect((await call('GET', `/students/${id}/export`)).data.status).toBe('preparing');
  await prepare(checkSpaceForFiles({ ...api.settings, minimumFreeBytes: 0 }));
  expect((await call('GET', `/students/${id}/export`)).data.status).toBe('ready');
});

it('a limited folder that is missing is empty; one that cannot be read is an error, never free space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'institution-api-space-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const check = (uploadSpoolFolder: string): Promise<boolean> => checkSpaceForFiles({ ...api.settings, minimumFreeBytes: 0, spoolMaxBytes: 10, uploadSpoolFolder })();
  try {
    await expect(check(join(folder, 'missing'))).resolves.toBe(true);
    await expect(check(file)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(check(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
