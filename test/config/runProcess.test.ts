import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { environmentOf } from '../support/programs';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;

beforeAll(async () => {
  own = await stack();
});

afterAll(() => own.stop());

it('a process that cannot listen says why and ends, with nothing of it left alive', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const root = join(__dirname, '..', '..');
  const child = spawn(process.execPath, ['-r', join(root, 'test', 'support', 'fromSource.js'), join(root, 'api', 'main.ts')], {
    env: { ...process.env, ...environmentOf(own.settings()), PORT: '0', PLATFORM_PORT: String(port), APP_PORT: '0' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => taken.close(resolve));
  expect(code).toBe(1);
  expect(said).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
});
