import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, identifySelf, isRunning, type ProcessIdentity } from '../../local/processIdentity';
import { ProcessRecord } from '../../local/processRecord';
import { startProcess } from '../../local/processes';

const sleeping = ['-e', 'setInterval(() => {}, 1000)'];
const deaf = ['-e', "process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)"];

let folder: string;
let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-'));
  file = join(folder, 'processes.json');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function bystander(): ProcessIdentity {
  const child = spawn(process.execPath, sleeping, { detached: true, stdio: 'ignore' });
  children.push(child);
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('The child did not start');
  return identity;
}

const writeRecord = (owner: ProcessIdentity, left: ProcessIdentity): void => writeFileSync(file, JSON.stringify({
  owner, processes: [{ ...left, name: 'left', stopSignal: 'SIGTERM' }],
}));

test('what a killed run left behind is ended by the next', async () => {
  const left = bystander();
  writeRecord({ pid: process.pid, startedAt: 'an earlier process with our number' }, left);
  const { record, leftovers } = await ProcessRecord.claim(file);
  expect(leftovers).toEqual(['left']);
  expect(isRunning(left)).toBe(false);
  await record.release(100);
});

test('a process that only has the same number is left alone', async () => {
  const foreign = bystander();
  writeRecord({ pid: process.pid, startedAt: 'gone' }, { pid: foreign.pid, startedAt: 'another time' });
  const { record, leftovers } = await ProcessRecord.claim(file);
  expect(leftovers).toEqual([]);
  expect(isRunning(foreign)).toBe(true);
  await record.release(100);
});

test('a record whose run is alive is refused, and its processes stay', async () => {
  const child = bystander();
  writeRecord(identifySelf(), child);
  await expect(ProcessRecord.claim(file)).rejects.toThrow(`as process ${process.pid}`);
  expect(isRunning(child)).toBe(true);
});

test('a process is recorded while it runs, and killed when it does not listen', async () => {
  const { record } = await ProcessRecord.claim(file);
  const logFile = join(folder, 'deaf.log');
  const running = await startProcess({ name: 'deaf', program: process.execPath, args: deaf, logFile, stopSignal: 'SIGTERM' }, record);
  expect(readFileSync(file, 'utf8')).toContain(`"pid": ${running.pid}`);
  while (!readFileSync(logFile, 'utf8').includes('deaf')) await new Promise((resolve) => setTimeout(resolve, 10));
  await running.stop(100);
  expect(await running.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(readFileSync(file, 'utf8')).not.toContain(`"pid": ${running.pid}`);
  await record.release(100);
  await expect(startProcess({ name: 'late', program: process.execPath, args: deaf, logFile, stopSignal: 'SIGTERM' }, record))
    .rejects.toThrow('Stopping');
});
