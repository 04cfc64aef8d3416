import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { startMailCatcher } from '../../../local/programs/mailCatcher';
import { eventually } from '../eventually';

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
  const waitFor: CaughtMail['waitFor'] = (predicate, timeoutMs) => {
    let caught: ParsedMail[] = [];
    const subjects = (): string => caught.map(({ subject }) => subject ?? '(no subject)').join(', ');
    return eventually(() => `such a mail; there were ${caught.length}: ${subjects()}`, async () => {
      caught = await messages();
      return caught.find(predicate);
    }, timeoutMs);
  };
  return { url: catcher.url, mail: { folder, messages, waitFor }, stop: () => catcher.stop() };
}
