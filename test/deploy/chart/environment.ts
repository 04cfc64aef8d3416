import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../config/settings';
import { workloadsOf, type Container } from '../../support/helm/objects';
import type { Policies } from './policies';
import { ownerVariable, programVariables, secrets } from './variables';

/** What Secrets hold, as the production profile takes it. */
const secretValues: Record<string, string> = {
  DATABASE_URL: 'postgres://institution_service:p@db.example/institution?sslmode=verify-full',
  DATABASE_DIRECT_URL: 'postgres://institution_service:p@db.example/institution?sslmode=verify-full',
  MIGRATION_DATABASE_URL: 'postgres://institution:o@db.example/institution?sslmode=verify-full',
  REDIS_URL: 'rediss://:secret@redis.example:6379',
  SMTP_URL: 'smtps://school:secret@mail.example',
  MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PLATFORM_TOKEN: 'f'.repeat(64),
};

/** A file that is there and not empty, in place of those that pods mount. */
const mounted = join(mkdtempSync(join(tmpdir(), 'chart-files-')), 'mounted');
writeFileSync(mounted, 'content');

/** The environment of a container, with values for what Secrets hold and a file of this machine for each that a pod mounts. */
export const environmentOf = ({ env }: Pick<Container, 'env'>): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value === undefined ? (secretValues[name] ?? 'secret') : name.endsWith('_FILE') ? mounted : value]));

/** Of Node itself. */
const ofNode = ['NODE_EXTRA_CA_CERTS'];

/** The migration of the schema, which reads no settings. */
const migratesSchema = ({ command }: Container): boolean => command.join(' ') === 'node dist/worker/migrateMain.js';

/** Rules for the variables of containers; each returns what breaks it. */
export const environmentPolicies: Policies = {
  'the program knows every variable of a container': (objects) =>
    workloadsOf(objects).flatMap(({ name, containers }) => containers.flatMap((container) => {
      const known = [...programVariables.keys(), ...ofNode, ...(migratesSchema(container) ? [ownerVariable] : [])];
      return container.env.filter((variable) => !known.includes(variable.name)).map((variable) => `${name} ${container.name}: ${variable.name}`);
    })),

  'no variable stands twice': (objects) =>
    workloadsOf(objects).flatMap(({ name, containers }) => containers.flatMap(({ env }) =>
      env.filter((variable, index) => env.findIndex((one) => one.name === variable.name) < index).map((variable) => `${name}: ${variable.name}`))),

  'what is secret comes from Secrets, which the chart does not make': (objects) => [
    ...objects.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => `Secret/${metadata.name}`),
    ...workloadsOf(objects).flatMap(({ name, containers }) => containers.flatMap(({ env }) =>
      env.filter((variable) => secrets.includes(variable.name) !== (variable.valueFrom !== undefined)).map((variable) => `${name}: ${variable.name}`))),
  ],

  'every process starts in the production profile': (objects) =>
    workloadsOf(objects).flatMap(({ name, containers }) => containers.filter((container) => !migratesSchema(container)).flatMap((container) => {
      try {
        const { profile } = readSettings(environmentOf(container));
        return profile === 'production' ? [] : [`${name}: the profile is ${profile}`];
      } catch (error) {
        return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
      }
    })),

  'the migration of the schema alone has the password of the owner, and needs no other secret than the service\'s': (objects) =>
    workloadsOf(objects).flatMap(({ name, containers }) => containers.flatMap((container) => {
      const variables = container.env.filter(({ valueFrom }) => valueFrom !== undefined).map((variable) => variable.name);
      const expected = migratesSchema(container);
      const onlyDatabase = variables.every((variable) => [ownerVariable, 'DATABASE_URL', 'DATABASE_DIRECT_URL'].includes(variable));
      return variables.includes(ownerVariable) === expected && (!expected || onlyDatabase) ? [] : [`${name} ${container.name}: ${variables.join(' ')}`];
    })),

  'API and workers listen where others reach them': (objects) =>
    workloadsOf(objects).flatMap(({ name, containers }) => containers.filter(({ ports }) => ports !== undefined).flatMap((container) => {
      const settings = readSettings(environmentOf(container));
      const listening = { public: settings.port, platform: settings.platformPort, apps: settings.appPort, worker: settings.workerPort };
      const wrong = (container.ports ?? []).filter((port) => Object.entries(listening).every(([listener, number]) => listener !== port.name || number !== port.containerPort));
      const hosts = [settings.host, settings.platformHost].filter((host) => !['0.0.0.0', '::'].includes(host));
      return [...wrong.map((port) => `${name}: ${port.name} is not at ${port.containerPort}`), ...hosts.map((host) => `${name}: listens at ${host}`)];
    })),

  'every group of workers says its queues, and every queue has one': (objects) => {
    const queues = workloadsOf(objects).flatMap(({ containers }) => containers.filter(({ name }) => name === 'worker').flatMap(({ env }) => env.find(({ name }) => name === 'WORKER_QUEUES')?.value?.split(',') ?? ['']));
    return ['workflows', 'attempts', 'emails'].filter((queue) => !queues.includes(queue)).concat(queues.filter((queue) => queue === ''));
  },
};
