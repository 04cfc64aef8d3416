import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Settings } from '../../config/settings';
import { freePort } from '../../local/ports';
import type { ProcessExit } from '../../local/processes';
import { projectRoot } from '../../local/projectRoot';
import { waitUntil } from '../../local/waitUntil';
import { keyEnvironment } from './serviceKeys';

/** The API or the worker as a process of its own, as it runs in production but for the build. */
export interface Program {
  /** Where the public API listens, ends with `/v1`; only of an API. */
  baseUrl: string;
  /** Where `/readyz` is, and `/platform/v1` of an API. */
  internalUrl: string;
  /** Its process on this machine. */
  pid: number;
  /** How it ended; undefined while it runs. */
  ended(): ProcessExit | undefined;
  /** Everything that it has written so far, its log lines among it. */
  output(): string;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL only after 15 s; returns how it ended and how long that took. */
  stop(): Promise<ProcessExit & { ms: number }>;
}

/** Starts programs of one test file, and ends those that are left. */
export interface Programs {
  /** `environment` has variables of the process beyond its settings. */
  api(settings: Settings, environment?: NodeJS.ProcessEnv): Promise<Program>;
  worker(settings: Settings, environment?: NodeJS.ProcessEnv): Promise<Program>;
  /** For `afterAll`: kills those that still run. They end with the test's process, too. */
  end(): Promise<void>;
}

const entries = { api: 'api/main.ts', worker: 'worker/main.ts' } as const;
/** For machines that are slow and busy. */
const readyWithinMs = 180_000;
const stopWithinMs = 15_000;
/** Where the inspector listens, once SIGUSR1 starts it: a free port, which it writes to stderr. */
const anyInspectorPort = '--inspect-port=127.0.0.1:0';

/** The part of the environment that says where files are. */
function fileEnvironmentOf({ fileStore, uploadSpoolFolder, maxUploadBytes, minimumFreeBytes, spoolMaxBytes }: Settings): Record<string, string> {
  if (fileStore.kind !== 'folder') throw new Error('Programs of tests keep their files in a folder');
  return {
    FILE_STORE_URL: pathToFileURL(fileStore.folder).href,
    UPLOAD_SPOOL_FOLDER: uploadSpoolFolder,
    MAX_UPLOAD_BYTES: String(maxUploadBytes),
    MINIMUM_FREE_BYTES: String(minimumFreeBytes),
    SPOOL_MAX_BYTES: String(spoolMaxBytes ?? 0),
  };
}

/** The part of the environment about the identity provider of the console. */
function oidcEnvironmentOf({ oidc }: Settings): Record<string, string> {
  if (oidc === null) return {};
  return {
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_REDIRECT_URI: oidc.redirectUri,
    OIDC_SCOPES: oidc.scopes,
    OIDC_ROLE_CLAIM: oidc.roleClaim,
    OIDC_ROLES: [...oidc.roleOfValue].map(([value, role]) => `${role}=${value}`).join(','),
  };
}

/** The part of the environment about Temporal. */
function temporalEnvironmentOf({ temporalAddress, temporalNamespace, temporalTls, temporalApiKeyFile, temporalCodecKeys }: Settings): Record<string, string> {
  const keys = temporalCodecKeys.map((entry) => (typeof entry === 'string' ? entry : `${entry.id}:${entry.key.toString('base64')}`));
  return {
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    TEMPORAL_TLS: String(temporalTls !== null),
    TEMPORAL_TLS_SERVER_NAME: temporalTls?.serverName ?? '',
    TEMPORAL_TLS_CA_FILE: temporalTls?.caFile ?? '',
    TEMPORAL_TLS_CERT_FILE: temporalTls?.client?.certFile ?? '',
    TEMPORAL_TLS_KEY_FILE: temporalTls?.client?.keyFile ?? '',
    TEMPORAL_API_KEY_FILE: temporalApiKeyFile ?? '',
    TEMPORAL_CODEC_KEYS: keys.join(','),
  };
}

