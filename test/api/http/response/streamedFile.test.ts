import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import pino from 'pino';
import { Agent, request } from 'undici';
import Joi from 'joi';
import { respondWithErrors } from '../../../../api/http/response/respondWithErrors';
import { dispatch } from '../../../../api/http/dispatch';
import type { AuthenticatedKey } from '../../../../api/http/access';
import { operation } from '../../../../api/http/operation';
import { assignRequestId } from '../../../../api/http/requestId';
import { operationRoutes } from '../../../../api/http/router';
import type { RequestState } from '../../../../api/http/state';
import { listen, type Listener } from '../../../../api/listener';
import { notFound } from '../../../../domain/errors';
import { startTestApi, systemCaller, type TestApi } from '../../../support/api';
import { eventually } from '../../../support/eventually';
import { openRawConnection, requestHead } from '../../../support/rawHttp';

const stallMs = 400;
const piece = 'a line of text\r\n'.repeat(4_096);

/** What has become of the file that the last request asked for. */
let file = { pieces: 0, ended: false };
/** Files that are being written, of any test. */
let openIterators = 0;
let makePieces: () => AsyncGenerator<string, void>;
let api: TestApi;
let listener: Listener;
let url: string;
const lines: string[] = [];
/** Requests that were processed after their clients had disconnected, and have ended. */
let late = 0;

async function* trackedPieces(): AsyncGenerator<string, void> {
  const own = file;
  openIterators += 1;
  try {
    for await (const made of makePieces()) {
      own.pieces += 1;
      yield made;
    }
  } finally {
    own.ended = true;
    openIterators -= 1;
  }
}

const common = { method: 'GET', tag: 'Tests', access: { key: null }, summary: 'A test.', errors: [], request: { params: Joi.object<Record<string, never>>({}) }, transaction: 'none' } as const;
const records = [
  operation({ ...common, path: '/file', operationId: 'file', response: { contentType: 'text/csv', description: 'A file.', example: '' }, handle: async () => ({ filename: 'a.csv', pieces: trackedPieces() }) }),
  operation({ ...common, path: '/slow', operationId: 'slow', response: Joi.object({}), handle: async () => pause(2 * stallMs, {}) }),
].flatMap((one) => one.public ?? []);

beforeAll(async () => {
  api = await startTestApi();
  const { id } = await api.institution();
  const key: AuthenticatedKey = { id: 'key_1', name: 'test', scopes: [], scopeCeiling: null, rateLimitPerMin: 10, clockOffsetMs: 0, environment: 'live', isSandboxResetting: false, readOnlyUntil: null, institution: { id, name: 'North' } };
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => { lines.push(chunk.toString()); done(); } });
  const logger = pino({ level: 'info' }, sink);
  const app = new Koa<RequestState>();
  app.use(assignRequestId());
  app.use(respondWithErrors(logger));
  // As where the look at the key takes longer than the client is there.
  app.use(async (ctx, next) => {
    if (ctx.get('x-dispatched') !== 'once its client has gone') return next();
    await once(ctx.res, 'close');
    return next().finally(() => (late += 1));
  });
  const frame = { disclosures: { add: () => undefined }, uploads: { spoolFolder: api.settings.uploadSpoolFolder, maxBytes: 1 }, logger, stallMs };
  const gate = { findClock: () => ({ clockOffsetMs: 0 }), authorize: () => key, reauthenticate: () => Promise.resolve(), resolveCaller: () => systemCaller(id) };
  app.use(operationRoutes('/v1', records, dispatch(api.api.domain, gate, frame)).routes());
  app.on('error', () => undefined);
  listener = await listen(app, '127.0.0.1', 0);
  url = `http://127.0.0.1:${listener.port}/v1`;
});

afterAll(async () => {
  await listener.close(100);
  await api.stop();
});

beforeEach(() => {
  lines.length = 0;
  file = { pieces: 0, ended: false };
});

afterEach(() => eventually('every file has ended', () => openIterators === 0));

async function* endless(): AsyncGenerator<string, void> {
  for (;;) yield await Promise.resolve(piece);
}

async function* failing(): AsyncGenerator<string, void> {
  yield await Promise.resolve(piece);
  await pause(50);
  throw new Error('the disk is full');
}

/** Waits until no more pieces are made, and returns how many there are. */
async function settledPieceCount(): Promise<number> {
  return eventually('no more pieces are made', async () => {
    const before = file.pieces;
    await pause(100);
    return file.pieces === before && before;
  });
}

