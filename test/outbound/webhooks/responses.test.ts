import type net from 'node:net';
import { createWebhookClient, type WebhookClient } from '../../../outbound/webhooks/webhookClient';
import { type Receiver, startHttp, startRaw } from './receivers';

describe('answers of receivers', () => {
  const receivers: Receiver[] = [];
  const clients: WebhookClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  async function receiving(started: Promise<Receiver>) {
    const receiver = await started;
    receivers.push(receiver);
    const client = createWebhookClient({ trustedHosts: [`127.0.0.1:${receiver.port}`] });
    clients.push(client);
    const post = (path = '/', body: string | Buffer = '{}', headers: Record<string, string> = {}) => client.post({ url: `http://127.0.0.1:${receiver.port}${path}`, headers, body });
    return { receiver, client, post };
  }

  const answering = (text: string) => startRaw((socket) => socket.on('data', () => socket.write(text)));
  const withBody = (body: Buffer) => startHttp((_request, response) => response.end(body));

  test('the request arrives as it was given', async () => {
    const seen: unknown[] = [];
    const { post } = await receiving(
      startHttp((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          seen.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
          response.writeHead(202).end('taken');
        });
      }),
    );
    const body = '{"note":"Zoë Ångström 😀"}';
    const outcome = await post('/a%20b/ü?c=d%26e', body, { 'content-type': 'application/json', 'x-svc-event': 'ping' });
    expect(outcome).toEqual({
      ok: true,
      responseCode: 202,
      errorClass: null,
      error: null,
      durationMs: expect.any(Number),
      connectMs: expect.any(Number),
      responseBody: 'taken',
      retryAfter: null,
      abort: false,
      resent: false,
    });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/a%20b/%C3%BC?c=d%26e',
        body,
        headers: {
          host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          connection: 'keep-alive',
          'content-type': 'application/json',
          'x-svc-event': 'ping',
          'content-length': String(Buffer.byteLength(body)),
        },
      },
    ]);
  });

  // Contract: webhooks.receiver.2xx-within-10-seconds
  test.each([200, 201, 202, 204, 226, 299])('%i is a success', async (status) => {
    const { post } = await receiving(startHttp((_request, response) => response.writeHead(status).end()));
    expect(await post()).toMatchObject({ ok: true, responseCode: status, errorClass: null, error: null, responseBody: null });
  });

  // Contract: webhooks.receiver.2xx-within-10-seconds
  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])('%i is a failure', async (status) => {
    const { post } = await receiving(startHttp((_request, response) => response.writeHead(status).end('no')));
    expect(await post()).toMatchObject({ ok: false, responseCode: status, errorClass: 'http', error: expect.stringContaining(String(status)) });
  });

  test.each([
    ['120', '120'],
    ['Fri, 20 Nov 2026 09:30:00 GMT', 'Fri, 20 Nov 2026 09:30:00 GMT'],
    ['x'.repeat(1_000), 'x'.repeat(200)],
  ])('Retry-After is passed on: %s', async (header, expected) => {
    const { post } = await receiving(startHttp((_request, response) => response.writeHead(503, { 'retry-after': header }).end()));
    expect(await post()).toMatchObject({ responseCode: 503, retryAfter: expected });
  });

  test.each<[header: string, code: number, abort: boolean]>([
    ['true', 400, true],
    ['TRUE ', 503, true],
    ['true', 302, true],
    ['true', 200, false],
    ['false', 400, false],
    ['1', 400, false],
    ['', 400, false],
  ])('Webhook-Abort: %s with %i asks for no further attempts: %s', async (header, code, abort) => {
    const { post } = await receiving(startHttp((_request, response) => response.writeHead(code, { 'webhook-abort': header }).end()));
    const outcome = await post();
    expect(outcome).toMatchObject({ ok: code === 200, responseCode: code, abort, errorClass: code === 200 ? null : 'http' });
    expect(outcome.error?.includes('asked for no further attempts (Webhook-Abort)') ?? false).toBe(abort);
  });

  test('an interim response is ignored', async () => {
    const { post } = await receiving(answering('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    expect(await post()).toMatchObject({ ok: true, responseCode: 200, responseBody: 'ok' });
  });

  test.each([
    ['text', Buffer.from('taken'), 'taken'],
    ['no bytes', Buffer.alloc(0), null],
    ['NULs', Buffer.from('a\0b\0'), 'ab'],
    ['not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3]), 'a\ufffd\ufffdb\ufffd'],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['4 KiB to the byte', Buffer.alloc(4_096, 'a'), 'a'.repeat(4_096)],
    ['more than 4 KiB', Buffer.alloc(5_000, 'a'), 'a'.repeat(4_096)],
    ['a character across the limit', Buffer.from('a'.repeat(4_094) + '日本'), 'a'.repeat(4_094)],
    ['a character across the limit that leaves room for its substitute', Buffer.from('a'.repeat(4_093) + '😀'), 'a'.repeat(4_093)],
    ['a character up to the limit', Buffer.from('a'.repeat(4_093) + '日本'), `${'a'.repeat(4_093)}日`],
    ['4 KiB of no UTF-8 at all', Buffer.alloc(5_000, 0xff), '\ufffd'.repeat(1_365)],
  ])('what is kept of an answer: %s', async (_what, body, kept) => {
    const { post } = await receiving(withBody(body));
    const { responseBody } = await post();
    expect(responseBody).toBe(kept);
    expect(Buffer.byteLength(responseBody ?? '')).toBeLessThanOrEqual(4_096);
  });

  test('a body below 64 KiB is read to its end and the connection kept', async () => {
    const { receiver, post } = await receiving(withBody(Buffer.alloc(60_000, 'a')));
    for (let i = 0; i < 5; i += 1) expect(await post()).toMatchObject({ ok: true, responseBody: 'a'.repeat(4_096) });
    expect(receiver.connections).toBe(1);
  });

  test.each([200, 500])('an endless body after a %i: the connection is dropped and the status stands', async (status) => {
    let sent = 0;
    let dropped: Promise<void> | undefined;
    const { receiver, post } = await receiving(
      startHttp((_request, response) => {
        response.writeHead(status);
        const flood = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384, 'a'))) sent += 16_384;
        };
        response.on('drain', flood);
        response.on('error', () => undefined);
        dropped = new Promise((resolve) => response.on('close', resolve));
        flood();
      }),
    );
    const outcome = await post();
    expect(outcome).toMatchObject({ ok: status === 200, responseCode: status, responseBody: 'a'.repeat(4_096) });
    expect(outcome.durationMs).toBeLessThan(3_000);
    await dropped;
    // What the kernel holds in both buffers has been sent, though it has not been read.
    expect(sent).toBeLessThan(16_000_000);
    await post();
    expect(receiver.connections).toBe(2);
  });

  const flooding = (head: string, more: string) =>
    startRaw((socket: net.Socket) => {
      const chunk = Buffer.from(more.repeat(Math.ceil(8_192 / more.length)));
      const flood = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.once('data', () => {
        socket.write(head);
        socket.on('drain', flood);
        flood();
      });
    });

  test.each([
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'],
    ['one header', 'HTTP/1.1 200 OK\r\nx-more: ', 'a'],
    ['the reason phrase', 'HTTP/1.1 200 ', 'a'],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('without end: %s', async (_what, head, more) => {
    const { post } = await receiving(flooding(head, more));
    const outcome = await post();
    expect(outcome).toMatchObject({ ok: false, errorClass: 'http', error: 'The headers of the answer were too large', responseCode: null });
    expect(outcome.durationMs).toBeLessThan(3_000);
  });

  test.each([
    ['a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;', 'a'],
    ['chunks of one byte', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'],
    ['a trailer', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx-more: ', 'a'],
    ['a body without a length', 'HTTP/1.1 200 OK\r\n\r\n', 'a'],
  ])('without end, after the status: %s', async (_what, head, more) => {
    const { post } = await receiving(flooding(head, more));
    const outcome = await post();
    expect(outcome.responseCode).toBe(200);
    expect(outcome.durationMs).toBeLessThan(3_000);
  });

  test('a second answer that nobody asked for is nobody’s', async () => {
    let requests = 0;
    const { receiver, post } = await receiving(
      startRaw((socket) =>
        socket.on('data', () => {
          requests += 1;
          socket.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        }),
      ),
    );
    for (let i = 0; i < 5; i += 1) expect(await post()).toMatchObject({ ok: false, responseCode: 500 });
    expect(requests).toBe(5);
    expect(receiver.connections).toBe(5);
  });

  test('a header that cannot be written is the caller’s fault and reaches nobody', async () => {
    const { receiver, post } = await receiving(startHttp((_request, response) => response.end()));
    await expect(post('/', '{}', { 'x-bad': 'a\r\nx-injected: b' })).rejects.toThrow('invalid x-bad header');
    expect(receiver.connections).toBe(0);
    expect(await post()).toMatchObject({ ok: true });
  });
});
