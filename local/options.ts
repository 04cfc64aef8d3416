import { join, resolve } from 'node:path';
import Joi from 'joi';
import { freePort, type NamedPort } from './ports';
import { projectRoot } from './projectRoot';

/** Where the one-machine stack keeps its data and listens. */
export interface StackOptions {
  /** Without variables that are set to nothing. */
  environment: NodeJS.ProcessEnv;
  localDir: string;
  host: string;
  port: number;
  platformHost: string;
  platformPort: number;
  workerPort: number;
  /** Of the apps' listener. */
  appPort: number;
  temporalUiPort: number;
  /** A port of this stack's own, on which a demo's receiver of webhooks may listen while it plays. */
  demoReceiverPort: number;
  /** Ends with /v1. */
  publicBaseUrl: string;
}

interface Ports {
  PORT: number;
  PLATFORM_PORT: number;
  WORKER_PORT: number;
  APP_PORT: number;
  TEMPORAL_UI_PORT: number;
}

const port = Joi.number().integer().min(0).max(65535);
const portsSchema = Joi.object<Ports>({
  PORT: port.default(4000),
  PLATFORM_PORT: port.default(4001),
  WORKER_PORT: port.default(4002),
  APP_PORT: port.default(4003),
  TEMPORAL_UI_PORT: port.default(8233),
}).unknown();

/** The environment without variables that are set to nothing. */
export const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

/** LOCAL_DIR, by default .local, in the project's root. */
export const resolveLocalDir = (environment: NodeJS.ProcessEnv): string =>
  resolve(projectRoot(), withoutEmpty(environment).LOCAL_DIR ?? '.local');

/** The record of a stack's processes. */
export const recordFilePath = (localDir: string): string => join(localDir, 'processes.json');

/** What to connect to for a program that listens on `host`. */
export const connectableHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

/** Reads the stack's options; a port that is 0 becomes a free one. Throws naming each variable that is wrong. */
export async function readOptions(from: NodeJS.ProcessEnv): Promise<StackOptions> {
  const environment = withoutEmpty(from);
  const ports = portsSchema.validate(environment, { abortEarly: false });
  if (ports.error !== undefined) throw new Error(ports.error.details.map(({ message }) => message).join('; '));
  const { value } = ports;
  const portOrFree = async (named: number): Promise<number> => (named === 0 ? freePort() : named);
  const apiPort = await portOrFree(value.PORT);
  return {
    environment,
    localDir: resolveLocalDir(environment),
    host: environment.HOST ?? '0.0.0.0',
    port: apiPort,
    platformHost: environment.PLATFORM_HOST ?? '127.0.0.1',
    platformPort: await portOrFree(value.PLATFORM_PORT),
    workerPort: await portOrFree(value.WORKER_PORT),
    appPort: await portOrFree(value.APP_PORT),
    temporalUiPort: await portOrFree(value.TEMPORAL_UI_PORT),
    demoReceiverPort: await freePort(),
    publicBaseUrl: environment.PUBLIC_BASE_URL ?? `http://localhost:${apiPort}/v1`,
  };
}

/** The ports that must be free before anything is started. */
export function requiredPorts(options: StackOptions): NamedPort[] {
  const anyHost = '0.0.0.0';
  return [
    { variable: 'PORT', host: options.host, port: options.port },
    { variable: 'PLATFORM_PORT', host: options.platformHost, port: options.platformPort },
    { variable: 'WORKER_PORT', host: anyHost, port: options.workerPort },
    { variable: 'APP_PORT', host: options.host, port: options.appPort },
    ...(options.environment.TEMPORAL_ADDRESS === undefined
      ? [{ variable: 'TEMPORAL_UI_PORT', host: '127.0.0.1', port: options.temporalUiPort }]
      : []),
  ];
}
