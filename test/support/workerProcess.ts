import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Settings } from '../../config/settings';
import { projectRoot } from '../../local/projectRoot';
import { fileEnvironmentOf } from './programs';

/** A worker in a process of its own. */
export interface WorkerProcess {
  /** `kill -9`: it gets no chance to end anything. */
  kill(): Promise<void>;
}

/** The environment that a process reads these settings from, as far as a worker needs them. */
const environmentOf = (settings: Settings): Record<string, string> => ({
  PROFILE: settings.profile,
  PLATFORM_HOST: settings.platformHost,
  WORKER_PORT: '0',
  PUBLIC_BASE_URL: settings.publicBaseUrl,
  DATABASE_URL: settings.databaseUrl,
  DATABASE_POOL_SIZE: String(settings.databasePoolSize),
  REDIS_URL: settings.redisUrl,
  TEMPORAL_ADDRESS: settings.temporalAddress,
  TEMPORAL_NAMESPACE: settings.temporalNamespace,
  TASK_QUEUE: settings.taskQueue,
  SMTP_URL: settings.smtpUrl,
  ...fileEnvironmentOf(settings),
  ENCRYPTION_KEYS: settings.encryptionKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  FINGERPRINT_KEY: settings.fingerprintKey.toString('base64'),
  PLATFORM_TOKEN: settings.platformToken,
  PLATFORM_ADMIN_EMAIL: settings.platformAdminEmail ?? '',
  LOG_LEVEL: settings.logLevel,
});

/** Starts the worker's own program under a test's settings; it polls Temporal a few seconds later. */
export function startWorkerProcess(settings: Settings): WorkerProcess {
  const root = projectRoot();
  const program = ['--require', join(root, 'test/support/fromSource.js'), join(root, 'activities/main.ts')];
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, ...environmentOf(settings) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
