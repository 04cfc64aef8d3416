import { SMTPServer } from 'smtp-server';
import { freePort } from '../../local/ports';

/** A letter as the mail server took it. */
export interface TakenLetter {
  to: string;
  messageId: string;
}

/** A mail server that can refuse, put off, and be away; it keeps recipient and Message-ID alone, so that it holds thousands. */
export interface PostOffice {
  readonly url: string;
  readonly taken: TakenLetter[];
  /** The reply to the nth naming of a recipient, 250 to take the letter. */
  answer: (to: string, nth: number) => number;
  /** How often each recipient was named. */
  readonly named: ReadonlyMap<string, number>;
  /** Nobody listens until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
}

const messageIdOf = (mail: string): string => /^message-id:\s*(<[^>]*>)/im.exec(mail)?.[1] ?? '';

/** Opens a mail server on a port that stays its own; close it in `afterAll`. */
export async function openPostOffice(): Promise<PostOffice> {
  const port = await freePort();
  const named = new Map<string, number>();
  const taken: TakenLetter[] = [];
  let server: SMTPServer | undefined;
  const office: PostOffice = {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    named,
    answer: () => 250,
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
          const nth = (named.get(address) ?? 0) + 1;
          named.set(address, nth);
          const responseCode = office.answer(address, nth);
          done(responseCode === 250 ? null : Object.assign(new Error(`<${address}> not now`), { responseCode }));
        },
        onData: (stream, { envelope }, done) => {
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            const messageId = messageIdOf(Buffer.concat(chunks).toString('utf8'));
            for (const { address } of envelope.rcptTo) taken.push({ to: address, messageId });
            done();
          });
        },
      });
      opening.on('error', () => undefined);
      await new Promise<void>((resolve) => opening.listen(port, '127.0.0.1', resolve));
      server = opening;
    },
  };
  await office.open();
  return office;
}
