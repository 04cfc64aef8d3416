import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRawConnection, requestHead } from '../../support/rawHttp';
import { apiFixture } from '../../support/apiFixture';
import { eventually } from '../../support/eventually';
import { openSmallDisk } from '../../support/smallDisk';
import { closingBoundary, multipartType, partHeader, storedFiles, upload, zipOf } from '../../support/uploads';

const mebibyte = 1024 ** 2;

const noRoom = { status: 503, body: { success: false, error: 'rate_limiter_unavailable', message: 'There is no room for uploads at the moment; try again later.' } };

describe('while the disk has less free space than it must', () => {
  const { api, institution, createExam, call } = apiFixture({ settings: () => ({ minimumFreeBytes: 2 ** 60 }) });

  it('uploads answer 503 with Retry-After and leave nothing behind; every other call goes on', async () => {
    const { id } = await createExam();
    const answer = await upload(api, institution.apiKey, id, zipOf(Buffer.alloc(mebibyte)));
    expect(answer).toMatchObject(noRoom);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(storedFiles(api.settings)).toEqual({ stored: [], spooled: [] });
    expect((await call('POST', '/students', { full_name: 'Ada Lovelace' })).status).toBe(200);
    expect((await call('GET', `/exams/${id}`)).status).toBe(200);
  });
});

const disk = openSmallDisk({ usableBytes: 8 * mebibyte, floorBytes: 8 * mebibyte });

const limited = mkdtempSync(join(tmpdir(), 'limited-spool-'));

afterAll(() => {
  disk.remove();
  rmSync(limited, { recursive: true });
});

describe.each([
  { where: 'on a small disk', folder: disk.folder, space: { minimumFreeBytes: disk.minimumFreeBytes, spoolMaxBytes: null } },
  // As in a pod of Kubernetes, whose disk is the node's.
  { where: 'in a folder with a limit on a large disk', folder: limited, space: { minimumFreeBytes: 0, spoolMaxBytes: 8 * mebibyte } },
])('$where that fills', ({ folder, space }) => {
  const { api, institution, createExam, call } = apiFixture({ settings: () => ({ uploadSpoolFolder: folder, ...space }) });
  const filler = join(folder, 'filler');

  it('an upload that is being written is refused with 503 and leaves nothing behind, others go on when there is space again', async () => {
    const { id } = await createExam();
    const answerTo = () => upload(api, institution.apiKey, id, zipOf(Buffer.alloc(mebibyte, 1)));
    expect((await answerTo()).status).toBe(200);
    const { socket, response } = await openRawConnection(api.api.port);
    const piece = Buffer.alloc(16_384, 1);
    const pieces = 100;
    const length = partHeader(zipOf('')).length + pieces * piece.length + 2 + closingBoundary.length;
    const headers = { authorization: `Bearer ${institution.apiKey}`, 'content-type': multipartType, 'content-length': length, connection: 'close' };
    socket.write(requestHead('POST', `/v1/exams/${id}/files`, headers) + partHeader(zipOf('')));
    socket.write(piece);
    await eventually('the upload is being written', () => storedFiles(api.settings).spooled.length === 1);
    writeFileSync(filler, Buffer.alloc(9 * mebibyte, 1));
    await eventually('the disk is measured again', async () => (await answerTo()).status === 503);
    socket.write(Buffer.concat([...Array.from({ length: pieces - 1 }, () => piece), Buffer.from(`\r\n${closingBoundary}`)]));
    expect(await response).toMatchObject(noRoom);
    expect(storedFiles(api.settings).spooled).toEqual(['filler']);
    expect((await call('POST', '/students', { full_name: 'Ada Lovelace' })).status).toBe(200);
    rmSync(filler);
    await eventually('uploads are taken again', async () => (await answerTo()).status === 200);
  });
});
