import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createMailer, type Mailer, type MailerOptions } from '../../../outbound/mail/mailer';
import { MailError } from '../../../outbound/mail/mailError';
import { certificate, startRaw } from '../webhooks/receivers';

const from = 'Institution API <no-reply@institution.example>';
const to = 'confidential.person@personal.example';

interface Caught {
  from: string;
  to: string[];
  mail: Email;
}

describe('mailer', () => {
  const servers: { close(done: () => void): void }[] = [];
  const mailers: Mailer[] = [];
  afterEach(async () => {
    await Promise.all(mailers.splice(0).map((mailer) => mailer.close()));
    await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(resolve))));
  });

  async function catching(options: SMTPServerOptions = {}): Promise<{ port: number; caught: Caught[]; connections: () => number }> {
    const caught: Caught[] = [];
    let connections = 0;
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      cert: certificate('receiver'),
      key: certificate('receiver.key'),
      onConnect: (_session, done) => {
        connections += 1;
        done();
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
            const sender = session.envelope.mailFrom;
            caught.push({ from: sender === false ? '' : sender.address, to: session.envelope.rcptTo.map(({ address }) => address), mail });
            done();
          });
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    servers.push(server);
    return { port: (server.server.address() as AddressInfo).port, caught, connections: () => connections };
  }

  function mailerFor(smtpUrl: string, ca?: string, options: Partial<MailerOptions> = {}): Mailer {
    const mailer = createMailer({ smtpUrl, from, ...(ca === undefined ? {} : { ca }), ...options });
    mailers.push(mailer);
    return mailer;
  }

  async function failureOf(sending: Promise<void>): Promise<MailError> {
    const failure: unknown = await sending.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof MailError)) throw new Error('The mail was not refused with a MailError');
    expect(inspect(failure, { depth: 10 })).not.toContain('confidential');
    return failure;
  }

  test('a message arrives as it was given, and connections are used again', async () => {
    const { port, caught, connections } = await catching();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    for (let i = 0; i < 3; i += 1) {
      await mailer.send({ to, subject: 'Prüfung 日本', text: 'Guten Tag,\nZoë', html: '<p>Guten Tag, Zoë</p>', messageId: `<exm_${i}.stu_1@institution.example>` });
    }
    expect(caught).toHaveLength(3);
    expect(caught[0]).toMatchObject({
      from: 'no-reply@institution.example',
      to: [to],
      mail: {
        from: { name: 'Institution API', address: 'no-reply@institution.example' },
        to: [{ address: to }],
        subject: 'Prüfung 日本',
        messageId: '<exm_0.stu_1@institution.example>',
      },
    });
    expect(caught[0]?.mail.text?.trim()).toBe('Guten Tag,\nZoë');
    expect(caught[0]?.mail.html?.trim()).toBe('<p>Guten Tag, Zoë</p>');
    expect(connections()).toBe(1);
  });

  test('no header can be smuggled in', async () => {
    const { port, caught } = await catching();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    await mailer.send({ to, subject: 'Hello\r\nBcc: other@personal.example\r\n\r\nbody', text: 'Text\r\n.\r\nMAIL FROM:<x@personal.example>' });
    expect(caught).toHaveLength(1);
    expect(caught[0]).toMatchObject({ to: [to], mail: { subject: 'Hello Bcc: other@personal.example body' } });
    expect(caught[0]?.mail.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  test.each([
    'confidential@personal.example, other@personal.example',
    'confidential@personal.example\r\nBcc: other@personal.example',
    'confidential@personal.example>\r\nRCPT TO:<other@personal.example',
    'Confidential <confidential@personal.example>',
    'confidential',
    '@personal.example',
    '',
    'confidential@',
    'confidential@personal.example ',
    '"confidential"@personal.example',
    'confidential:a@personal.example;',
  ])('a recipient that is not one bare address is refused: %j', async (recipient) => {
    const { port, caught, connections } = await catching();
    expect(await failureOf(mailerFor(`smtp://127.0.0.1:${port}`).send({ to: recipient, subject: 's', text: 't' }))).toMatchObject({ code: 'invalid_message', permanent: true });
    expect([caught.length, connections()]).toEqual([0, 0]);
  });

  test.each(['no-brackets@institution.example', '<a@b>\r\nBcc: <x@personal.example>', '<a b@c>', '<a>'])('a message id of another form is refused: %j', async (messageId) => {
    const { port } = await catching();
    expect(await failureOf(mailerFor(`smtp://127.0.0.1:${port}`).send({ to, subject: 's', text: 't', messageId }))).toMatchObject({ code: 'invalid_message' });
  });

  test.each([
    [550, 'recipient_refused', true],
    [450, 'recipient_refused', false],
  ])('a recipient refused with %i, repeated in the reply', async (responseCode, code, permanent) => {
    const { port } = await catching({ onRcptTo: ({ address }, _session, done) => done(Object.assign(new Error(`<${address}> unknown`), { responseCode })) });
    const failure = await failureOf(mailerFor(`smtp://127.0.0.1:${port}`).send({ to, subject: 's', text: 't' }));
    expect(failure).toMatchObject({ code, permanent, message: `The mail server refused the sender or the recipient (${responseCode})` });
  });

  test('a message refused after its text', async () => {
    const { port } = await catching({
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on('end', () => done(Object.assign(new Error(`confidential text for ${to}`), { responseCode: 554 })));
      },
    });
    expect(await failureOf(mailerFor(`smtp://127.0.0.1:${port}`).send({ to, subject: 's', text: 't' }))).toMatchObject({ code: 'refused', permanent: true });
  });

  test('credentials that are not accepted', async () => {
    const { port } = await catching({
      secure: true,
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('confidential: no')),
    });
    const failure = await failureOf(mailerFor(`smtps://user:confidential%3Apassword@127.0.0.1:${port}`, certificate('issuer')).send({ to, subject: 's', text: 't' }));
    expect(failure).toMatchObject({ code: 'authentication', permanent: false });
  });

  test('credentials are decoded, the certificate is verified', async () => {
    const seen: unknown[] = [];
    const { port, caught } = await catching({
      secure: true,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        seen.push([username, password]);
        done(null, { user: 'user' });
      },
    });
    await mailerFor(`smtps://us%40er:pass%3Aword@127.0.0.1:${port}`, certificate('issuer')).send({ to, subject: 's', text: 't' });
    expect(seen).toEqual([['us@er', 'pass:word']]);
    expect(caught).toHaveLength(1);
  });

  test('a server elsewhere that offers no TLS gets nothing where TLS is required, and the email where it is not', async () => {
    const { port, caught } = await catching({ disabledCommands: ['STARTTLS'] });
    // This machine, by an address that is not of its loopback.
    const smtpUrl = `smtp://0.0.0.0:${port}`;
    expect((await failureOf(mailerFor(smtpUrl, undefined, { requireTls: true }).send({ to, subject: 's', text: 't' }))).code).toBe('tls');
    expect(caught).toHaveLength(0);
    await mailerFor(smtpUrl, undefined, { requireTls: false }).send({ to, subject: 's', text: 't' });
    expect(caught).toHaveLength(1);
  });

  test.each(['', '?tls.rejectUnauthorized=false', '?ignoreTLS=true&tls.rejectUnauthorized=false'])('an unknown issuer is rejected over smtps, with any parameters of the URL: "%s"', async (query) => {
    const { port, caught } = await catching({ secure: true, cert: certificate('selfSigned'), key: certificate('selfSigned.key') });
    const failure = await failureOf(mailerFor(`smtps://127.0.0.1:${port}${query}`).send({ to, subject: 's', text: 't' }));
    expect(['tls', 'unreachable']).toContain(failure.code);
    expect(caught).toHaveLength(0);
  });

  test('nobody listens', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await failureOf(mailerFor(`smtp://127.0.0.1:${port}`).send({ to, subject: 's', text: 't' }))).toMatchObject({ code: 'unreachable', permanent: false });
  });

  test.each([
    ['says nothing', (socket: net.Socket) => void socket.pause()],
    ['greets and says no more', (socket: net.Socket) => void socket.write('220 mail.example.com ESMTP\r\n')],
    [
      'drips its replies',
      (socket: net.Socket) => {
        socket.write('220 mail.example.com ESMTP\r\n');
        const timer = setInterval(() => socket.write('250-mail.example.com\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('a server that %s is left in time', async (_what, handle) => {
    const server = await startRaw(handle);
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from, timeoutMs: 150 });
    mailers.push(mailer);
    const startedAt = performance.now();
    expect(await failureOf(mailer.send({ to, subject: 's', text: 't' }))).toMatchObject({ code: 'timeout', permanent: false });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await server.close();
  });

  test('close lets what is under way end and takes nothing more', async () => {
    const { port, caught } = await catching();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    const sending = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => mailer.send({ to, subject: 's', text: 't' })));
    await mailer.close();
    await sending;
    expect(caught).toHaveLength(8);
    expect(await failureOf(mailer.send({ to, subject: 's', text: 't' }))).toMatchObject({ code: 'closed' });
  });

  test.each(['http://127.0.0.1', 'smtp:', 'confidential:password'])('not the URL of a mail server: %s', (smtpUrl) => {
    expect(() => createMailer({ smtpUrl, from })).toThrow('The URL of the mail server must begin with smtp:// or smtps://');
  });
});
