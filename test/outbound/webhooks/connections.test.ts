import { createWebhookClient, type WebhookClient } from '../../../outbound/webhooks/webhookClient';
import { type Receiver, startHttp, startRaw } from './receivers';

describe('connections to receivers', () => {
  const receivers: Receiver[] = [];
  const clients: WebhookClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  async function receiving(started: Promise<Receiver>, options: { connectionsPerOrigin?: number; timeoutMs?: number } = {}) {
    const receiver = await started;
    receivers.push(receiver);
    const client = createWebhookClient({ trustedHosts: [`127.0.0.1:${receiver.port}`], ...options });
    clients.push(client);
    const post = (body: string | Buffer = '{}') => client.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body });
    return { receiver, client, post };
  }

  test('connections are kept and used again, as many as are needed at a time', async () => {
    const { receiver, post } = await receiving(startHttp((_request, response) => setTimeout(() => response.end(), 5)), { connectionsPerOrigin: 10 });
    const first = await post();
    expect(first.connectMs).toBeGreaterThan(0);
    expect(await post()).toMatchObject({ ok: true, connectMs: null });
    expect(receiver.connections).toBe(1);
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => post()));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(receiver.connections).toBe(10);
    await Promise.all(Array.from({ length: 100 }, () => post()));
    expect(receiver.connections).toBe(10);
  });

  test('a receiver that closes after each answer gets a connection for each', async () => {
    const { receiver, post } = await receiving(startHttp((_request, response) => response.writeHead(200, { connection: 'close' }).end('bye')));
    for (let i = 0; i < 20; i += 1) expect(await post()).toMatchObject({ ok: true, connectMs: expect.any(Number) });
    expect(receiver.connections).toBe(20);
  });

  test('a kept connection that turns out to be closed costs a second connection, not the attempt', async () => {
    let served = 0;
    const { receiver, post } = await receiving(
      startRaw((socket) => {
        let answered = false;
        socket.on('data', () => {
          served += 1;
          if (answered) socket.resetAndDestroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          answered = true;
        });
      }),
    );
    expect(await post()).toMatchObject({ ok: true, resent: false });
    expect(await post()).toMatchObject({ ok: true, resent: true, connectMs: expect.any(Number) });
    expect([receiver.connections, served]).toEqual([2, 3]);
  });

  test.each([
    ['half of the headers', 'HTTP/1.1 200 OK\r\nx-half'],
    ['one byte', 'H'],
    ['an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('an answer that broke off after %s is not asked for again', async (_what, part) => {
    let served = 0;
    const { receiver, post } = await receiving(
      startRaw((socket) =>
        socket.on('data', () => {
          served += 1;
          if (served === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          else socket.end(part);
        }),
      ),
    );
    expect(await post()).toMatchObject({ ok: true });
    expect(await post()).toMatchObject({ ok: false, responseCode: null, resent: false });
    expect([receiver.connections, served]).toEqual([1, 2]);
  });

  test('connections that break off do not raise the number at a time', async () => {
    let open = 0;
    let most = 0;
    const { post } = await receiving(
      startRaw((socket) => {
        open += 1;
        most = Math.max(most, open);
        // Counted off before the client can know.
        socket.once('data', () =>
          setTimeout(() => {
            open -= 1;
            socket.resetAndDestroy();
          }, 5),
        );
      }),
      { connectionsPerOrigin: 2 },
    );
    const worker = async (): Promise<void> => {
      for (let i = 0; i < 5; i += 1) expect(await post()).toMatchObject({ errorClass: 'connect' });
    };
    await Promise.all([worker(), worker(), worker(), worker(), worker(), worker()]);
    expect(most).toBe(2);
  });

  test('a receiver that always resets is tried twice at most', async () => {
    let served = 0;
    const { receiver, post } = await receiving(
      startRaw((socket) =>
        socket.on('data', () => {
          served += 1;
          if (served === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          else socket.resetAndDestroy();
        }),
      ),
    );
    expect(await post()).toMatchObject({ ok: true });
    expect(await post()).toMatchObject({ ok: false, errorClass: 'connect', resent: true });
    expect([receiver.connections, served]).toEqual([2, 3]);
  });

  test('a restarted receiver is reached again', async () => {
    const { receiver, post } = await receiving(startHttp((_request, response) => response.end()));
    await Promise.all([post(), post(), post()]);
    await receiver.close();
    expect(await post()).toMatchObject({ ok: false, errorClass: 'connect' });
    receivers[receivers.indexOf(receiver)] = await startHttp((_request, response) => response.end(), receiver.port);
    expect(await post()).toMatchObject({ ok: true });
  });

  test('an idle connection is closed before the receiver would', async () => {
    let closed: Promise<void> | undefined;
    const { post } = await receiving(
      startHttp((request, response) => {
        closed = new Promise((resolve) => request.socket.on('close', resolve));
        response.writeHead(200, { 'keep-alive': 'timeout=3' }).end();
      }),
    );
    expect(await post()).toMatchObject({ ok: true });
    const startedAt = performance.now();
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(2_900);
  });

  test('idle connections are bounded over all origins, the oldest closed first', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => startHttp((_request, response) => response.end())));
    receivers.push(...all);
    const client = createWebhookClient({ trustedHosts: all.map(({ port }) => `127.0.0.1:${port}`), idleConnections: 3 });
    clients.push(client);
    const post = (receiver: Receiver) => client.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: '{}' });
    for (const receiver of all) await post(receiver);
    for (const receiver of all.slice(-3)) await post(receiver);
    expect(all.map(({ connections }) => connections)).toEqual(Array.from({ length: 8 }, () => 1));
    for (const receiver of all.slice(0, 1)) await post(receiver);
    expect(all[0]?.connections).toBe(2);
  });

  test('thousands at once, over as many connections as there may be', async () => {
    const { receiver, post } = await receiving(
      startHttp((request, response) => {
        request.resume();
        response.end();
      }),
      { connectionsPerOrigin: 16, timeoutMs: 60_000 },
    );
    const outcomes = await Promise.all(Array.from({ length: 2_000 }, () => post(Buffer.alloc(1_000, 'a'))));
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(receiver.connections).toBe(16);
  });
});
