import Koa from 'koa';
import { listen, type Listener } from '../../../api/listener';
import { defaultDeadlines } from '../../../api/http/request/deadlines';
import type { RequestState } from '../../../api/http/state';
import { openRawConnection, requestHead } from '../../support/rawHttp';

let listener: Listener;

beforeAll(async () => {
  const app = new Koa<RequestState>();
  app.use((ctx) => {
    ctx.body = { success: true };
  });
  listener = await listen(app, '127.0.0.1', 0, defaultDeadlines, 2);
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