/** The environment that reads as these settings. */
export function environmentOf(settings: Settings): NodeJS.ProcessEnv {
  return {
    PROFILE: settings.profile,
    HOST: settings.host,
    PLATFORM_HOST: settings.platformHost,
    PLATFORM_NAMES: settings.platformNames.join(','),
    PUBLIC_BASE_URL: settings.publicBaseUrl,
    DATABASE_URL: settings.databaseUrl,
    DATABASE_DIRECT_URL: settings.databaseDirectUrl ?? '',
    DATABASE_POOL_SIZE: String(settings.databasePoolSize),
    REDIS_URL: settings.redisUrl,
    REDIS_KEY_PREFIX: settings.redisKeyPrefix,
    REDIS_SENTINELS: (settings.redisSentinels?.addresses ?? []).map(({ host, port }) => `${host}:${port}`).join(','),
    REDIS_SENTINEL_NAME: settings.redisSentinels?.name ?? '',
    REDIS_SENTINEL_PASSWORD: settings.redisSentinels?.password ?? '',
    ...temporalEnvironmentOf(settings),
    TASK_QUEUE: settings.taskQueue,
    TEMPORAL_DEPLOYMENT_NAME: settings.workerDeployment?.deploymentName ?? '',
    TEMPORAL_BUILD_ID: settings.workerDeployment?.buildId ?? '',
    WORKER_QUEUES: [...settings.workerSlots.queues].join(','),
    SMTP_URL: settings.smtpUrl,
    ...fileEnvironmentOf(settings),
    ...keyEnvironment(settings.keys),
    PLATFORM_TOKEN: [settings.platformToken, ...settings.earlierPlatformTokens].join(','),
    ...oidcEnvironmentOf(settings),
    PLATFORM_ADMIN_EMAIL: settings.platformAdminEmail ?? '',
    WEBHOOK_TRUSTED_HOSTS: settings.webhookTrustedHosts.join(','),
    LOG_LEVEL: settings.logLevel,
    SHUTDOWN_TIMEOUT_MS: String(settings.shutdownTimeoutMs),
    SHUTDOWN_DRAIN_MS: String(settings.shutdownDrainMs),
  };
}

async function requireReady(internalUrl: string): Promise<void> {
  const { status } = await fetch(`${internalUrl}/readyz`, { signal: AbortSignal.timeout(3_000) });
  if (status !== 200) throw new Error(`/readyz answers ${status}`);
}

async function start(name: keyof typeof entries, settings: Settings, environment: NodeJS.ProcessEnv = {}): Promise<Program> {
  const root = projectRoot();
  const [port, internalPort] = [await freePort(), await freePort()];
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  const child = spawn(process.execPath, [anyInspectorPort, '--require', join(root, 'test/support/fromSource.js'), join(root, entries[name])], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      WORKFLOW_BUNDLE_PATH: process.env.WORKFLOW_BUNDLE_PATH,
      ...environmentOf(settings),
      PORT: String(port),
      PLATFORM_PORT: String(internalPort),
      WORKER_PORT: String(internalPort),
      APP_PORT: '0',
      ...environment,
    },
    stdio: 'pipe',
  });
  const written: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => written.push(chunk));
  const output = (): string => Buffer.concat(written).toString('utf8');
  let exit: ProcessExit | undefined;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('close', (code, signal) => resolve((exit = { code, signal })));
  });
  const exitedEarly = new AbortController();
  void exited.then(() => exitedEarly.abort(new Error(`The ${name} ended while starting: ${output()}`)));
  await waitUntil({ what: name, withinMs: readyWithinMs, check: () => requireReady(internalUrl), signal: exitedEarly.signal });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    internalUrl,
    pid: child.pid ?? 0,
    ended: () => exit,
    output,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      const begun = performance.now();
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      const ended = await exited;
      clearTimeout(cut);
      return { ...ended, ms: performance.now() - begun };
    },
  };
}

/** For programs of one test file; call `end` in `afterAll`. */
export function openPrograms(): Programs {
  const started: Program[] = [];
  const keep = async (starting: Promise<Program>): Promise<Program> => {
    const program = await starting;
    started.push(program);
    return program;
  };
  return {
    api: (settings, environment) => keep(start('api', settings, environment)),
    worker: (settings, environment) => keep(start('worker', settings, environment)),
    end: async () => {
      await Promise.all(started.map((program) => program.kill()));
    },
  };
}
