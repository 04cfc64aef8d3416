import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import Joi from 'joi';
import { commaList } from '../lib/commaList';
import { parseFileStoreUrl, type FileStoreSettings } from './fileStoreUrl';
import { parseOidcSettings, type OidcSettings } from './oidcSettings';
import { parseRedisSettings, redisVariables, type RedisSettings } from './redisSettings';
import { parseServiceKeys, type ServiceKeys } from './serviceKeys';
import { parseTemporalSettings, temporalVariables, type TemporalSettings } from './temporalSettings';
import { parseTracingSettings, tracingVariables, type TracingSettings } from './tracingSettings';
import { transportRules, type ProductionRule } from './transportRules';
import { parseWorkerDeployment, workerDeploymentVariables, type WorkerDeployment } from './workerDeployment';
import { parseWorkerSlots, workerSlotVariables, type WorkerSlots } from './workerSlots';

/** Everything a process reads from its environment, checked once when it starts. Durations in ms, sizes in bytes. */
export interface Settings extends TemporalSettings, RedisSettings {
  profile: 'development' | 'test' | 'production';
  host: string;
  port: number;
  platformHost: string;
  /** Names by which the platform API is called in addition to `platformHost`, `localhost` and addresses. */
  platformNames: string[];
  platformPort: number;
  workerPort: number;
  /** Of the apps' listener. */
  appPort: number;
  /** Maximum number of open connections of each listener. */
  maxConnections: number;
  /** Ends with the version segment `/v1`, without a trailing slash. */
  publicBaseUrl: string;
  databaseUrl: string;
  /** The same database past the pooler that `databaseUrl` names; null if that names Postgres itself. */
  databaseDirectUrl: string | null;
  /** A streaming replica for reads that may come from one; null without one. */
  databaseReplicaUrl: string | null;
  /** How long a read waits for the replica to have what was committed before it. */
  databaseReplicaMaxWaitMs: number;
  databasePoolSize: number;
  taskQueue: string;
  /** The version of this process's workers; null if they have none. */
  workerDeployment: WorkerDeployment | null;
  workerSlots: WorkerSlots;
  smtpUrl: string;
  /** Whether emails are sent over verified TLS alone, except to a mail server on this machine. */
  smtpRequireTls: boolean;
  mailFrom: string;
  fileStore: FileStoreSettings;
  /** The folder of uploads until they are complete; best on the same file system as a folder store. */
  uploadSpoolFolder: string;
  maxUploadBytes: number;
  /** What the disks of uploads must have free, in bytes, if that is more than a twentieth of them. */
  minimumFreeBytes: number;
  /** What the folder of uploads may have in it, in bytes, where its limit is not that of a disk; null without one. */
  spoolMaxBytes: number | null;
  /** The keys of all secrets at rest and signatures; the first one is used for new values. */
  keys: ServiceKeys;
  platformToken: string;
  /** Platform tokens that are still accepted while the newest one is rolled out. */
  earlierPlatformTokens: string[];
  /** The identity provider of the support console; null if staff sign in with personal tokens. */
  oidc: OidcSettings | null;
  /** The guardian portal, to which emails to guardians link. */
  guardianPortalUrl: string;
  /** The institutions' portal, to which invitation emails to developers link. */
  portalUrl: string;
  /** The mailbox of the platform's admins; null if they have none. */
  platformAdminEmail: string | null;
  ownOrigins: string[];
  /** The origins of the pages that may call the apps' operations: the service's own, and those of the portals. */
  appOrigins: string[];
  webhookTrustedHosts: string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; this machine is one. */
  trustedProxies: string[];
  /** How long a bulk call waits for its batch before it abandons the students not yet created. */
  bulkWaitMs: number;
  logLevel: string;
  /** Traces of calls for a collector; null without one. */
  tracing: TracingSettings | null;
  shutdownTimeoutMs: number;
  /** How long an API process still takes calls once it is asked to stop; part of the timeout. */
  shutdownDrainMs: number;
}

const port = Joi.number().integer().min(0).max(65535);

