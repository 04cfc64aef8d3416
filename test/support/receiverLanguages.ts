import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { codeBlock, compileTypeScript } from './documents';
import { eventually } from './eventually';

const document = 'docs/receivers.md';

/** How the receiver of a language is run: with the first command whose program is on PATH. */
export interface ReceiverLanguage {
  language: string;
  file: string;
  commands: readonly { program: string; script: string }[];
}

/** Every receiver of docs/receivers.md. */
export const receiverLanguages: readonly ReceiverLanguage[] = [
  { language: 'TypeScript', file: 'receiver.ts', commands: [{ program: 'node', script: 'exec node receiver.js' }] },
  { language: 'Python', file: 'receiver.py', commands: [{ program: 'python3', script: 'exec python3 receiver.py' }] },
  { language: 'PHP', file: 'receiver.php', commands: [{ program: 'php', script: 'exec php -S 127.0.0.1:$PORT receiver.php' }] },
  { language: 'Ruby', file: 'receiver.rb', commands: [{ program: 'ruby', script: 'exec ruby receiver.rb' }] },
  { language: 'Java', file: 'Receiver.java', commands: [{ program: 'javac', script: 'exec java Receiver.java' }] },
  {
    language: 'C#',
    file: 'Receiver.cs',
    commands: [{ program: 'dotnet', script: 'exec dotnet run Receiver.cs' }, { program: 'mcs', script: 'mcs Receiver.cs && exec mono Receiver.exe' }],
  },
  { language: 'Go', file: 'receiver.go', commands: [{ program: 'go', script: 'go build -o receiver receiver.go && exec ./receiver' }] },
];

/** Whether a program is on PATH. */
export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const commandOf = ({ commands }: ReceiverLanguage): string | undefined => commands.find(({ program }) => isOnPath(program))?.script;

/** The languages that this machine can run. */
export const presentLanguages = receiverLanguages.filter((language) => commandOf(language) !== undefined);

/** What this machine cannot run, each with what it lacks. */
export const absentLanguages = receiverLanguages
  .filter((language) => commandOf(language) === undefined)
  .map(({ language, commands }) => `${language} (no ${commands.map(({ program }) => program).join(' or ')} on PATH)`);

/** A receiver of the document, running. */
export interface DocumentedReceiver {
  url: string;
  /** Its folder. */
  folder: string;
  /** What it has printed so far. */
  printed: () => string;
  stop(): Promise<void>;
}

async function end(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null || running.pid === undefined) return;
  const ended = once(running, 'exit');
  // The whole group: a launcher may have started a program of its own.
  process.kill(-running.pid, 'SIGTERM');
  await ended;
}

/**
 * Writes the receiver down as the document has it, starts it, and resolves when it refuses what is not signed. Fails with
 * what it wrote if it ends, or answers that it cannot work.
 */
export async function startDocumentedReceiver(
  language: ReceiverLanguage,
  port: number,
  secrets: readonly string[],
  variables: Record<string, string | undefined> = {},
): Promise<DocumentedReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  const { file } = language;
  const code = codeBlock(document, file);
  writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), file.endsWith('.ts') ? compileTypeScript(code) : code);
  mkdirSync(join(folder, 'received'));
  const environment = { ...process.env, PORT: String(port), WEBHOOK_SECRETS: secrets.join(' '), RECEIVED_FOLDER: 'received', ...variables };
  const running = spawn('sh', ['-c', commandOf(language) ?? 'exit 127'], { cwd: folder, env: environment, detached: true });
  let printed = '';
  let errors = '';
  running.stdout.on('data', (chunk: Buffer) => { printed += chunk.toString(); });
  running.stderr.on('data', (chunk: Buffer) => { errors += chunk.toString(); });
  const url = `http://127.0.0.1:${port}/hooks`;
  const stop = async (): Promise<void> => {
    await end(running);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(`${file} refuses what is not signed`, async () => {
      if (running.exitCode !== null) throw new Error(`${file} ended with ${running.exitCode}: ${errors}`);
      const answered = await fetch(url, { method: 'POST', body: '{}' }).then(({ status }) => status, () => 0);
      // What it says of the error may come after the answer.
      if (answered === 500 && /error|exception|Set [A-Z]/i.test(errors)) throw new Error(`${file} answers 500: ${errors}`);
      return answered === 401;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, folder, printed: () => printed, stop };
}
