import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { aloneOptions, combineRuns, deservesSecondRun, type RunReport } from '../command/secondRun';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- Jest loads its reporters as they are: they are no TypeScript
const { brokenLimits, limits, timesOf } = require('../support/jest/pace.js') as {
  limits: { fromFiles: number };
  timesOf: (results: unknown[]) => object;
  brokenLimits: (times: object) => string[];
};
const root = projectRoot();

/** Runs Jest over these files as this project does, without a stack; returns what it wrote, its exit code and its report, which takes the place of the closing line. */
function reportOn(files: Record<string, string>, options: readonly string[] = []): { code: number | null; output: string; report: RunReport } {
  const { report, ...ended } = runFiles(files, options, true);
  if (report === undefined) throw new Error(`The run wrote no report: ${ended.output}`);
  return { ...ended, report };
}

/** The same with the closing line; returns what it wrote and its exit code. */
function runFiles(files: Record<string, string>, options: readonly string[] = [], withReport = false): { code: number | null; output: string; report?: RunReport } {
  mkdirSync(join(root, '.local'), { recursive: true });
  const folder = mkdtempSync(join(root, '.local', 'runner-'));
  try {
    mkdirSync(join(folder, 'test'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    writeFileSync(join(folder, 'jest.config.js'), `module.exports = {
      rootDir: ${JSON.stringify(folder)}, transform: { '\\\\.ts$': [${JSON.stringify(require.resolve('@swc/jest'))}, { sourceMaps: 'inline' }] },
      testRunner: ${JSON.stringify(join(root, 'test/support/jest/keptModules.js'))},
      testEnvironment: ${JSON.stringify(join(root, 'test/support/jest/oneRealm.js'))},
      reporters: ['default', ${JSON.stringify(join(root, 'test/support/jest/closingLines.js'))}],
    };`);
    const report = join(folder, 'report.json');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [require.resolve('jest/bin/jest'), '--config', join(folder, 'jest.config.js'), '--runInBand', ...options, '--no-watchman'],
      { cwd: folder, encoding: 'utf8', timeout: 60_000, env: { PATH: process.env.PATH, ...(withReport ? { TEST_RUN_REPORT: report } : {}) } },
    );
    const ended = { code: status, output: stdout + stderr };
    return withReport ? { ...ended, report: JSON.parse(readFileSync(report, 'utf8')) as RunReport } : ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const counter = 'let count = 0; module.exports = { next: () => (count += 1) };';

it('a source is loaded once per process, a file of tests again for each test file', () => {
  const file = `const source = require('../source.js'); const support = require('./support.js');
test('counts', () => { process.stdout.write('source ' + source.next() + ', support ' + support.next() + '\\n'); });`;
  const { code, output } = runFiles({
    'source.js': counter, 'test/support.js': counter, 'test/a.test.js': file, 'test/b.test.js': file, 'test/c.test.js': file,
  });
  expect(output.match(/source \d, support \d/g)).toEqual(['source 1, support 1', 'source 2, support 1', 'source 3, support 1']);
  expect(output).toContain('3 passed, 0 failed');
  expect(code).toBe(0);
});

it('what a test file does to the environment, the console and the globals of Jest ends with it', () => {
  const file = `test('finds nothing left behind', () => {
  expect(process.env.LEFT_BEHIND).toBeUndefined();
  expect(jest.isMockFunction?.(Math.max) ?? Math.max.mock).toBeFalsy();
  expect(Date.now()).toBeGreaterThan(1_000_000);
  process.env.LEFT_BEHIND = 'yes';
  jest.spyOn(Math, 'max').mockImplementation(() => 0);
  jest.useFakeTimers({ now: 0 });
});`;
  expect(runFiles({ 'test/a.test.js': file, 'test/b.test.js': file }).output).toContain('2 passed, 0 failed');
});

it('a test file that has ended is not kept at hand', () => {
  const file = (name: string) => `require('./support.js');
test('${name}', () => { const others = module.parent.children.map(({ filename }) => filename.slice(-9)).filter((name) => name.endsWith('.test.js')); expect(others).toEqual(['${name}.test.js']); });`;
  const { output } = runFiles({ 'test/support.js': '', 'test/a.test.js': file('a'), 'test/b.test.js': file('b') });
  expect(output).toContain('2 passed, 0 failed');
});

it('a failure in TypeScript names the line of the source, in the second file that loads it too', () => {
  const source = `interface Removed { by: 'the compiler' }\n\n\nexport function fail(): never {\n  throw new Error('on line five');\n}\n`;
  const file = "import { fail } from '../source';\ntest('fails', () => { fail(); });\n";
  const { output } = runFiles({ 'source.ts': source, 'test/a.test.ts': file, 'test/b.test.ts': file });
  expect(output.match(/source\.ts:5:/g)).toHaveLength(2);
  expect(output).toContain('0 passed, 2 failed');
});

it('a file that cannot be run is one failed, and a rejection that nobody handles fails its test', () => {
  const { code, output } = runFiles({
    'test/a.test.js': "throw new Error('no test');",
    'test/b.test.js': "test('rejects', async () => { void Promise.reject(new Error('unheard')); await new Promise((done) => setTimeout(done, 50)); });",
  });
  expect(output).toContain('0 passed, 2 failed');
  expect(code).toBe(1);
});

it('a test that fails before it has ended what it started does not keep a run alone from ending', () => {
  const { code, output } = runFiles({ 'test/a.test.js': "test('leaves a server', () => { require('node:http').createServer().listen(0, '127.0.0.1'); throw new Error('failed'); });" }, aloneOptions);
  expect(output).toContain('0 passed, 1 failed');
  expect(code).toBe(1);
});

describe('the pace of a whole run', () => {
  const file = (totalMs: number, cpuOutsideMs = 200, name = 'rules') => ({
    testFilePath: `/project/test/${totalMs}.test.ts`, displayName: { name }, perfStats: { runtime: totalMs, cpuOutsideMs }, testResults: [{ duration: totalMs / 2 }],
  });
  const run = (...special: ReturnType<typeof file>[]) => [...Array.from({ length: limits.fromFiles }, () => file(800)), ...special];

  it.each([
    ['a file of more than 20 s, and of more than 40 median files', run(file(32_500)), 1],
    ['a run with files of other sets', run(file(90_000), file(60_000, 200, 'faults')), 0],
    ['a long file among files that are all slow, as on a busy machine', run(file(32_500)).map((each) => ({ ...each, perfStats: { ...each.perfStats, runtime: Math.max(each.perfStats.runtime, 1_600) } })), 0],
    ['what version 0.5.0 took: 1.9 s of CPU to load and prepare a file', Array.from({ length: 305 }, () => file(8_800, 1_900)), 1],
    ['a run of a few files', [file(90_000, 1_900)], 0],
  ])('is broken by none or one limit: %s', (_what, results, broken) => {
    expect(brokenLimits(timesOf(results))).toHaveLength(broken);
  });
});

it('the files that start first are there', () => {
  const longest = JSON.parse(readFileSync(join(root, 'test/support/jest/longest.json'), 'utf8')) as string[];
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('the second run of files that failed', () => {
  const file = (path: string, passed: number, ...failed: string[]) => ({ path, passed, failed });
  const files = (count: number) => Array.from({ length: count }, (_, nth) => file(`file ${nth}`, 1, 'x'));

  it.each([
    ['no failure', { passed: 5, failed: 0, failedFiles: [] }, false],
    ['failures of 20 files', { passed: 20, failed: 20, failedFiles: files(20) }, true],
    ['failures of 21 files', { passed: 21, failed: 21, failedFiles: files(21) }, false],
    ['a failure that belongs to no file', { passed: 5, failed: 2, failedFiles: [file('a', 1, 'x')] }, false],
  ])('is made for few files alone: %s', (_what, report, expected) => {
    expect(deservesSecondRun(report)).toBe(expected);
  });

  it('is made where a file could be neither begun nor ended: each failure belongs to it', () => {
    const { report } = reportOn({
      'test/a.test.js': "beforeAll(() => { throw new Error('no stack'); }); afterAll(() => { throw new Error('nothing to end'); }); test('one', () => {}); test('two', () => {});",
    });
    expect(report).toEqual({ passed: 0, failed: 3, failedFiles: [{ path: 'test/a.test.js', passed: 0, failed: ['one', 'two', 'the file could not be ended'] }] });
    expect(deservesSecondRun(report)).toBe(true);
  });

  it('counts each test once, and names those that passed only then', () => {
    const first = { passed: 100, failed: 3, failedFiles: [file('a', 4, 'x', 'y'), file('b', 2, 'z')] };
    expect(combineRuns(first, { passed: 8, failed: 1, failedFiles: [file('a', 5, 'y')] })).toEqual({
      passed: 102,
      failed: 1,
      unstable: [
        'Unstable: a: "x" failed in the full run and passed when its file ran again alone.',
        'Unstable: b: "z" failed in the full run and passed when its file ran again alone.',
      ],
    });
  });
});
