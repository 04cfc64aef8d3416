import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import { respondWithErrors } from '../../../api/http/response/respondWithErrors';
import { defaultDownloadLimits } from '../../../api/http/response/downloadLimits';
import { fileDownloads } from '../../../api/http/response/fileDownloads';
import { assignRequestId } from '../../../api/http/requestId';
import type { RequestState } from '../../../api/http/state';
import { listen, type Listener } from '../../../api/listener';
import { createLogger } from '../../../config/logger';
import type { TestInstitution } from '../../support/api';
import { eventually } from '../../support/eventually';
import { seedExam } from '../../support/seed/exams';
import { requestHead } from '../../support/rawHttp';
import { apiFixture } from '../../support/apiFixture';
import { upload, zipOf } from '../../support/uploads';

const fixture = apiFixture({ institutionPer: 'file' });
const { api } = fixture;
/** More than the kernel takes for a client that reads nothing. */
const bytes = 12_000_000;
const lateHeader = 'x-dispatched';

let listener: Listener | undefined;
/** Requests that were processed after their clients had disconnected, and have ended. */
let late = 0;
let files: string[];
let foreign: string[];

async function filesOf(institution: TestInstitution, count: number): Promise<string[]> {
  const examId = await seedExam(api, institution);
  const refs: string[] = [];
  for (let nth = 0; nth < count; nth += 1) refs.push((await upload(api, institution.apiKey, examId, zipOf(Buffer.alloc(bytes, 1)))).data.ref);
  return refs;
}

beforeAll(async () => {
  files = await filesOf(fixture.institution, 3);
  foreign = await filesOf(await api.institution(), 2);
});

/** A listener of its own that serves the files of the API's store within these limits. */
async function serve(limits: Partial<typeof defaultDownloadLimits>): Promise<number> {
  const app = new Koa<RequestState>();
  app.use(assignRequestId());
  app.use(respondWithErrors(createLogger('test', 'silent')));
  app.use(async (ctx, next) => {
    if (ctx.get(lateHeader) === '') return next();
    await once(ctx.res, 'close');
    return next().finally(() => (late += 1));
  });
  app.use(fileDownloads('/v1', api.api.domain, { ...defaultDownloadLimits, acquireTimeoutMs: 50, ...limits }));
  app.on('error', () => undefined);
  listener = await listen(app, '127.0.0.1', 0);
  return listener.port;
}

afterEach(async () => {
  await listener?.close(0);
  listener = undefined;
});

/** The path of a file under a URL that is signed at this moment. */
async function pathOf(id: string | undefined, signedAt = new Date(), reader?: string): Promise<string> {
  const { url } = await api.api.domain.files.signedUrl({ id: id ?? '', filename: 'a', contentType: 'a/b', ...(reader === undefined ? {} : { reader }) }, signedAt);
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** One that expires within the next two seconds, and not within this one. */
const expiringSoon = (id: string | undefined): Promise<string> => pathOf(id, new Date(Date.now() - 3_600_000 + 2_000));

interface Begun {
  /** What the answer begins with. */
  head: string;
  socket: Socket;
  closed: Promise<unknown>;
}

/** Asks for a file, and reads no further than the head of the answer. */
async function begin(port: number, path: string): Promise<Begun> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(requestHead('GET', path, {}));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { head: first.toString('latin1').split('\r\n\r\n')[0] ?? '', socket, closed };
}

const statusOf = ({ head }: Begun): number => Number(head.split(' ')[1]);

it('a file, an institution and the process have so many downloads at a time each; others are refused, and succeed later', async () => {
  const port = await serve({ perFile: 2, perInstitution: 3, perProcess: 4 });
  const ask = async (id: string | undefined): Promise<Begun> => begin(port, await pathOf(id));
  const [first, second] = [await ask(files[0]), await ask(files[0])];
  const refused = await ask(files[0]);
  const third = await ask(files[1]);
  const ofInstitution = await ask(files[2]);
  const fourth = await ask(foreign[0]);
  const ofProcess = await ask(foreign[1]);
  expect([first, second, refused, third, ofInstitution, fourth, ofProcess].map(statusOf)).toEqual([200, 200, 429, 200, 429, 200, 429]);
  expect(refused.head).toContain('Retry-After: 1');
  first.socket.destroy();
  expect(statusOf(await eventually('a place is free', async () => {
    const next = await ask(files[0]);
    return statusOf(next) === 200 && next;
  }))).toBe(200);
});

