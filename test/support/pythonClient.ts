import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cacheFolder, ensureCached } from '../../local/cache';
import { requirePython, writePrograms, type ProgramFolder } from './documents';

const source = join(__dirname, '../../clients/python');
const readme = 'clients/python/README.md';
const requirements = join(source, 'requirements-dev.txt');

/** How a program ended. */
export interface PythonResult {
  code: number | null;
  output: string;
}

/** The Python client, as its developers and an integrator have it. */
export interface PythonProject {
  /** The names of the files in its wheel. */
  wheelFiles: string[];
  /** The programs of its README, next to a `venv` with the client alone. */
  programs: ProgramFolder;
  /** The interpreter of that `venv`. */
  integratorPython: string;
  /** Variables with which `python3` has the client of the wheel and the packages of the development requirements. */
  environment: { PATH: string; PYTHONPATH: string };
  /** Runs a module of Python with the tools of the development requirements and the client of the wheel, in its folder by default. */
  run(args: readonly string[], given?: { environment?: Record<string, string>; folder?: string }): Promise<PythonResult>;
  remove(): void;
}

async function runProgram(program: string, args: readonly string[], cwd: string, environment: Record<string, string> = {}): Promise<PythonResult> {
  const started = spawn(program, args, { cwd, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment } });
  const ended = new Promise<number | null>((resolve, reject) => started.once('close', resolve).once('error', reject));
  const [output, errors, code] = await Promise.all([text(started.stdout), text(started.stderr), ended]);
  return { code, output: `${output}${errors}` };
}

async function requireSuccess(what: string, running: Promise<PythonResult>): Promise<string> {
  const { code, output } = await running;
  if (code !== 0) throw new Error(`${what}: ended with ${code}\n${output}`);
  return output;
}

/** Makes a folder with the packages of the development requirements, as wheels and installed. */
async function makeTools(target: string): Promise<void> {
  const wheels = join(target, 'wheels');
  mkdirSync(wheels, { recursive: true });
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet'];
  await requireSuccess('The tests of the Python client need the module venv (Debian: python3-venv)', runProgram('python3', ['-m', 'venv', join(target, 'venv')], target));
  const python = join(target, 'venv/bin/python');
  const hashed = ['--require-hashes', '--only-binary', ':all:', '-r', requirements];
  await requireSuccess('The tests of the Python client need packages of PyPI, which pip cannot get', runProgram(python, [...pip, 'download', '--dest', wheels, ...hashed], target));
  await requireSuccess('pip install', runProgram(python, [...pip, 'install', '--no-index', '--find-links', wheels, ...hashed], target));
}

/** The folder of the tools, made once on a machine for these requirements and this Python. */
function tools(): Promise<string> {
  requirePython();
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.version, sys.base_prefix)'], { encoding: 'utf8' });
  const hash = createHash('sha256').update(stdout).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  return ensureCached(cacheFolder(), { name: `python-client-${hash}`, make: makeTools });
}

/** Builds the wheel of the client from a copy of its sources, and installs it by the very lines of its README. */
export async function installPythonClient(): Promise<PythonProject> {
  const cached = await tools();
  const python = join(cached, 'venv/bin/python');
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  const site = join(folder, 'site');
  cpSync(source, join(folder, 'clients/python'), { recursive: true });
  const programs = writePrograms(readme, ['install.sh', 'first.py', 'first_async.py', 'rows.py', 'statuses.py', 'narrow.py']);
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet'];
  const offline = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: join(cached, 'wheels'), PIP_QUIET: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  const build = async (): Promise<string[]> => {
    await requireSuccess('pip wheel', runProgram(python, [...pip, 'wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, join(folder, 'clients/python')], folder));
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '';
    await requireSuccess('pip install', runProgram(python, [...pip, 'install', '--no-deps', '--no-index', '--target', site, join(folder, wheel)], folder));
    const listed = await requireSuccess('zipfile', runProgram(python, ['-c', 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))', wheel], folder));
    return [wheel, ...listed.trim().split('\n')];
  };
  const wheelFiles = await build();
  await programs.run('install.sh', { environment: { ...offline, REPOSITORY: folder } });
  return {
    wheelFiles,
    programs,
    integratorPython: join(programs.folder, 'venv/bin/python'),
    environment: { PATH: [join(cached, 'venv/bin'), process.env.PATH].join(delimiter), PYTHONPATH: site },
    run: (args, given = {}) => runProgram(python, ['-m', ...args], given.folder ?? source, { PYTHONPATH: site, ...given.environment }),
    remove: () => {
      programs.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
