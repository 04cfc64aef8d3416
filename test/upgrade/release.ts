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

const git = (...args: string[]): string => execFileSync('git', args, { cwd: projectRoot(), encoding: 'utf8' }).trim();

const packageSchema = Joi.object<{ version: string }>({ version: Joi.string().required() }).unknown();

/** The release of this checkout, which `npm run build` has built. */
export function thisRelease(): Release {
  const folder = projectRoot();
  const described = readJson(join(folder, 'package.json'), packageSchema);
  if (described === undefined) throw new Error('package.json has no version');
  return { name: `v${described.version}`, folder };
}

/** The newest release before this one: a tag in the history of this checkout. */
export function tagBefore({ name }: Release): string {
  const tag = git('tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-v:refname').split('\n').find((one) => one !== '' && one !== name);
  if (tag === undefined) throw new Error('The history of this checkout has no release before this one: git fetch --tags --unshallow');
  return tag;
}

/** What npm installs: everything after the version of the project itself. */
function dependenciesIn(folder: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  return lock.slice(lock.indexOf('"dependencies"'));
}

/** Builds the release of a tag, once; with the packages of this checkout if they are the same, else with its own. */
export async function buildRelease(tag: string, { record, progress, folder, logs }: BuildDeps): Promise<Release> {
  const commit = git('rev-parse', '--verify', `${tag}^{commit}`);
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
