import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningProgram } from '../launch';
import { freePort } from '../ports';
import { projectRoot } from '../projectRoot';
import { launchMember, type ClusterDeps } from './deps';
import type { ApiPorts } from './haproxy';

/** What a process of the service is started from: this checkout, or a release that was built elsewhere. */
export interface ServiceSource {
  /** The folder with `dist` and `node_modules`. */
  folder: string;
  /** Beyond the environment of all. */
  environment?: NodeJS.ProcessEnv;
}

/** The API and worker processes of the cluster, each by its name. */
export interface Services {
  readonly apis: readonly ApiPorts[];
  readonly workers: readonly string[];
  /** The address of a process's `/readyz` and `/metrics`. */
  origin(name: string): string;
  start(name: string, source?: ServiceSource): Promise<void>;
  /** Asks it to stop; kills it after `graceMs`. */
  stop(name: string, graceMs: number): Promise<void>;
  stopAll(graceMs: number): Promise<void>;
}

const readyWithinMs = 90_000;

async function requireOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status} ${text.slice(0, 200)}`);
}

/** Gives each process its name and ports; none runs yet. `environmentOf` says what a process finds in its environment. */
export async function createServices(deps: ClusterDeps, counts: { apis: number; workers: number }, environmentOf: (name: string) => Promise<NodeJS.ProcessEnv>): Promise<Services> {
  const apis: ApiPorts[] = [];
  for (let nth = 1; nth <= counts.apis; nth += 1) apis.push({ name: `api-${nth}`, port: await freePort(), platformPort: await freePort(), appPort: await freePort() });
  const workerPorts = new Map<string, number>();
  for (let nth = 1; nth <= counts.workers; nth += 1) workerPorts.set(`worker-${nth}`, await freePort());
  const running = new Map<string, RunningProgram>();
  const origin = (name: string): string => `http://127.0.0.1:${apis.find((api) => api.name === name)?.platformPort ?? workerPorts.get(name) ?? 0}`;
  const portsOf = (name: string): NodeJS.ProcessEnv => {
    const api = apis.find((one) => one.name === name);
    if (api === undefined) return { WORKER_PORT: String(workerPorts.get(name)) };
    return { PORT: String(api.port), PLATFORM_PORT: String(api.platformPort), APP_PORT: String(api.appPort) };
  };
  const stop = async (name: string, graceMs: number): Promise<void> => {
    const stopped = running.get(name);
    running.delete(name);
    await stopped?.stop(graceMs);
  };
  return {
    apis,
    workers: [...workerPorts.keys()],
    origin,
    start: async (name, { folder, environment } = { folder: projectRoot() }) => {
      const entry = join(folder, 'dist', name.startsWith('api') ? 'api/main.js' : 'worker/main.js');
      if (!existsSync(entry)) throw new Error(`${entry} is missing: "npm run cluster" compiles before it starts`);
      running.set(name, await launchMember(deps, {
        name,
        program: process.execPath,
        args: ['--enable-source-maps', entry],
        cwd: folder,
        env: { ...await environmentOf(name), HOST: '127.0.0.1', PLATFORM_HOST: '127.0.0.1', ...portsOf(name), ...environment },
        readyWithinMs,
        ready: () => requireOk(`${origin(name)}/readyz`),
      }));
    },
    stop,
    stopAll: async (graceMs) => { await Promise.all([...running.keys()].map((name) => stop(name, graceMs))); },
  };
}