/** Every variable that a process reads, with its allowed values and its default. */
export const environmentSchema = Joi.object({
  PROFILE: Joi.string().valid('development', 'test', 'production').default('development'),
  HOST: Joi.string().default('0.0.0.0'),
  PORT: port.default(4000),
  PLATFORM_HOST: Joi.string().default('127.0.0.1'),
  // Such as those of a Service of Kubernetes.
  PLATFORM_NAMES: Joi.string().allow('').default(''),
  PLATFORM_PORT: port.default(4001),
  WORKER_PORT: port.default(4002),
  APP_PORT: port.default(4003),
  MAX_CONNECTIONS: Joi.number().integer().min(1).max(1_000_000).default(10_000),
  PUBLIC_BASE_URL: Joi.string().uri({ scheme: ['http', 'https'] }).pattern(/\/v1$/, 'a URL that ends with /v1'),
  DATABASE_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }).required(),
  // Empty: DATABASE_URL names Postgres itself.
  DATABASE_DIRECT_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }).allow('').default(''),
  // Empty: the primary answers everything.
  DATABASE_REPLICA_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }).allow('').default(''),
  DATABASE_REPLICA_MAX_WAIT_MS: Joi.number().integer().min(1).max(10_000).default(1_000),
  DATABASE_POOL_SIZE: Joi.number().integer().min(2).max(200).default(20),
  // Of the production profile alone.
  DATABASE_ALLOW_PLAINTEXT: Joi.boolean().default(false),
  ...redisVariables,
  ...temporalVariables,
  TASK_QUEUE: Joi.string().max(200).default('institution'),
  ...workerDeploymentVariables,
  ...workerSlotVariables,
  SMTP_URL: Joi.string().uri({ scheme: ['smtp', 'smtps'] }).required(),
  // Empty: true in the production profile.
  SMTP_REQUIRE_TLS: Joi.boolean().allow('').default(''),
  MAIL_FROM: Joi.string().default('Institution API <no-reply@institution.example>'),
  FILE_STORE_URL: Joi.string().uri({ scheme: ['file', 's3'] }).required(),
  // Read by the S3 client itself, which looks in its other usual places if they are empty.
  AWS_ACCESS_KEY_ID: Joi.string().allow('').default(''),
  AWS_SECRET_ACCESS_KEY: Joi.string().allow('').default(''),
  UPLOAD_SPOOL_FOLDER: Joi.string().allow('').default(''),
  MAX_UPLOAD_BYTES: Joi.number().integer().min(1).max(5 * 1024 ** 3).default(52_428_800),
  MINIMUM_FREE_BYTES: Joi.number().integer().min(0).default(2 * 1024 ** 3),
  SPOOL_MAX_BYTES: Joi.number().integer().min(0).default(0),
  MASTER_KEYS: Joi.string().allow('').default(''),
  // Of 0.9.0 and earlier.
  ENCRYPTION_KEYS: Joi.string().allow('').default(''),
  FINGERPRINT_KEY: Joi.string().allow('').default(''),
  PLATFORM_TOKEN: Joi.string().required(),
  OIDC_ISSUER: Joi.string().uri({ scheme: ['http', 'https'] }).allow('').default(''),
  OIDC_CLIENT_ID: Joi.string().allow('').default(''),
  OIDC_CLIENT_SECRET: Joi.string().allow('').default(''),
  OIDC_REDIRECT_URI: Joi.string().uri({ scheme: ['http', 'https'] }).allow('').default(''),
  OIDC_SCOPES: Joi.string().allow('').default(''),
  OIDC_ROLE_CLAIM: Joi.string().allow('').default(''),
  OIDC_ROLES: Joi.string().allow('').default(''),
  GUARDIAN_PORTAL_URL: Joi.string().uri({ scheme: ['http', 'https'] }).default('http://localhost:3000/guardians'),
  PORTAL_URL: Joi.string().uri({ scheme: ['http', 'https'] }).default('http://localhost:3000/portal'),
  PLATFORM_ADMIN_EMAIL: Joi.string().email({ tlds: false }).allow('').default(''),
  OWN_ORIGINS: Joi.string().allow('').default(''),
  WEBHOOK_TRUSTED_HOSTS: Joi.string().allow('').default(''),
  TRUSTED_PROXIES: Joi.string().allow('').default(''),
  BULK_WAIT_MS: Joi.number().integer().min(1).max(30_000).default(30_000),
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  // Longer than a bulk call waits.
  SHUTDOWN_TIMEOUT_MS: Joi.number().integer().min(0).max(600_000).default(35_000),
  // Longer than a load balancer takes to see that a process is not ready.
  SHUTDOWN_DRAIN_MS: Joi.number().integer().min(0).max(60_000).default(3_000),
  ...tracingVariables,
}).unknown(true);

