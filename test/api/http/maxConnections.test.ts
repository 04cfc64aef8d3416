import Koa from 'koa';
import { listen, type Listener } from '../../../api/listener';
import type { RequestState } from '../../../api/http/state';
import type { RunningWorker } from '../../../worker/start';
import { startTestApi, type TestApi } from '../../support/api';
import { readMetrics } from '../../support/metrics';
import { openRawConnection, requestHead } from '../../support/rawHttp';
import { startTestWorker } from '../../support/worker';

let listener: Listener;

beforeAll(async () => {
  const app = new Koa<RequestState>();
  app.use((ctx) => {
    ctx.body = { success: true };
  });
  listener = await listen(app, '127.0.0.1', 0, { maxConnections: 2 });
});

afterAll(() => listener.close(1_000));

const ask = requestHead('GET', '/', { connection: 'close' });

it('connections beyond the maximum of a listener are closed without an answer; the others are served, and those that end make room', async () => {
  const [first, second] = [await openRawConnection(listener.port), await openRawConnection(listener.port)];
  const beyond = await openRawConnection(listener.port);
  beyond.socket.write(ask);
  expect(await beyond.response).toBeUndefined();
  first.socket.write(ask);
  expect((await first.response)?.status).toBe(200);
  second.socket.write(ask);
  expect((await second.response)?.status).toBe(200);
  const later = await openRawConnection(listener.port);
  later.socket.write(ask);
  expect((await later.response)?.status).toBe(200);
});

describe('the listeners of API and worker', () => {
  let running: TestApi;
  let worker: RunningWorker;

  beforeAll(async () => {
    running = await startTestApi({ maxConnections: 2 });
    worker = await startTestWorker(running.settings);
  });

  afterAll(async () => {
    await worker.stop();
    await running.stop();
  });

  it('have MAX_CONNECTIONS each: those beyond are closed at once and counted, and one that is full leaves the others alone', async () => {
    // The test itself keeps connections open, to the documents.
    const ports = { public: running.api.port, apps: running.api.appPort };
    for (const [listener, port] of Object.entries(ports)) {
      const held = [];
      for (let nth = 0; nth < 2; nth += 1) held.push(await openRawConnection(port));
      const beyond = await openRawConnection(port);
      expect([listener, await beyond.response]).toEqual([listener, undefined]);
      for (const { socket } of held) socket.destroy();
    }
    const metrics = await readMetrics(running.api.platformPort);
    for (const listener of Object.keys(ports)) expect(metrics.get(`http_refused_connections_total{listener="${listener}"}`)).toBeGreaterThan(0);
  });

  it.each(['platform', 'worker'])('have MAX_CONNECTIONS each, that of the %s too', async (name) => {
    const port = name === 'worker' ? worker.port : running.api.platformPort;
    const held = [];
    for (let nth = 0; nth < 2; nth += 1) held.push(await openRawConnection(port));
    expect(await (await openRawConnection(port)).response).toBeUndefined();
    for (const { socket } of held) socket.destroy();
  });
});
