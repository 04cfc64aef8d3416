import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A caught email: its file, its recipient and its source. */
export interface CaughtEmail {
  file: string;
  to: string;
  source: string;
}

/** A header without its blanks: long ones go on in the next line. */
const headerOf = (source: string, name: string): string => new RegExp(`^${name}:[ \t]*(.*(?:\r?\n[ \t]+.*)*)`, 'im').exec(source)?.[1]?.trim() ?? '';

/** Returns a function that lists the emails so far whose Message-ID begins with `messageId`, to any address or to one. It reads each file once. */
export function openMailbox(folder: string, messageId: string, addressee?: string): () => CaughtEmail[] {
  const read = new Set<string>();
  const found: CaughtEmail[] = [];
  return () => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.eml') || read.has(name)) continue;
      read.add(name);
      const source = readFileSync(join(folder, name), 'utf8');
      const to = headerOf(source, 'to').replace(/^.*<|>.*$/g, '');
      const isWanted = headerOf(source, 'message-id').startsWith(`<${messageId}`) && (addressee ?? to) === to;
      if (isWanted) found.push({ file: join(folder, name), to, source });
    }
    return found;
  };
}

/** Waits until `count` emails have arrived, for `withinMs` at most, and returns those that have. */
export async function waitForEmails(readEmails: () => CaughtEmail[], count: number, withinMs: number): Promise<CaughtEmail[]> {
  const deadline = Date.now() + withinMs;
  while (readEmails().length < count && Date.now() < deadline) await sleep(200);
  return readEmails();
}
