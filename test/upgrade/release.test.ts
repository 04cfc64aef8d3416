import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { isBefore, releaseBefore, releasesByVersion, thisRelease } from './release';

const gitIn = (folder: string) => (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();

const versionAt = (commit: string): unknown => JSON.parse(gitIn(projectRoot())('show', `${commit}:package.json`)).version;

it('every release of the changelog is in the history, its commit has its version, and the newest one before this is the release before', () => {
  const releases = releasesByVersion();
  for (const { name, commit } of releases) expect(`v${String(versionAt(commit))}`).toBe(name);
  const now = thisRelease();
  const before = releases.map(({ name }) => name).filter((name) => name !== now.name);
  const changelog = readFileSync(join(projectRoot(), 'CHANGELOG.md'), 'utf8');
  const written = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, version]) => `v${String(version)}`).filter((name) => name !== now.name);
  expect(written.length).toBeGreaterThan(0);
  expect(before.filter((name) => written.includes(name))).toEqual(written);
  expect(releaseBefore(now)).toBe(before[0]);
});

it('releases are in the order of their numbers, not of their texts', () => {
  const names = releasesByVersion().map(({ name }) => name).reverse();
  expect([...names].sort((one, other) => (isBefore(one, other) ? -1 : 1))).toEqual(names);
  expect(isBefore('v0.9.0', 'v0.14.0')).toBe(true);
  expect(isBefore('v0.14.0', 'v0.14.0')).toBe(false);
});

describe('in a history whose versions came in commits and in merges', () => {
  let folder: string;

  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'releases-')); });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('each release has the last commit before the next version came', () => {
    const git = gitIn(folder);
    const write = (version: string): void => writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'example', version }, null, 2));
    const commit = (message: string): string => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD');
    };
    git('init', '--quiet', '--initial-branch', 'main');
    write('0.1.0');
    commit('0.1.0');
    const lastOfFirst = commit('The last of 0.1.0');
    git('checkout', '--quiet', '-b', 'side');
    commit('A change');
    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', '--no-ff', '--no-commit', 'side');
    write('0.2.0');
    commit('The merge brings 0.2.0');
    const lastOfSecond = commit('The last of 0.2.0');
    write('0.2.1');
    const newest = commit('0.2.1');
    expect(releasesByVersion(folder)).toEqual([{ name: 'v0.2.1', commit: newest }, { name: 'v0.2.0', commit: lastOfSecond }, { name: 'v0.1.0', commit: lastOfFirst }]);
  });
});
