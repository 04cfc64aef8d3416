import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { ProcessRecord } from '../../local/processRecord';
import { createProgress } from '../../local/progress';
import { startPostgres } from '../../local/programs/postgres';
import { keepUp } from '../../local/supervise';

/** A migrated Postgres server of one test file, which comes back by itself when it ends. */
export interface OwnPostgres {
  url: string;
  /** Signals the server: SIGKILL as a crash, SIGINT as an administrator who restarts it. */
  signal(signal: 'SIGKILL' | 'SIGINT'): void;
  stop(): Promise<void>;
}

/** Keeps what it has committed when it is killed; only a crash of the machine would cost something. */
const settings = { fsync: 'off', max_connections: '100' };
const graceMs = 3_000;

/** Starts it in a folder of its own; takes some seconds. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'institution-postgres-'));
  const dataDir = join(folder, 'data');
  const { record } = await ProcessRecord.claim(join(folder, 'processes.json'));
  const killAll = (): void => record.killNow();
  process.once('exit', killAll);
  const over = new AbortController();
  const progress = createProgress(() => undefined, 'short');
  const { url, stop } = await startPostgres({
    environment: {},
    dataDir,
    password: randomBytes(16).toString('hex'),
    database: 'institution',
    settings,
    logFile: join(folder, 'postgres.log'),
    record,
    launcher: keepUp({ record, progress, signal: over.signal, giveUp: () => undefined }),
    progress,
  });
  await migrate(url);
  return {
    url,
    signal: (signal) => {
      const [pid] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), signal);
    },
    stop: async () => {
      over.abort();
      await stop(graceMs);
      await record.release(graceMs);
      process.off('exit', killAll);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
