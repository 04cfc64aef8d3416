import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { startMailCatcher } from '../../../local/programs/mailCatcher';
import { pause } from '../../../local/waitUntil';

/** A message as it arrived. */
export type ParsedMail = Email;

export interface CaughtMail {
  /** The folder of messages, a file each. */
  readonly folder: string;
  /** Every message so far, the oldest first. */
  messages(): Promise<ParsedMail[]>;
  /** The oldest message of which `predicate` is true; throws when none has come after `timeoutMs`. */
  waitFor(predicate: (mail: ParsedMail) => boolean, timeoutMs?: number): Promise<ParsedMail>;
}

const pollIntervalMs = 20;

/** A mail catcher inside this process, and what it has caught. */
export async function catchMail(folder: string): Promise<{ url: string; mail: CaughtMail; stop(): Promise<void> }> {
  const catcher = await startMailCatcher({ folder });
  const parsed = new Map<string, Promise<ParsedMail>>();
  const messages = (): Promise<ParsedMail[]> => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml')).sort();
    return Promise.all(names.map((name) => {
      const known = parsed.get(name) ?? PostalMime.parse(readFileSync(join(folder, name)));
      parsed.set(name, known);
      return known;
    }));
  };
  const waitFor: CaughtMail['waitFor'] = async (predicate, timeoutMs = 180_000) => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const caught = await messages();
      const found = caught.find(predicate);
      if (found !== undefined) return found;
      if (Date.now() >= deadline) {
        const subjects = caught.map(({ subject }) => subject ?? '(no subject)').join(', ');
        throw new Error(`No such mail within ${timeoutMs} ms; there were ${caught.length}: ${subjects}`);
      }
      await pause(pollIntervalMs);
    }
  };
  return { url: catcher.url, mail: { folder, messages, waitFor }, stop: () => catcher.stop() };
}
