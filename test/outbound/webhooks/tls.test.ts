import type tls from 'node:tls';
import { createWebhookClient, type WebhookClient } from '../../../outbound/webhooks/webhookClient';
import { type NameServer, startNameServer } from './nameServer';
import { certificate, type Receiver, startRaw, startTls } from './receivers';

function endless(socket: tls.TLSSocket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
  const flood = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(16_384, 'a')));
  };
  socket.on('drain', flood);
  flood();
}

describe('TLS to receivers', () => {
  const receivers: Receiver[] = [];
  const clients: WebhookClient[] = [];
  let names: NameServer;
  beforeAll(async () => {
    names = await startNameServer((name) => (name.endsWith('.example.com') ? ['127.0.0.1'] : []));
  });
  afterAll(() => names.close());
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  async function posting<R extends Receiver>(started: Promise<R>, { host = 'receiver.example.com', ca = certificate('issuer') }: { host?: string; ca?: string | null } = {}) {
    const receiver = await started;
    receivers.push(receiver);
    const client = createWebhookClient({ trustedHosts: [`${host}:${receiver.port}`], resolver: names.resolver, timeoutMs: 5_000, ...(ca === null ? {} : { ca }) });
    clients.push(client);
    return { receiver, post: () => client.post({ url: `https://${host}:${receiver.port}/`, headers: {}, body: '{}' }) };
  }

  test.each(['receiver.example.com', '127.0.0.1'])('a verified certificate for %s; the connection is kept', async (host) => {
    const { receiver, post } = await posting(startTls('receiver'), { host });
    for (let i = 0; i < 3; i += 1) expect(await post()).toMatchObject({ ok: true, responseCode: 200, responseBody: 'ok', connectMs: i === 0 ? expect.any(Number) : null });
    expect(receiver.handshakes).toBe(1);
  });

  test('the name of the host is sent, not its address', async () => {
    const seen: string[] = [];
    const { post } = await posting(
      startTls('receiver', {
        SNICallback: (name, done) => {
          seen.push(name);
          done(null);
        },
      }),
    );
    expect(await post()).toMatchObject({ ok: true });
    expect(seen).toEqual(['receiver.example.com']);
  });

  const rejectedCertificates: [string, string, string][] = [
    ['self-signed', 'selfSigned', 'The certificate is self-signed'],
    ['expired', 'expired', 'The certificate has expired'],
    ['of another host', 'otherHost', 'The certificate was not issued for this host'],
  ];
  test.each(rejectedCertificates)('a certificate that is %s is refused', async (_what, name, words) => {
    const { receiver, post } = await posting(startTls(name));
    expect(await post()).toMatchObject({ ok: false, errorClass: 'tls', error: words, responseCode: null, connectMs: null });
    expect(receiver.connections).toBe(1);
  });

  test('a certificate of an unknown issuer is refused', async () => {
    const { post } = await posting(startTls('receiver'), { ca: null });
    expect(await post()).toMatchObject({ ok: false, errorClass: 'tls', error: 'The certificate chain is incomplete or its issuer is unknown' });
  });

  test('a certificate for the name is not one for the address', async () => {
    const { post } = await posting(startTls('expired'), { host: '127.0.0.1' });
    expect(await post()).toMatchObject({ ok: false, errorClass: 'tls' });
  });

  test('an endless body over TLS is dropped too', async () => {
    const { receiver, post } = await posting(startTls('receiver', {}, endless));
    for (let i = 0; i < 2; i += 1) {
      const outcome = await post();
      expect(outcome).toMatchObject({ ok: true, responseCode: 200, responseBody: 'a'.repeat(4_096) });
      expect(outcome.durationMs).toBeLessThan(3_000);
    }
    expect(receiver.connections).toBe(2);
  });

  test('plain HTTP behind an https URL', async () => {
    const { post } = await posting(startRaw((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))));
    expect(await post()).toMatchObject({ ok: false, errorClass: 'tls', error: expect.stringMatching(/^The TLS handshake failed \(E[A-Z_]+\)$/) });
  });

  test.each([
    ['reset', startRaw.bind(null, (socket) => void socket.once('data', () => socket.resetAndDestroy()))],
    ['closed', startRaw.bind(null, (socket) => void socket.once('data', () => socket.end()))],
  ])('%s during the handshake', async (_how, start) => {
    const { post } = await posting(start());
    expect(await post()).toMatchObject({ ok: false, errorClass: 'tls', error: 'The connection was closed during the TLS handshake' });
  });

  test('a version of TLS that is no longer safe', async () => {
    const { post } = await posting(startTls('receiver', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }));
    expect(await post()).toMatchObject({ ok: false, errorClass: 'tls' });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('a receiver that asks for a client certificate, %s', async (version) => {
    const { post } = await posting(startTls('receiver', { requestCert: true, rejectUnauthorized: true, minVersion: version, maxVersion: version, ca: certificate('issuer') }));
    const outcome = await post();
    expect(outcome.ok).toBe(false);
    expect(['tls', 'connect']).toContain(outcome.errorClass);
  });
});
