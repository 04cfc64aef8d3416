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
