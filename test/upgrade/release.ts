import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { readJson } from '../../local/jsonFile';
import { runToEnd } from '../../local/processes';
import type { ProcessRecord } from '../../local/processRecord';
import type { Progress } from '../../local/progress';
import { projectRoot } from '../../local/projectRoot';

/** A built release: a folder with `dist` and `node_modules`. */
export interface Release {
  name: string;
  folder: string;
}

/** What building a release takes. */
interface BuildDeps {
  record: ProcessRecord;
  progress: Progress;
  /** Where the builds of releases stay for the next run. */
  folder: string;
  logs: string;
}

const installWithinMs = 5 * 60_000;
const buildWithinMs = 5 * 60_000;

const gitIn = (folder: string) => (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
const git = gitIn(projectRoot());

const packageSchema = Joi.object<{ version: string }>({ version: Joi.string().required() }).unknown();

/** The release of this checkout, which `npm run build` has built. */
export function thisRelease(): Release {
  const folder = projectRoot();
  const described = readJson(join(folder, 'package.json'), packageSchema);
  if (described === undefined) throw new Error('package.json has no version');
  return { name: `v${described.version}`, folder };
}

interface ReleaseCommit {
  /** Its tag: `v` and the version. */
  name: string;
  commit: string;
}

/** The releases in the history of a checkout, newest first, each with its last commit: a clone may come without tags. */
export function releasesByVersion(checkout = projectRoot()): ReleaseCommit[] {
  const log = gitIn(checkout);
  // A version may come in a merge, whose changes git shows only when asked to.
  const changes = log('log', '--format=%H', '-m', '--first-parent', '-G', '"version": ', 'HEAD', '--', 'package.json').split('\n').filter((line) => line !== '');
  return changes.map((commit, nth) => {
    const { version } = Joi.attempt(JSON.parse(log('show', `${commit}:package.json`)), packageSchema);
    const next = changes[nth - 1];
    return { name: `v${version}`, commit: log('rev-parse', next === undefined ? 'HEAD' : `${next}^`) };
  });
}

/** The name of the newest release before this one in the history of this checkout. */
export function releaseBefore({ name }: Release): string {
  const before = releasesByVersion().find((release) => release.name !== name);
  if (before === undefined) throw new Error('The history of this checkout has no release before this one: git fetch --unshallow');
  return before.name;
}

/** Whether a release is older than another one, by their names. */
export const isBefore = (name: string, other: string): boolean => name.localeCompare(other, 'en', { numeric: true }) < 0;

/** The commit of a release: what its tag names, or its last commit. */
function commitOf(name: string): string {
  const tagged = git('tag', '--list', name);
  if (tagged !== '') return git('rev-parse', '--verify', `${name}^{commit}`);
  const released = releasesByVersion().find((release) => release.name === name);
  if (released === undefined) throw new Error(`The history of this checkout has no release ${name}: git fetch --tags --unshallow`);
  return released.commit;
}

/** What npm installs: everything after the version of the project itself. */
function dependenciesIn(folder: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  return lock.slice(lock.indexOf('"dependencies"'));
}

/** Builds a release by its name, once; with the packages of this checkout if they are the same, else with its own. */
export async function buildRelease(tag: string, { record, progress, folder, logs }: BuildDeps): Promise<Release> {
  const commit = commitOf(tag);
  const built = join(folder, `${tag}-${commit.slice(0, 12)}`);
  if (existsSync(built)) return { name: tag, folder: built };
  const draft = `${built}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const run = (name: string, program: string, args: string[], withinMs: number): Promise<void> =>
    runToEnd({ name: `${name} of ${tag}`, program, args, cwd: draft, logFile: join(logs, `${name}-${tag}.log`), stopSignal: 'SIGTERM' }, record, withinMs);
  await progress.step(`Build of ${tag}, once`, async () => {
    const archive = join(draft, 'release.tar');
    git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', 'tar', ['-xf', archive], installWithinMs);
    rmSync(archive);
    if (dependenciesIn(draft) === dependenciesIn(projectRoot())) symlinkSync(join(projectRoot(), 'node_modules'), join(draft, 'node_modules'));
    else await run('install', 'npm', ['ci', '--no-audit', '--no-fund'], installWithinMs);
    await run('build', 'npm', ['run', '--silent', 'build'], buildWithinMs);
  });
  renameSync(draft, built);
  return { name: tag, folder: built };
}

/** The compiled program of a release; that of the worker was in another folder up to 0.6.0. */
export function programOf({ folder }: Release, name: 'api' | 'worker' | 'migrate'): string {
  const names = { api: ['api/main.js'], worker: ['worker/main.js', 'activities/main.js'], migrate: ['db/migrateMain.js'] }[name];
  const found = names.map((path) => join(folder, 'dist', path)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${folder} has no program ${name}`);
  return found;
}
