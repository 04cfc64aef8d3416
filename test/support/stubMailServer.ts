import { SMTPServer } from 'smtp-server';
import { freePort } from '../../local/ports';

/** An email that the mail server accepted. */
export interface AcceptedEmail {
  to: string;
  messageId: string;
}

/** A mail server that can refuse, defer and be unavailable; it stores only recipient and Message-ID, so that it can hold thousands. */
export interface StubMailServer {
  readonly url: string;
  readonly accepted: AcceptedEmail[];
  /** The reply to the nth naming of a recipient, 250 to accept the email. */
  replyCode: (to: string, nth: number) => number;
  /** How often each recipient was named. */
  readonly recipientCounts: ReadonlyMap<string, number>;
  /** Nobody listens until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
}

const messageIdOf = (mail: string): string => /^message-id:\s*(<[^>]*>)/im.exec(mail)?.[1] ?? '';

/** Opens a mail server on a port that stays its own; close it in `afterAll`. */
export async function startStubMailServer(): Promise<StubMailServer> {
  const port = await freePort();
  const recipientCounts = new Map<string, number>();
  const accepted: AcceptedEmail[] = [];
  let server: SMTPServer | undefined;
  const mailServer: StubMailServer = {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    recipientCounts,
    replyCode: () => 250,
    close: async () => {
      const closing = server;
      server = undefined;
      if (closing !== undefined) await new Promise<void>((resolve) => closing.close(() => { resolve(); }));
    },
    open: async () => {
      const opening = new SMTPServer({
        authOptional: true,
        disabledCommands: ['AUTH', 'STARTTLS'],
        disableReverseLookup: true,
        closeTimeout: 100,
        onRcptTo: ({ address }, _session, done) => {
          const nth = (recipientCounts.get(address) ?? 0) + 1;
          recipientCounts.set(address, nth);
          const responseCode = mailServer.replyCode(address, nth);
          done(responseCode === 250 ? null : Object.assign(new Error(`<${address}> not now`), { responseCode }));
        },
        onData: (stream, { envelope }, done) => {
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            const messageId = messageIdOf(Buffer.concat(chunks).toString('utf8'));
            for (const { address } of envelope.rcptTo) accepted.push({ to: address, messageId });
            done();
          });
        },
      });
      opening.on('error', () => undefined);
      await new Promise<void>((resolve) => opening.listen(port, '127.0.0.1', resolve));
      server = opening;
    },
  };
  await mailServer.open();
  return mailServer;
}
