import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

export interface MailCatcherOptions {
  /** Made when missing; each message becomes a file `<time>-<number>.eml` here, so names sort by arrival. */
  folder: string;
}

export interface MailCatcher {
  url: string;
  stop(): Promise<void>;
}

const maxMessageBytes = 10 * 1024 * 1024;

class MessageTooLarge extends Error {
  readonly responseCode = 552;
}

function requireAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The mail catcher listens on no port');
  return address;
}

/** Accepts mail from anyone on the loopback, for anyone, at most 10 MiB each. */
export async function startMailCatcher({ folder }: MailCatcherOptions): Promise<MailCatcher> {
  mkdirSync(folder, { recursive: true });
  let received = 0;
  const nextName = (): string => {
    received += 1;
    return `${new Date().toISOString().replaceAll(':', '')}-${String(received).padStart(6, '0')}`;
  };
  const storeMessage = async (stream: SMTPServerDataStream): Promise<void> => {
    const name = nextName();
    const draft = join(folder, `${name}.part`);
    await pipeline(stream, createWriteStream(draft));
    if (stream.sizeExceeded) {
      rmSync(draft, { force: true });
      throw new MessageTooLarge(`The message is larger than ${maxMessageBytes} bytes`);
    }
    renameSync(draft, join(folder, `${name}.eml`));
  };
  const server = new SMTPServer({
    size: maxMessageBytes,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onData: (stream, _session, callback) => { storeMessage(stream).then(() => callback(), callback); },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = requireAddress(server.server.address());
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