type Environment = Record<string, string | undefined>;

function parseTrustedProxies(value: string): string[] {
  const proxies = commaList(value);
  if (!proxies.every((proxy) => ipaddr.isValid(proxy) || ipaddr.isValidCIDR(proxy))) throw new Error('TRUSTED_PROXIES must be a comma list of addresses and networks such as 10.0.0.0/8');
  return proxies;
}

const hostName = /^[a-z0-9]([\w.-]*[a-z0-9])?$/i;

function parseHostNames(value: string): string[] {
  const names = commaList(value);
  if (!names.every((name) => hostName.test(name))) throw new Error('PLATFORM_NAMES must be a comma list of host names such as platform.example, without ports');
  return names;
}

const minTokenLength = 32;

/** Returns the platform tokens, the one that signs first. */
function parsePlatformTokens(value: string): [string, ...string[]] {
  const [newest, ...earlier] = commaList(value);
  if (newest === undefined || [newest, ...earlier].some((token) => token.length < minTokenLength)) {
    throw new Error(`PLATFORM_TOKEN must be a token of at least ${minTokenLength} characters, or a comma list of such tokens`);
  }
  return [newest, ...earlier];
}

const isHttps = (url = ''): boolean => /^https:/i.test(url);

/** What the production profile requires in addition to the schema; addresses sent to people must use https. */
const productionRules: readonly ProductionRule[] = [
  { name: 'WEBHOOK_TRUSTED_HOSTS', requirement: 'be empty', isMet: (hosts) => commaList(hosts).length === 0 },
  { name: 'PUBLIC_BASE_URL', requirement: 'be set to an https:// URL', isMet: isHttps },
  { name: 'GUARDIAN_PORTAL_URL', requirement: 'be set to an https:// URL', isMet: isHttps },
  { name: 'PORTAL_URL', requirement: 'be set to an https:// URL', isMet: isHttps },
  { name: 'OIDC_ISSUER', requirement: 'be an https:// URL, or empty', isMet: (url = '') => url === '' || isHttps(url) },
  { name: 'PLATFORM_ADMIN_EMAIL', requirement: 'be set', isMet: (address = '') => address !== '' },
  ...transportRules,
];

function checkProductionRules(environment: Environment): void {
  const problems = productionRules.filter(({ name, isMet }) => !isMet(environment[name], environment)).map(({ name, requirement }) => `${name} must ${requirement}`);
  if (problems.length > 0) throw new Error(`The environment is not that of the production profile: ${problems.join('; ')}`);
}

/**
 * Reads and checks the environment; the error names every variable that is missing or wrong. The production profile refuses
 * `WEBHOOK_TRUSTED_HOSTS`, which exists for development and tests, requires `PLATFORM_ADMIN_EMAIL`, and
 * `PUBLIC_BASE_URL`, `GUARDIAN_PORTAL_URL`, `PORTAL_URL` and `OIDC_ISSUER` with https, and connections that nobody else reads ({@link transportRules}).
 */
