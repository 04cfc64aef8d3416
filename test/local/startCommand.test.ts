import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Joi from 'joi';
import { recordFilePath } from '../../local/options';
import { ProcessRecord } from '../../local/processRecord';
import { projectRoot } from '../../local/projectRoot';

const root = projectRoot();
const manifest = Joi.attempt(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), Joi.object<{ scripts: { start: string } }>({
  scripts: Joi.object({ start: Joi.string().required() }).unknown().required(),
}).unknown());

let folder: string;
let localDir: string;
const inFolder = (name: string): string => join(folder, name);

/** A checkout whose build and stack only leave a note that they ran. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  localDir = inFolder('.local');
  mkdirSync(inFolder('dist/local'), { recursive: true });
  mkdirSync(localDir);
  writeFileSync(inFolder('package.json'), JSON.stringify({ scripts: { start: manifest.scripts.start, build: 'touch built' } }));
  writeFileSync(inFolder('dist/local/main.js'), "require('node:fs').writeFileSync('started', '');");
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What an earlier build left: the very program that asks, run from its source. */
function writeEarlierBuild(): void {
  const program = ['test/support/compileSource.js', 'local/checkNotRunning.ts'].map((file) => `require(${JSON.stringify(join(root, file))});`);
  writeFileSync(inFolder('dist/local/checkNotRunning.js'), program.join('\n'));
}

const errorOf = Joi.object<{ code: number; stderr: string }>({ code: Joi.number().required(), stderr: Joi.string().required() }).unknown();

const npmStart = () =>
  promisify(execFile)('npm', ['start'], { cwd: folder, env: { ...process.env, LOCAL_DIR: localDir } }).then(
    () => ({ code: 0, stderr: '' }),
    (error: unknown) => Joi.attempt(error, errorOf),
  );
const ran = () => ['built', 'started'].filter((what) => existsSync(inFolder(what)));

it('npm start says at once that the stack runs already, and builds nothing under its processes', async () => {
  writeEarlierBuild();
  const { record } = await ProcessRecord.claim(recordFilePath(localDir));
  const { code, stderr } = await npmStart();
  expect([code, stderr, ran()]).toEqual([1, expect.stringMatching(new RegExp(`^✗ The stack runs already on .+, as process ${process.pid}: stop that one first$`, 'm')), []]);
  await record.release(0);
  expect([(await npmStart()).code, ran()]).toEqual([0, ['built', 'started']]);
});

it.each([
  ['nothing has been built yet', undefined],
  ['an earlier build was broken off', "require('./gone.js');"],
])('npm start builds and starts where %s', async (_what, program) => {
  if (program !== undefined) writeFileSync(inFolder('dist/local/checkNotRunning.js'), program);
  expect([(await npmStart()).code, ran()]).toEqual([0, ['built', 'started']]);
});