it('a reader has 4 downloads of a file at a time, regardless of others with a URL of the same second; a reader who changes the owner in the URL leaves half the slots to others', async () => {
  const port = await serve({ perFile: 16 });
  const signedAt = new Date();
  const [own, other] = [await pathOf(files[0], signedAt), await pathOf(files[0], signedAt)];
  const nobodys = (nth: number): string => own.replace(/(reader=).*/, `$1${String(nth).repeat(48)}`);
  const ask = async (paths: readonly string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const path of paths) statuses.push(statusOf(await begin(port, path)));
    return statuses;
  };
  const numbers = Array.from({ length: 9 }, (_none, nth) => nth);
  const four = [200, 200, 200, 200];
  expect(await ask(numbers.map(nobodys))).toEqual([...four, ...four, 429]);
  expect(await ask([own, own, own, own, own, other])).toEqual([...four, 429, 200]);
});

it('the URLs of one student, of several seconds, have 4 downloads of a file at a time together', async () => {
  const port = await serve({});
  const statuses: number[] = [];
  for (const seconds of [0, 1, 2, 3, 4]) {
    statuses.push(statusOf(await begin(port, await pathOf(files[0], new Date(Date.now() - seconds * 1_000), 'stu_1'))));
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

it('so many wait for a file; others are refused at once, and those that wait are served', async () => {
  const port = await serve({ perFile: 1, maxWaiting: 1, acquireTimeoutMs: 8_000 });
  const first = await begin(port, await pathOf(files[0]));
  const both = [await pathOf(files[0]), await pathOf(files[0])].map((path) => begin(port, path));
  expect(statusOf(await Promise.race(both))).toBe(429);
  first.socket.destroy();
  expect((await Promise.all(both)).map(statusOf).sort()).toEqual([200, 429]);
});

it('clients that have gone before their place was taken hold none', async () => {
  const port = await serve({ perProcess: 2 });
  for (let nth = 0; nth < 2; nth += 1) {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(requestHead('GET', await pathOf(files[0]), { [lateHeader]: 'once its client has gone' }));
    socket.destroySoon();
  }
  await eventually('the requests without a client have ended', () => late === 2);
  expect([statusOf(await begin(port, await pathOf(files[0]))), statusOf(await begin(port, await pathOf(files[0])))]).toEqual([200, 200]);
});

/** Reads so many bytes a second, until the end or until it is cut off; returns how many came. */
async function readSlowly({ socket, closed }: Begun, bytesPerSecond: number): Promise<number> {
  let taken = 0;
  socket.on('data', ({ length }: Buffer) => {
    taken += length;
    socket.pause();
  });
  const state = { over: false };
  void closed.then(() => (state.over = true));
  const began = performance.now();
  while (!state.over) {
    if (taken < ((performance.now() - began) / 1_000) * bytesPerSecond) socket.resume();
    await pause(1);
  }
  return taken;
}

it('a slow line that is steady gets the whole file; who takes a little now and then is cut off', async () => {
  const port = await serve({ throughput: { bytes: 500_000, withinMs: 500 } });
  const [line, squatter] = [await begin(port, await pathOf(files[0])), await begin(port, await pathOf(files[0]))];
  const [whole, part] = await Promise.all([readSlowly(line, 10_000_000), readSlowly(squatter, 50_000)]);
  expect(whole).toBeGreaterThan(bytes - 100_000);
  expect(part).toBeLessThan(bytes / 2);
});

it('a download that is begun in time goes on after its URL has expired, and ends with the grace', async () => {
  const path = await expiringSoon(files[0]);
  const port = await serve({ graceMs: 30_000 });
  const going = await begin(port, path);
  await eventually('the URL has expired', async () => (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' })).status === 404);
  const taken = await readSlowly(going, Number.POSITIVE_INFINITY);
  expect(taken).toBeGreaterThan(bytes - 100_000);
});

it('a download that is not done when the grace of its URL ends is cut off', async () => {
  const port = await serve({ graceMs: 0 });
  const going = await begin(port, await expiringSoon(files[0]));
  expect(statusOf(going)).toBe(200);
  expect(await readSlowly(going, 50_000)).toBeLessThan(bytes / 2);
});
