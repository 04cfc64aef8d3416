import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Launch } from '../../local/launch';
import { beginLog } from '../../local/processes';
import { ProcessRecord } from '../../local/processRecord';
import { createProgress } from '../../local/progress';
import { supervisedLauncher, restartBudget } from '../../local/supervise';

let folder: string;
let record: ProcessRecord;
let said: string[];
let starts: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'supervise-'));
  ({ record } = await ProcessRecord.claim(join(folder, 'processes.json')));
  said = [];
  starts = 0;
});
afterEach(async () => {
  await record.release(100);
  rmSync(folder, { recursive: true, force: true });
});

const program = (code: string): Launch => ({
  name: 'worker',
  program: process.execPath,
  args: ['-e', code, folder],
  logFile: join(folder, 'worker.log'),
  stopSignal: 'SIGTERM',
  readyWithinMs: 5_000,
  prepare: async () => { starts += 1; },
  ready: async () => undefined,
});

function supervision(): { gaveUp: Promise<Error>; launcher: ReturnType<typeof supervisedLauncher> } {
  let launcher: ReturnType<typeof supervisedLauncher> | undefined;
  const gaveUp = new Promise<Error>((resolve) => {
    const progress = createProgress((line) => said.push(line), 'every step');
    launcher = supervisedLauncher({ record, progress, signal: new AbortController().signal, onGiveUp: resolve });
  });
  if (launcher === undefined) throw new Error('No launcher');
  return { gaveUp, launcher };
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test('a log that is begun keeps those of the 20 runs before', () => {
  const file = join(folder, 'api.log');
  beginLog(file);
  for (let run = 1; run <= 22; run += 1) {
    writeFileSync(file, `run ${run}`);
    beginLog(file);
    beginLog(file);
  }
  expect(['', '.1', '.2', '.20'].map((end) => readFileSync(`${file}${end}`, 'utf8'))).toEqual(['', 'run 22', 'run 21', 'run 3']);
  expect(existsSync(`${file}.21`)).toBe(false);
});

test('the logs of earlier runs that take more than 200 MiB together go, the oldest first, and that of the run before stays', () => {
  const file = join(folder, 'api.log');
  const present = (): boolean[] => ['.1', '.2', '.3'].map((end) => existsSync(`${file}${end}`));
  for (const mebibytes of [90, 100, 150]) {
    writeFileSync(file, '');
    truncateSync(file, mebibytes * 1024 * 1024);
    beginLog(file);
  }
  expect(present()).toEqual([true, false, false]);
  for (const _run of ['first', 'second']) {
    writeFileSync(file, 'short');
    beginLog(file);
  }
  expect(present()).toEqual([true, true, true]);
});

test('a program that dies is reported, with its last lines, and started again', async () => {
  const { launcher } = supervision();
  const running = await launcher(program(`
    const { existsSync, writeFileSync } = require('node:fs');
    const died = process.argv[1] + '/died';
    setInterval(() => {}, 1000);
    if (!existsSync(died)) { writeFileSync(died, ''); console.log('out of luck'); process.exit(7); }
  `));
  await until(() => said.some((line) => line.includes('✓ Restarting worker')));
  expect(said.join('\n')).toMatch(/worker died: exit code 7\. The last lines of .*worker\.log:\n {4}out of luck/);
  expect(starts).toBe(2);
  await running.stop(500);
});

test('one that keeps dying is given up', async () => {
  const { gaveUp, launcher } = supervision();
  const first = join(folder, 'first');
  writeFileSync(first, '');
  // Its first start lasts long enough to count as one.
  await launcher(program(`
    const { existsSync, rmSync } = require('node:fs');
    const first = process.argv[1] + '/first';
    if (existsSync(first)) { rmSync(first); setTimeout(() => process.exit(1), 200); } else process.exit(1);
  `));
  expect((await gaveUp).message).toContain(`worker ended more than ${restartBudget.times} times within 60 s`);
  expect(starts).toBe(1 + restartBudget.times);
});

test('one that is stopped stays stopped', async () => {
  const { launcher } = supervision();
  const running = await launcher(program('setInterval(() => {}, 1000)'));
  await running.stop(500);
  expect({ starts, said }).toEqual({ starts: 1, said: [] });
});
