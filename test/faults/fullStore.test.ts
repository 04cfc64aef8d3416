import { join } from 'node:path';
import { apiFixture } from '../support/apiFixture';
import { openSmallDisk } from '../support/smallDisk';
import { storedFiles, upload, zipOf } from '../support/uploads';

const disk = openSmallDisk({ usableBytes: 1_000_000, floorBytes: 0 });

const { api, institution, sql, createExam } = apiFixture({ settings: () => ({ fileStore: { kind: 'folder', folder: join(disk.folder, 'files') }, minimumFreeBytes: 0 }) });

afterAll(() => disk.remove());

it('an upload that fills the disk of the store in spite of the floor is refused with 503, leaves nothing there, and a smaller one is stored', async () => {
  if (!disk.isMounted) throw new Error('This test fills a disk of its own: run it where disks can be mounted, as root');
  const { id } = await createExam();
  const answerTo = (bytes: number) => upload(api, institution.apiKey, id, zipOf(Buffer.alloc(bytes, 1)));
  expect((await answerTo(600_000)).status).toBe(200);
  const before = storedFiles(api.settings);
  expect(await answerTo(600_000)).toMatchObject({ status: 503, body: { error: 'rate_limiter_unavailable' } });
  expect(storedFiles(api.settings)).toEqual(before);
  expect(await sql("SELECT size::int FROM files WHERE institution_id = $1 AND status <> 'removed'", [institution.id])).toEqual([{ size: 600_000 }]);
  expect((await answerTo(100_000)).status).toBe(200);
});
