import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectableHost } from './options';
import { projectRoot } from './projectRoot';
import { logFilePath, type StackDeps, type Stores } from './stores';

/** Where the receivers of README and guides listen. */
const exampleReceivers = '127.0.0.1:4010,localhost:4010';
const readyWithinMs = 60_000;

/** The environment of API and worker: ours, with what the stack decides. */
export function serviceEnvironment({ options, secrets }: Pick<StackDeps, 'options' | 'secrets'>, stores: Stores): NodeJS.ProcessEnv {
  const { environment } = options;
  return {
    // The explorer works by either name of this machine.
    OWN_ORIGINS: `http://127.0.0.1:${options.port}`,
    MASTER_KEYS: secrets.master_keys,
    ENCRYPTION_KEYS: secrets.encryption_keys ?? '',
    FINGERPRINT_KEY: secrets.fingerprint_key ?? '',
    PLATFORM_TOKEN: secrets.platform_token,
    GUARDIAN_PORTAL_URL: 'http://localhost:3000/guardians',
    PORTAL_URL: 'http://localhost:3000/portal',
    PLATFORM_ADMIN_EMAIL: 'platform@institution.example',
    FILE_STORE_URL: pathToFileURL(join(options.localDir, 'files')).href,
    UPLOAD_SPOOL_FOLDER: join(options.localDir, 'spool'),
    // Below the time after which the stack kills what it has asked to stop.
    SHUTDOWN_TIMEOUT_MS: '2000',
    // Nothing stands in front of it.
    SHUTDOWN_DRAIN_MS: '0',
    ...environment,
    PROFILE: 'development',
    HOST: options.host,
    PORT: String(options.port),
    PLATFORM_HOST: options.platformHost,
    PLATFORM_PORT: String(options.platformPort),
    WORKER_PORT: String(options.workerPort),
    APP_PORT: String(options.appPort),
    WEBHOOK_TRUSTED_HOSTS: `${environment.WEBHOOK_TRUSTED_HOSTS ?? exampleReceivers},127.0.0.1:${options.demoReceiverPort}`,
    PUBLIC_BASE_URL: options.publicBaseUrl,
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    TEMPORAL_ADDRESS: stores.temporalAddress,
    TEMPORAL_UI_URL: stores.temporalUiUrl,
    // A worker with a version gets no task before it is promoted.
    TEMPORAL_DEPLOYMENT_NAME: '',
    SMTP_URL: stores.smtpUrl,
  };
}

async function requireOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status} ${text.slice(0, 200)}`);
}

async function startService(deps: StackDeps, name: 'api' | 'worker', program: string, env: NodeJS.ProcessEnv, health: string): Promise<void> {
  const entry = resolve(__dirname, '..', program);
  if (!existsSync(entry)) throw new Error(`${entry} is missing: "npm start" compiles before it starts`);
  const running = await deps.progress.step(name === 'api' ? 'API' : 'Worker', () => deps.launcher({
    name,
    program: process.execPath,
    args: ['--enable-source-maps', entry],
    cwd: projectRoot(),
    env,
    logFile: logFilePath(deps.options, name),
    stopSignal: 'SIGTERM',
    readyWithinMs,
    ready: () => requireOk(health),
  }));
  deps.stops.add(name, (graceMs) => running.stop(graceMs));
}

/** Starts API and worker side by side and waits until both are ready. */
export async function startServices(deps: StackDeps, stores: Stores): Promise<void> {
  const { platformHost, platformPort, workerPort } = deps.options;
  const env = serviceEnvironment(deps, stores);
  const parts = [
    startService(deps, 'api', 'api/main.js', env, `http://${connectableHost(platformHost)}:${platformPort}/readyz`),
    startService(deps, 'worker', 'worker/main.js', env, `http://127.0.0.1:${workerPort}/readyz`),
  ];
  await Promise.all(parts);
}
