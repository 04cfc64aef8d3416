import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'libsql';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { projectRoot } from '../../local/projectRoot';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from './api';
import { installClient, type ClientProject } from './clientPackage';
import { requirePython } from './documents';
import { startInterruptingProxy, type InterruptingProxy, type Interruption, type InterruptionPoint } from './interruptingProxy';
import { startTestWorker, waitUntilPolling } from './worker';

/** A student of the roster. */
export interface Pupil {
  full_name: string;
  class: string;
  email?: string;
}
export type Roster = Map<string, Pupil>;

/** How many calls are cut, and at how many the program is killed. */
export type Interruptions = Record<'cuts' | 'kills', number>;

/** Where the programs are, and the API that they call. */
export interface Place {
  api: TestApi;
  folder: string;
}

export const rosterSyncExample = join(projectRoot(), 'docs/examples/roster-sync');
export const typescriptPrograms = ['sync.ts', 'roster.ts', 'nightly.ts'];
const packages = join(projectRoot(), 'node_modules');
const cutPoints = ['before the request', 'before the response', 'in the response'] as const;
const points: Record<'cuts' | 'kills', readonly InterruptionPoint[]> = { cuts: cutPoints, kills: [...cutPoints, 'after the response'] };
/** A program killed this long after an answer may be storing it. */
const storingMs = 10;
/** How often a call is interrupted: writes can be done twice, reads cannot. */
const probability = { write: 0.6, read: 0.15 };
const maxRuns = 60;

/** Puts the programs, compiled and with their packages, into a folder. */
export function putRosterSync(client: ClientProject, folder: string): void {
  for (const name of ['sync.py', 'roster_api.py', 'schema.sql', 'package.json', ...typescriptPrograms]) cpSync(join(rosterSyncExample, name), join(folder, name));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['libsql', 'csv-parse']) symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  client.linkInto(folder, '@institution');
  for (const name of typescriptPrograms) {
    const { outputText } = transpileModule(readFileSync(join(rosterSyncExample, name), 'utf8'), { compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, rewriteRelativeImportExtensions: true } });
    writeFileSync(join(folder, name.replace(/ts$/, 'js')), outputText);
  }
}

/** Registers an API with its worker, and the installed programs, for the tests of a file; they are there once its tests run. */
export function rosterSyncFixture(): Readonly<Place> {
  let present: Place | undefined;
  const place = (): Place => {
    if (present === undefined) throw new Error('The programs are installed before the first test');
    return present;
  };
  let client: ClientProject | undefined;
  let worker: RunningWorker | undefined;
  beforeAll(async () => {
    requirePython();
    const [api, installed] = await Promise.all([startTestApi(), installClient()]);
    client = installed;
    const folder = mkdtempSync(join(tmpdir(), 'roster-'));
    putRosterSync(installed, folder);
    present = { api, folder };
    worker = await startTestWorker(api.settings);
    await waitUntilPolling(worker);
  });
  afterAll(async () => {
    await worker?.stop();
    await present?.api.stop();
    client?.remove();
    if (present !== undefined) rmSync(present.folder, { recursive: true, force: true });
  });
  return {
    get api() {
      return place().api;
    },
    get folder() {
      return place().folder;
    },
  };
}

/** One of the two programs, at one institution. */
export interface Sync {
  institution: TestInstitution;
  /** Runs the program once, straight to the API. */
  run(roster: Roster | string | Buffer, ...flags: string[]): Promise<{ code: number | null; output: string }>;
  /** Starts the program at another address. */
  start(roster: Roster, baseUrl: string): { ended: Promise<{ code: number | null; output: string }>; kill: () => void };
  /** Runs it once at another address, or with another key. */
  runAt(roster: Roster, baseUrl: string, apiKey?: string, ...flags: string[]): Promise<{ code: number | null; output: string }>;
  /** Runs it through at most so many cuts and kills until it ends well; returns how many there were. */
  runInterrupted(roster: Roster, random: () => number, most: Interruptions): Promise<Interruptions>;
  /** Rows of its mirror, each as an array. */
  mirror(sql: string): unknown[][];
}

const csvOf = (roster: Roster): string =>
  ['student_id,full_name,class,email', ...[...roster].map(([id, pupil]) => [id, `"${pupil.full_name}"`, pupil.class, pupil.email ?? ''].join(',')), ''].join('\n');

const programs = { 'sync.ts': [process.execPath, 'sync.js'], 'sync.py': ['python3', 'sync.py'] } as const;
export type ProgramName = keyof typeof programs;

/** Prepares a program with an institution of its own. */
export async function createSync({ api, folder }: Place, name: ProgramName): Promise<Sync> {
  const institution = await api.institution();
  const [command, file] = programs[name];
  const state = join(folder, `${institution.id}.sqlite`);
  const csv = join(folder, `${institution.id}.csv`);

  const start = (baseUrl: string, flags: readonly string[], apiKey = institution.apiKey): { ended: Promise<{ code: number | null; output: string }>; kill: () => void } => {
    const child = spawn(command, [file, csv, state, ...flags], { cwd: folder, env: { ...process.env, BASE_URL: baseUrl, API_KEY: apiKey } });
    child.stdin.end();
    const closed = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
    return {
      ended: Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, output, errorOutput]) => ({ code, output: output + errorOutput })),
      kill: () => child.kill('SIGKILL'),
    };
  };

  return {
    institution,
    run: (roster, ...flags) => {
      writeFileSync(csv, typeof roster === 'string' || Buffer.isBuffer(roster) ? roster : csvOf(roster));
      return start(api.baseUrl, flags).ended;
    },
    start: (roster, baseUrl) => {
      writeFileSync(csv, csvOf(roster));
      return start(baseUrl, []);
    },
    runAt: (roster, baseUrl, apiKey, ...flags) => {
      writeFileSync(csv, csvOf(roster));
      return start(baseUrl, flags, apiKey).ended;
    },
    runInterrupted: async (roster, random, most) => {
      writeFileSync(csv, csvOf(roster));
      const left = { ...most };
      let kill = (): void => undefined;
      const next = (method: string): Interruption | undefined => {
        const total = left.cuts + left.kills;
        if (total === 0 || random() >= probability[method === 'GET' ? 'read' : 'write']) return undefined;
        const kind = random() * total < left.cuts ? 'cuts' : 'kills';
        left[kind] -= 1;
        const at = points[kind][Math.floor(random() * points[kind].length)] ?? 'before the request';
        if (kind === 'cuts') return { at };
        const killRunning = kill;
        const delayMs = random() * storingMs;
        return { at, interrupt: at === 'after the response' ? () => void setTimeout(killRunning, delayMs) : killRunning };
      };
      const proxy: InterruptingProxy = await startInterruptingProxy(api.baseUrl, next);
      try {
        for (let runs = 1; ; runs += 1) {
          const running = start(proxy.baseUrl, []);
          ({ kill } = running);
          const { code, output } = await running.ended;
          if (code === 0) break;
          if (runs === maxRuns) throw new Error(`${name} did not end well in ${maxRuns} runs: ${output}`);
        }
      } finally {
        await proxy.close();
      }
      return { cuts: most.cuts - left.cuts, kills: most.kills - left.kills };
    },
    mirror: (sql) => {
      const db = new Database(state);
      try {
        return db.prepare(sql).raw().all() as unknown[][];
      } finally {
        db.close();
      }
    },
  };
}
