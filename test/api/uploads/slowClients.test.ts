import { createServer, type IncomingMessage } from 'node:http';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import { readJsonBody } from '../../../api/http/request/jsonBody';
import { defaultDeadlines } from '../../../api/http/request/deadlines';
import { errorResponse } from '../../../api/http/errors';
import type { RequestState } from '../../../api/http/state';
import { openUpload } from '../../../api/http/request/upload';
import { listen, type Listener } from '../../../api/listener';
import { openRawConnection, requestHead, type RawResponse } from '../../support/rawHttp';
import { closingBoundary, multipartType, partHeader, zipOf } from '../../support/uploads';

const spoolFolder = mkdtempSync(join(tmpdir(), 'institution-spool-'));
const deadlines = { ...defaultDeadlines, body: 600 };
const idleMs = 900;
/** What a client must send in that time. */
const pieceBytes = 64 * 1024;

/** The frame's two ways to read a body, on a listener that is as impatient as a test has to be. */
const app = new Koa<RequestState>();
app.use(async (ctx) => {
  const upload = openUpload(ctx.req, { spoolFolder, maxBytes: 1_000_000, idleMs });
  try {
    ctx.body = ctx.path === '/upload' ? await upload.receive() : await readJsonBody(ctx.req, 1_000);
  } catch (error) {
    const { status, body } = errorResponse(error, 'req_test');
    ctx.status = status;
    ctx.body = body;
  } finally {
    await upload.discard();
  }
});

let listener: Listener;

beforeAll(async () => {
  listener = await listen(app, '127.0.0.1', 0, { deadlines });
});

afterAll(async () => {
  await listener.close(0);
  rmSync(spoolFolder, { recursive: true });
});

/** Sends the pieces of a body so many ms apart, and then nothing more. */
async function trickle(path: string, headers: Record<string, string | number>, pieces: (string | Buffer)[], everyMs: number): Promise<{ answer: RawResponse | undefined; ms: number }> {
  const { socket, response } = await openRawConnection(listener.port);
  socket.on('error', () => undefined);
  const began = performance.now();
  socket.write(requestHead('POST', path, headers));
  for (const piece of pieces) {
    if (!socket.writable) break;
    socket.write(piece);
    await pause(everyMs);
  }
  return { answer: await response, ms: performance.now() - began };
}

const uploadHeaders = { 'content-type': multipartType, 'content-length': 500_000 };

it('a slow upload may take longer than any other body, as long as it comes', async () => {
  const pieces = [partHeader(zipOf('')), ...Array.from({ length: 5 }, () => 'x'.repeat(pieceBytes)), '\r\n', closingBoundary];
  const length = pieces.join('').length;
  const { answer, ms } = await trickle('/upload', { ...uploadHeaders, 'content-length': length }, pieces, 250);
  expect([answer?.status, answer?.body]).toMatchObject([200, { size: 5 * pieceBytes }]);
  expect(ms).toBeGreaterThan(2 * deadlines.body);
});

it('an upload that stops coming is given up, and its temporary file goes', async () => {
  const { answer, ms } = await trickle('/upload', uploadHeaders, [partHeader(zipOf('')), Buffer.alloc(50_000)], 10);
  expect([answer?.status, answer?.body.issues]).toEqual([422, [{ path: 'body', message: 'was not sent in time' }]]);
  expect(ms).toBeGreaterThan(idleMs - 50);
  expect(ms).toBeLessThan(idleMs + 2_000);
  expect(readdirSync(spoolFolder)).toEqual([]);
});

it('an upload that comes by a byte now and then is given up as well', async () => {
  const { answer } = await trickle('/upload', uploadHeaders, [partHeader(zipOf('')), ...Array.from({ length: 12 }, () => 'x')], 100);
  expect([answer?.status, answer?.body.issues]).toEqual([422, [{ path: 'body', message: 'was not sent in time' }]]);
  expect(readdirSync(spoolFolder)).toEqual([]);
});

it('a JSON body that is not there in time is refused, however steadily it comes', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': 500 };
  const { answer, ms } = await trickle('/json', headers, Array.from({ length: 15 }, () => ' '), 100);
  expect([answer?.status, answer?.body.issues]).toEqual([422, [{ path: 'request', message: 'was not sent in time' }]]);
  expect(ms).toBeGreaterThan(deadlines.body - 50);
});

it('a JSON body that comes in time is read, and its connection stays as long as it may', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': 7 };
  expect((await trickle('/json', headers, ['{"a"', ':1}'], 300)).answer?.body).toEqual({ a: 1 });
});

it('an upload whose client is gone before it is read ends at once', async () => {
  const gone = new Promise<IncomingMessage>((resolve) => {
    const server = createServer((request) => {
      request.once('close', () => {
        server.close();
        resolve(request);
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      void openRawConnection(address.port).then(({ socket }) => {
        socket.write(requestHead('POST', '/upload', uploadHeaders) + partHeader(zipOf('')), () => socket.resetAndDestroy());
      });
    });
  });
  const upload = openUpload(await gone, { spoolFolder, maxBytes: 1_000_000, idleMs });
  await expect(upload.receive()).rejects.toThrow('was cut off');
  await upload.discard();
  expect(existsSync(spoolFolder) && readdirSync(spoolFolder)).toEqual([]);
});