describe('a streamed file', () => {
  it('is made no faster than it is read, and goes on when the client does', async () => {
    makePieces = endless;
    const response = await fetch(`${url}/file`);
    const reader = response.body?.getReader();
    await reader?.read();
    const made = await settledPieceCount();
    for (let read = 0; read < (made + 20) * piece.length;) {
      const { value } = (await reader?.read()) ?? {};
      read += value === undefined ? Number.NaN : Number(value.length);
    }
    expect(file.pieces).toBeGreaterThan(made);
    await reader?.cancel();
    await eventually('the file ends', () => file.ended);
  });

  it('ends when its client hangs up, also before the first piece', async () => {
    makePieces = endless;
    const { socket } = await openRawConnection(listener.port);
    socket.write(requestHead('GET', '/v1/file', {}));
    await eventually('it is being sent', () => file.pieces > 0 && socket.bytesRead > 0);
    socket.destroy();
    await eventually('it ends', () => file.ended);

    file = { pieces: 0, ended: false };
    let begun = false;
    makePieces = async function* () {
      begun = true;
      await pause(300);
      yield* endless();
    };
    const early = await openRawConnection(listener.port);
    early.socket.write(requestHead('GET', '/v1/file', {}));
    await eventually('it is being made', () => begun);
    early.socket.destroy();
    await eventually('it ends', () => file.ended);
    expect(file.pieces).toBeLessThan(3);
  });

  it('is not made for clients that have gone before their place was taken, and their places are free', async () => {
    makePieces = endless;
    for (let nth = 0; nth < 4; nth += 1) {
      const { socket } = await openRawConnection(listener.port);
      socket.write(requestHead('GET', '/v1/file', { 'x-dispatched': 'once its client has gone' }));
      socket.destroySoon();
    }
    await eventually('four requests without a client have ended', () => late === 4);
    expect(file.pieces).toBe(0);
    makePieces = async function* () {
      yield await Promise.resolve('a');
    };
    expect((await fetch(`${url}/file`)).status).toBe(200);
  });

  it('gives the slot of a client that hangs up while waiting to the next', async () => {
    makePieces = endless;
    const holding = await Promise.all(Array.from({ length: 4 }, () => fetch(`${url}/file`)));
    const waiting = await Promise.all(Array.from({ length: 3 }, () => openRawConnection(listener.port)));
    for (const { socket } of waiting) socket.write(requestHead('GET', '/v1/file', {}));
    const next = fetch(`${url}/file`);
    for (const { socket } of waiting) socket.destroy();
    await holding[0]?.body?.cancel();
    expect((await next).status).toBe(200);
    for (const { body } of [...holding.slice(1), await next]) await body?.cancel();
  });

  it('ends when its client takes nothing any more', async () => {
    makePieces = endless;
    const socket = connect({ host: '127.0.0.1', port: listener.port });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write(requestHead('GET', '/v1/file', {}));
    socket.once('data', () => socket.pause());
    await eventually('it ends', () => file.pieces > 0 && file.ended);
    socket.resume();
    await closed;
  });

  it('leaves its connection as it was: what comes after it may take longer than a client may rest', async () => {
    makePieces = async function* () {
      yield await Promise.resolve('a');
    };
    const dispatcher = new Agent({ connections: 1, pipelining: 1 });
    const ask = (path: string) => request(url + path, { dispatcher });
    expect(await (await ask('/file')).body.text()).toBe('a');
    expect((await ask('/slow')).statusCode).toBe(200);
    await dispatcher.close();
  });

  it('that fails before its first piece is answered as any other error', async () => {
    makePieces = async function* () {
      await Promise.reject(notFound('exam'));
      yield '';
    };
    const response = await fetch(`${url}/file`);
    expect([response.status, await response.json(), response.headers.get('content-disposition')]).toEqual([404, expect.objectContaining({ error: 'not_found' }), null]);
    expect(file.ended).toBe(true);
  });

  it('that fails later is cut off where everybody sees it, and logged with its request', async () => {
    makePieces = failing;
    const response = await fetch(`${url}/file`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({ level: 50, msg: 'a file was cut off', request_id: response.headers.get('x-request-id'), route: '/file', err: { message: 'the disk is full' } });
    expect(file.ended).toBe(true);
  });

  it('that fails later is cut off also where the end of the connection is the end of the file', async () => {
    makePieces = failing;
    const socket = connect({ host: '127.0.0.1', port: listener.port });
    const ending = new Promise((resolve) => {
      socket.once('error', resolve);
      socket.once('end', () => resolve('a file that looks whole'));
    });
    socket.on('data', () => undefined);
    socket.write('GET /v1/file HTTP/1.0\r\n\r\n');
    expect(await ending).toMatchObject({ code: 'ECONNRESET' });
  });
});
