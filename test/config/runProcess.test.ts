import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { environmentOf, openPrograms } from '../support/programs';
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

/** Runs a program whose Postgres accepts the connection and answers nothing, sends it SIGTERM by then, and returns how it ended. */
async function endWhileItWaits(program: string): Promise<unknown> {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const asked = new Promise((resolve) => silent.once('connection', resolve));
  const root = join(__dirname, '..', '..');
  const url = `postgres://service:secret@127.0.0.1:${port}/none`;
  const child = spawn(process.execPath, ['-r', join(root, 'test', 'support', 'fromSource.js'), join(root, program)], {
    env: { ...process.env, ...environmentOf(own.settings()), DATABASE_URL: url, DATABASE_DIRECT_URL: '', MIGRATION_DATABASE_URL: url, PORT: '0', PLATFORM_PORT: '0', APP_PORT: '0', WORKER_PORT: '0' },
    // It would end with its input.
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await asked;
  child.kill('SIGTERM');
  const end = await ended;
  silent.close();
  return end;
}

// Without a handler the signal itself would end it, which it does not for the first process of a container.
it.each([['api/main.ts', 0], ['worker/main.ts', 0], ['worker/migrateMain.ts', 1], ['db/migrateMain.ts', 1]])('%s ends on SIGTERM while it waits for Postgres, by itself', async (program, code) => {
  expect(await endWhileItWaits(program)).toEqual({ code, signal: null });
});

it('two signals stop a process once', async () => {
  const programs = openPrograms();
  try {
    const api = await programs.api(own.settings({ logLevel: 'info' }));
    process.kill(api.pid, 'SIGTERM');
    process.kill(api.pid, 'SIGINT');
    expect(await eventually('the end', () => api.ended())).toEqual({ code: 0, signal: null });
    expect(api.output().match(/api is stopping/g)).toHaveLength(1);
  } finally {
    await programs.end();
  }
});
