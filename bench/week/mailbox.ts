import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../local/waitUntil';

const withinMs = 60_000;

/** The codes in emails of the stack's mail catcher, by mailbox; each file is read once. */
export class Mailbox {
  private readonly read = new Set<string>();
  private readonly codes = new Map<string, string>();

  constructor(private readonly folder: string) {}

  /** Returns the newest code sent to an address; waits for the first. */
  async codeFor(address: string): Promise<string> {
    let code: string | undefined;
    await waitUntil({
      what: `a code for ${address}`,
      withinMs,
      check: () => {
        this.readNewFiles();
        code = this.codes.get(address);
        return code === undefined ? Promise.reject(new Error('No email')) : Promise.resolve();
      },
    });
    return code ?? '';
  }

  private readNewFiles(): void {
    for (const name of readdirSync(this.folder)) {
      if (!name.endsWith('.eml') || this.read.has(name)) continue;
      this.read.add(name);
      const mail = readFileSync(join(this.folder, name), 'utf8');
      const code = /^ {4}(\d{6})\s*$/m.exec(mail)?.[1];
      const to = /^To: <?([^\s>]+)>?/m.exec(mail)?.[1];
      if (code !== undefined && to !== undefined) this.codes.set(to, code);
    }
  }
}
