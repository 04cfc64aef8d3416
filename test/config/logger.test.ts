import { execFile } from 'node:child_process';
import { join } from 'node:path';
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
