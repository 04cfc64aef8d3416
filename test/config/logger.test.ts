import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..');

/** What a process logs of this, line by line. */
async function logged(entry: object): Promise<string> {
  const program = `require('./config/logger').createLogger('test', 'info').info(${JSON.stringify(entry)}, 'planted')`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-r', join(root, 'test', 'support', 'fromSource.js'), '-e', program], { cwd: root });
  return stdout;
}

it('fields that hold secrets or addresses are blotted out, to the third level', async () => {
  const names = [
    'authorization', 'cookie', 'password', 'api_key', 'secret', 'code', 'codes', 'session', 'token', 'hidden_key_b64',
    'email', 'personal_email', 'guardian_email', 'admin_email',
  ];
  const fields = Object.fromEntries(names.map((name) => [name, `planted ${name}`]));
  const line = await logged({ ...fields, kept: 'kept', body: { ...fields, of: fields } });
  expect(line).toContain('"kept":"kept"');
  expect(line).not.toContain('planted ');
  expect(line.split('[redacted]')).toHaveLength(names.length * 3 + 1);
});

/** Starts a process that runs `statements` with a logger. */
const start = (statements: string) =>
  spawn(process.execPath, ['-r', join(root, 'test', 'support', 'fromSource.js'), '-e', `const logger = require('./config/logger').createLogger('test', 'info'); ${statements}`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

it('a line is written while its process goes on', async () => {
  const running = start("logger.info('planted'); setInterval(() => undefined, 60_000);");
  const [written] = await once(running.stdout, 'data');
  running.kill('SIGKILL');
  expect(String(written)).toContain('planted');
});

it('a warning and the lines before it are written at once: they outlive a process that is killed', async () => {
  const killed = start("logger.info('planted first'); logger.warn('planted second'); process.kill(process.pid, 'SIGKILL');");
  const lines = await text(killed.stdout);
  expect(lines.match(/planted \w+/g)).toEqual(['planted first', 'planted second']);
});