export function readSettings(environment: Environment = process.env): Settings {
  const { value, error } = environmentSchema.validate(environment, { abortEarly: false }) as {
    value: Record<string, string> & Record<'PORT' | 'PLATFORM_PORT' | 'WORKER_PORT' | 'APP_PORT' | 'MAX_CONNECTIONS' | 'DATABASE_POOL_SIZE' | 'DATABASE_REPLICA_MAX_WAIT_MS' | 'MAX_UPLOAD_BYTES' | 'MINIMUM_FREE_BYTES' | 'SPOOL_MAX_BYTES' | 'BULK_WAIT_MS' | 'SHUTDOWN_TIMEOUT_MS' | 'SHUTDOWN_DRAIN_MS', number> & { TEMPORAL_TLS: boolean; SMTP_REQUIRE_TLS: boolean | '' };
    error?: Joi.ValidationError;
  };
  if (error) throw new Error(`The environment is not complete: ${error.details.map((d) => d.message).join('; ')}`);
  const webhookTrustedHosts = commaList(value.WEBHOOK_TRUSTED_HOSTS);
  if (value.PROFILE === 'production') checkProductionRules(environment);
  const text = (name: string): string => {
    const found = value[name];
    if (found === undefined) throw new Error(`${name} is not set`);
    return found;
  };
  const [platformToken, ...earlierPlatformTokens] = parsePlatformTokens(text('PLATFORM_TOKEN'));
  const publicBaseUrl = value.PUBLIC_BASE_URL ?? `http://localhost:${value.PORT}/v1`;
  const ownOrigins = [new URL(publicBaseUrl).origin, ...commaList(value.OWN_ORIGINS)];
  return {
    profile: text('PROFILE') as Settings['profile'],
    host: text('HOST'),
    port: value.PORT,
    platformHost: text('PLATFORM_HOST'),
    platformNames: parseHostNames(text('PLATFORM_NAMES')),
    platformPort: value.PLATFORM_PORT,
    workerPort: value.WORKER_PORT,
    appPort: value.APP_PORT,
    maxConnections: value.MAX_CONNECTIONS,
    publicBaseUrl,
    databaseUrl: text('DATABASE_URL'),
    databaseDirectUrl: text('DATABASE_DIRECT_URL') || null,
    databaseReplicaUrl: text('DATABASE_REPLICA_URL') || null,
    databaseReplicaMaxWaitMs: value.DATABASE_REPLICA_MAX_WAIT_MS,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    ...parseRedisSettings(text),
    ...parseTemporalSettings(text, value.TEMPORAL_TLS),
    taskQueue: text('TASK_QUEUE'),
    workerDeployment: parseWorkerDeployment(text),
    workerSlots: parseWorkerSlots(text('WORKER_QUEUES'), (name) => Number(value[name])),
    smtpUrl: text('SMTP_URL'),
    smtpRequireTls: value.SMTP_REQUIRE_TLS === '' ? value.PROFILE === 'production' : value.SMTP_REQUIRE_TLS,
    mailFrom: text('MAIL_FROM'),
    fileStore: parseFileStoreUrl(text('FILE_STORE_URL')),
    uploadSpoolFolder: text('UPLOAD_SPOOL_FOLDER') || join(tmpdir(), 'institution-uploads'),
    maxUploadBytes: value.MAX_UPLOAD_BYTES,
    minimumFreeBytes: value.MINIMUM_FREE_BYTES,
    spoolMaxBytes: value.SPOOL_MAX_BYTES || null,
    keys: parseServiceKeys({ MASTER_KEYS: value.MASTER_KEYS, ENCRYPTION_KEYS: value.ENCRYPTION_KEYS, FINGERPRINT_KEY: value.FINGERPRINT_KEY }),
    platformToken,
    earlierPlatformTokens,
    oidc: parseOidcSettings(text, value.PLATFORM_PORT),
    guardianPortalUrl: text('GUARDIAN_PORTAL_URL'),
    portalUrl: text('PORTAL_URL'),
    platformAdminEmail: text('PLATFORM_ADMIN_EMAIL') || null,
    ownOrigins,
    appOrigins: [...new Set([...ownOrigins, ...[text('GUARDIAN_PORTAL_URL'), text('PORTAL_URL')].map((url) => new URL(url).origin)])],
    webhookTrustedHosts,
    trustedProxies: parseTrustedProxies(value.TRUSTED_PROXIES ?? ''),
    bulkWaitMs: value.BULK_WAIT_MS,
    logLevel: text('LOG_LEVEL'),
    tracing: parseTracingSettings(value),
    shutdownTimeoutMs: value.SHUTDOWN_TIMEOUT_MS,
    shutdownDrainMs: value.SHUTDOWN_DRAIN_MS,
  };
}
