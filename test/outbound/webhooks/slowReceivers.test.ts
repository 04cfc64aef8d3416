import { once } from 'node:events';
import type net from 'node:net';
import type { AttemptOutcome } from '../../../domain/webhooks/classifyAttempt';
import { createWebhookClient, type WebhookClient } from '../../../outbound/webhooks/webhookClient';
import { startNameServer } from './nameServer';
import { freePort, type Receiver, startRaw } from './receivers';

const timeoutMs = 300;
/** What a busy machine may add. */
const slackMs = 5_000;

describe('receivers that take their time', () => {
  const receivers: Receiver[] = [];
  const clients: WebhookClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  async function raw(handle: (socket: net.Socket) => void): Promise<Receiver> {
    const receiver = await startRaw(handle);
    receivers.push(receiver);
    return receiver;
  }

  function clientFor(port: number, options: { timeoutMs?: number; connectionsPerOrigin?: number } = {}): WebhookClient {
    const client = createWebhookClient({ trustedHosts: [`127.0.0.1:${port}`], timeoutMs, ...options });
    clients.push(client);
    return client;
  }

  const send = (client: WebhookClient, port: number, scheme = 'http') => client.post({ url: `${scheme}://127.0.0.1:${port}/`, headers: {}, body: '{"id":"evt_1"}' });

  function expectTimeout(outcome: AttemptOutcome, words = '.+'): void {
    expect(outcome).toMatchObject({ ok: false, errorClass: 'timeout', error: expect.stringMatching(`^${words} within 0.3 s$`) });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    expect(outcome.durationMs).toBeLessThan(timeoutMs + slackMs);
  }

  /** Writes the text a byte at a time, for as long as the socket lives. */
  function drip(socket: net.Socket, text: string, everyMs = 10): void {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  }

  test('accepts and never answers', async () => {
    const { port } = await raw(() => undefined);
    const outcome = await send(clientFor(port), port);
    expectTimeout(outcome, 'There was no answer');
    expect(outcome.responseCode).toBeNull();
    expect(outcome.connectMs).toBeGreaterThan(0);
  });

  test('reads nothing of a large body', async () => {
    const { port } = await raw((socket) => socket.pause());
    const outcome = await clientFor(port).post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: Buffer.alloc(16_000_000) });
    expectTimeout(outcome, 'There was no answer');
  });

  test('drips its headers', async () => {
    const { port } = await raw((socket) => drip(socket, `HTTP/1.1 200 OK\r\nx-slow: ${'a'.repeat(1_000)}`));
    expectTimeout(await send(clientFor(port), port), 'There was no answer');
  });

  test('drips its body', async () => {
    const { port } = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      drip(socket, 'slow');
    });
    const outcome = await send(clientFor(port), port);
    expectTimeout(outcome, 'The answer was not complete');
    expect(outcome.responseCode).toBe(200);
    expect(outcome.responseBody).toMatch(/^(slow)*s?l?o?w?$/);
  });

  test('sends interim answers without end', async () => {
    const { port } = await raw((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 1));
    expectTimeout(await send(clientFor(port), port), 'There was no answer');
  });

  test('never shakes hands; the half-made connection is dropped', async () => {
    let closed: Promise<unknown> | undefined;
    const { port } = await raw((socket) => {
      socket.resume();
      closed = once(socket, 'close');
    });
    expectTimeout(await send(clientFor(port), port, 'https'), 'No connection could be made');
    await closed;
  });

  test('never accepts', async () => {
    // An address that nobody has; some networks say so at once, others swallow it.
    const client = createWebhookClient({ trustedHosts: ['192.0.2.1:9'], timeoutMs });
    clients.push(client);
    const outcome = await client.post({ url: 'http://192.0.2.1:9/', headers: {}, body: '{}' });
    expect(['timeout', 'connect']).toContain(outcome.errorClass);
    expect(outcome.durationMs).toBeLessThan(timeoutMs + slackMs);
  });

  test('name servers that never answer', async () => {
    const names = await startNameServer(() => null);
    const slow = createWebhookClient({ trustedHosts: [], resolver: names.resolver, timeoutMs: 5_000 });
    const outcome = await slow.post({ url: 'https://hooks.example.com/', headers: {}, body: '{}' });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'dns', error: 'The name of the host could not be resolved' });
    const impatient = createWebhookClient({ trustedHosts: [], resolver: names.resolver, timeoutMs: 50 });
    expect(await impatient.post({ url: 'https://hooks.example.com/', headers: {}, body: '{}' })).toMatchObject({
      errorClass: 'timeout',
      error: 'No connection could be made within 0.05 s',
    });
    await Promise.all([slow.close(), impatient.close()]);
    await names.close();
  });

  test('a look-up ends after 2 s even when the resolver does not', async () => {
    const never = (): Promise<string[]> => new Promise(() => undefined);
    const client = createWebhookClient({ trustedHosts: [], resolver: { resolve4: never, resolve6: never } });
    clients.push(client);
    const outcome = await client.post({ url: 'https://hooks.example.com/', headers: {}, body: '{}' });
    expect(outcome.errorClass).toBe('dns');
    expect(outcome.durationMs).toBeGreaterThan(1_900);
    expect(outcome.durationMs).toBeLessThan(2_000 + slackMs);
  });

  test('one family of addresses is enough', async () => {
    const never = (): Promise<string[]> => Promise.reject(Object.assign(new Error('broken'), { code: 'ESERVFAIL' }));
    const { port } = await raw((socket) => socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')));
    const client = createWebhookClient({
      trustedHosts: [`receiver.example.com:${port}`],
      resolver: { resolve4: () => Promise.resolve(['127.0.0.1']), resolve6: never },
    });
    clients.push(client);
    expect(await client.post({ url: `http://receiver.example.com:${port}/`, headers: {}, body: '{}' })).toMatchObject({ ok: true, responseCode: 204 });
  });

  test('with every connection taken, the next one waits no longer than its own time', async () => {
    const { port } = await raw(() => undefined);
    const client = clientFor(port, { connectionsPerOrigin: 2 });
    for (const outcome of await Promise.all([1, 2, 3, 4, 5].map(() => send(client, port)))) expectTimeout(outcome);
  });

  test('a hanging origin does not delay another', async () => {
    const hanging = await raw(() => undefined);
    const prompt = await raw((socket) => socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')));
    const client = createWebhookClient({ trustedHosts: [`127.0.0.1:${hanging.port}`, `127.0.0.1:${prompt.port}`], timeoutMs: 1_500 });
    clients.push(client);
    const hung = Promise.all(Array.from({ length: 50 }, () => send(client, hanging.port)));
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => send(client, prompt.port)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect((await hung).every(({ errorClass }) => errorClass === 'timeout')).toBe(true);
  });

  test('a refused connection', async () => {
    const port = await freePort();
    expect(await send(clientFor(port), port)).toMatchObject({ ok: false, errorClass: 'connect', error: 'The connection was refused', responseCode: null, connectMs: null });
  });

  test('resets instead of an answer', async () => {
    const { port } = await raw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await send(clientFor(port), port)).toMatchObject({ ok: false, errorClass: 'connect', error: 'The connection was reset by the receiver' });
  });

  test('closes instead of an answer', async () => {
    const { port } = await raw((socket) => socket.once('data', () => socket.end()));
    expect(await send(clientFor(port), port)).toMatchObject({ ok: false, errorClass: 'connect', error: 'The connection was closed before the answer was complete' });
  });

  test('closes in the middle of its headers', async () => {
    const { port } = await raw((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx-half')));
    expect(await send(clientFor(port), port)).toMatchObject({ ok: false, errorClass: expect.stringMatching(/^(http|connect)$/), responseCode: null });
  });

  test.each([
    ['reset', (socket: net.Socket) => setTimeout(() => socket.resetAndDestroy(), 30)],
    ['closed', (socket: net.Socket) => socket.end()],
  ])('%s in the middle of the body: the status had been said', async (_how, finish) => {
    const { port } = await raw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf of it');
        finish(socket);
      }),
    );
    expect(await send(clientFor(port), port)).toMatchObject({ responseCode: 200, responseBody: 'half of it', ok: true });
  });

  test.each(['SSH-2.0-OpenSSH_9.0\r\n', '220 mail.example.com ESMTP\r\n', 'HTTP/9.9 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', '\0\0\0\0', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'])(
    'answers with something else: %j',
    async (text) => {
      const { port } = await raw((socket) => socket.once('data', () => socket.write(text)));
      const outcome = await send(clientFor(port), port);
      expect(outcome).toMatchObject({ ok: false, errorClass: 'http' });
      expect(outcome.durationMs).toBeLessThan(timeoutMs);
    },
  );

  test('a caller that gives up gets the reason of its signal', async () => {
    const receiver = await raw(() => undefined);
    const client = clientFor(receiver.port);
    const giveUp = new AbortController();
    const sending = client.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: '{}', signal: giveUp.signal });
    setTimeout(() => giveUp.abort(new Error('stopping')), 30);
    await expect(sending).rejects.toThrow('stopping');
    await expect(client.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: '{}', signal: giveUp.signal })).rejects.toThrow('stopping');
    expect(receiver.connections).toBe(1);
  });

  test('close waits for what is under way, then nothing more is posted', async () => {
    const { port } = await raw((socket) => socket.once('data', () => setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 100)));
    const client = clientFor(port);
    const sending = send(client, port);
    await client.close();
    expect(await sending).toMatchObject({ ok: true });
    await expect(send(client, port)).rejects.toThrow('closed');
  });
});
