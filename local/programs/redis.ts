import { connect } from 'node:net';
import { errorMessage } from '../errors';
import { findProgram } from '../findProgram';
import type { Launcher } from '../launch';
import { freePort } from '../ports';
import type { ProcessRecord } from '../processRecord';
import type { Progress } from '../progress';
import { waitUntil } from '../waitUntil';
import { installWithApt, canInstall } from './apt';

export interface RedisOptions {
  /** A server named by REDIS_URL here is used as it is. */
  environment: NodeJS.ProcessEnv;
  logFile: string;
  record: ProcessRecord;
  launcher: Launcher;
  progress: Progress;
}

export interface Redis {
  url: string;
  stop(graceMs: number): Promise<void>;
}

const programNames = ['redis-server', 'valkey-server'];

/** Throws unless something accepts a connection there within 1 s. */
function checkConnection(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 1_000 });
    socket.once('connect', () => { socket.destroy(); resolve(); });
    socket.once('timeout', () => socket.destroy(new Error(`no answer from ${host}:${port}`)));
    socket.once('error', reject);
  });
}

async function redisProgram(options: RedisOptions): Promise<string> {
  const present = findProgram(programNames, options.environment);
  if (present !== undefined) return present;
  let reason = '';
  if (canInstall()) {
    reason = await installWithApt('Redis', 'redis-server', options).then(() => '', (error: unknown) => ` (${errorMessage(error)})`);
    const installed = findProgram(programNames, options.environment);
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'No Redis: set REDIS_URL to a running server, or install redis-server or valkey-server so that it is on PATH, '
    + `or run this as root on a Debian family system, where it is installed with apt-get${reason}`,
  );
}

async function useExistingServer(url: string): Promise<Redis> {
  const { hostname, port } = new URL(url);
  const check = (): Promise<void> => checkConnection(hostname, port === '' ? 6379 : Number(port));
  await waitUntil({ what: 'The Redis server of REDIS_URL', withinMs: 10_000, check });
  return { url, stop: async () => undefined };
}

/** The server of REDIS_URL; else one of our own on a free port, which keeps nothing on disk. */
export async function startRedis(options: RedisOptions): Promise<Redis> {
  if (options.environment.REDIS_URL !== undefined) return useExistingServer(options.environment.REDIS_URL);
  const program = await redisProgram(options);
  const port = await freePort();
  const running = await options.progress.step('Redis', () => options.launcher({
    name: 'redis',
    program,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    readyWithinMs: 10_000,
    ready: () => checkConnection('127.0.0.1', port),
  }));
  return { url: `redis://127.0.0.1:${port}`, stop: (graceMs) => running.stop(graceMs) };
}
