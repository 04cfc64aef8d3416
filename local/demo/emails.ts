import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A caught letter: its file, whom it went to, and the whole of it. */
export interface CaughtLetter {
  file: string;
  to: string;
  mail: string;
}

/** A header without its blanks: long ones go on in the next line. */
const headerOf = (mail: string, name: string): string => new RegExp(`^${name}:[ \t]*(.*(?:\r?\n[ \t]+.*)*)`, 'im').exec(mail)?.[1]?.trim() ?? '';

/** Reads each file of the mail folder once, and answers the letters so far whose Message-ID begins like that, to anybody or to one address. */
export function letterBox(folder: string, messageId: string, addressee?: string): () => CaughtLetter[] {
  const read = new Set<string>();
  const found: CaughtLetter[] = [];
  return () => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.eml') || read.has(name)) continue;
      read.add(name);
      const mail = readFileSync(join(folder, name), 'utf8');
      const to = headerOf(mail, 'to').replace(/^.*<|>.*$/g, '');
      const isWanted = headerOf(mail, 'message-id').startsWith(`<${messageId}`) && (addressee ?? to) === to;
      if (isWanted) found.push({ file: join(folder, name), to, mail });
    }
    return found;
  };
}

/** Waits until so many letters have come, or no longer; answers those that have. */
export async function letters(look: () => CaughtLetter[], count: number, withinMs: number): Promise<CaughtLetter[]> {
  const deadline = Date.now() + withinMs;
  while (look().length < count && Date.now() < deadline) await sleep(200);
  return look();
}
