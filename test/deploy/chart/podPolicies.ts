import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../../config/settings';
import { abortGraceMs, closeTimeoutMs } from '../../../config/shutdown';
import { projectRoot } from '../../../local/projectRoot';
import { isSelected, ofKind, workloadsOf, type Container, type Workload } from '../../support/helm/objects';
import { environmentOf } from './environment';
import type { Policies, Policy } from './policies';

/** A rule for every container: what is wrong with it, if anything. */
const everyContainer = (check: (container: Container, workload: Workload) => string | false | undefined): Policy => (objects) =>
  workloadsOf(objects).flatMap((workload) => workload.containers.flatMap((container) => {
    const problem = check(container, workload);
    return typeof problem === 'string' ? [`${workload.name} ${container.name}: ${problem}`] : [];
  }));

/** A rule for every object that runs pods. */
const everyWorkload = (check: (workload: Workload) => string | false | undefined): Policy => (objects) =>
  workloadsOf(objects).flatMap((workload) => {
    const problem = check(workload);
    return typeof problem === 'string' ? [`${workload.name}: ${problem}`] : [];
  });

const isLongRunning = ({ object }: Workload): boolean => object.kind === 'Deployment';

/** What is wrong with the probes of a container: each asks its path at a port with the number of the process's health. */
function probesProblem({ ports = [], ...container }: Container): string | undefined {
  const expected = { startupProbe: '/healthz', livenessProbe: '/healthz', readinessProbe: '/readyz' } as const;
  const { platformPort, workerPort } = readSettings(environmentOf(container));
  const port = container.name === 'api' ? platformPort : workerPort;
  for (const [kind, path] of Object.entries(expected) as [keyof typeof expected, string][]) {
    const probe = container[kind]?.httpGet;
    if (probe?.path !== path) return `its ${kind} does not ask ${path}`;
    if (ports.find(({ name }) => name === probe.port)?.containerPort !== port) return `its ${kind} does not ask port ${port}`;
  }
  return undefined;
}

/** How long a process may take to stop, from the removal of its endpoints on, in ms. */
function stopMs(container: Container): number {
  const [program = '', seconds = '0'] = container.lifecycle?.preStop?.exec?.command ?? ['sleep'];
  if (program !== 'sleep') throw new Error(`The preStop of ${container.name} is not a sleep`);
  return Number(seconds) * 1_000 + readSettings(environmentOf(container)).shutdownTimeoutMs + abortGraceMs + closeTimeoutMs;
}

/** Rules for pods and their containers; each returns what breaks it. */
export const podPolicies: Policies = {
  'no container runs as root': everyContainer(({ securityContext: own = {} }, { pod: { securityContext: shared = {} } }) =>
    ((own.runAsNonRoot ?? shared.runAsNonRoot) !== true || (own.runAsUser ?? shared.runAsUser ?? 0) === 0) && 'may run as root'),

  'the root file system of every container is read-only': everyContainer(({ securityContext = {} }) => securityContext.readOnlyRootFilesystem !== true && 'may write anywhere'),

  'no container has a capability, gains privileges or makes unusual system calls': everyContainer(({ securityContext: own = {} }, { pod }) => {
    if (own.allowPrivilegeEscalation !== false || own.privileged === true) return 'may gain privileges';
    if (own.capabilities?.drop?.includes('ALL') !== true || (own.capabilities.add ?? []).length > 0) return 'keeps capabilities';
    return pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile';
  }),

  'every container has requests and limits of CPU and memory': everyContainer(({ resources = {} }) =>
    (['requests', 'limits'] as const).some((kind) => resources[kind]?.cpu === undefined || resources[kind].memory === undefined) && 'lacks a request or a limit'),

  'every image has a version': everyContainer(({ image }) => !/:v?\d[\w.-]*(@sha256:[0-9a-f]{64})?$/.test(image) && `is ${image}`),

  'every container that goes on running has probes of its own health': everyContainer((container, workload) => isLongRunning(workload) && probesProblem(container)),

  'no pod has a token of its ServiceAccount, or variables of Services': (objects) => [
    ...everyWorkload(({ pod }) => (pod.automountServiceAccountToken !== false || pod.enableServiceLinks !== false) && 'gets what it does not need')(objects),
    ...ofKind(objects, 'ServiceAccount').filter((account) => account.automountServiceAccountToken !== false).map(({ metadata }) => `ServiceAccount/${metadata.name} mounts its token`),
  ],

  'every container runs a program that the build makes': everyContainer(({ command: [program, path = ''] }) =>
    (program !== 'node' || !existsSync(join(projectRoot(), path.replace(/^dist\//, '').replace(/js$/, 'ts')))) && `runs ${path}`),

  'every mounted volume is there, bounded where it is on the disk of a node, and mounted whole': everyWorkload(({ pod: { volumes = [] }, containers }) => {
    const unbounded = volumes.find(({ emptyDir }) => emptyDir !== undefined && emptyDir.sizeLimit === undefined);
    if (unbounded !== undefined) return `${unbounded.name} has no limit`;
    const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
    const lost = mounts.find(({ name, subPath }) => subPath !== undefined || !volumes.some((volume) => volume.name === name));
    return lost !== undefined && `${lost.name} is not mounted whole`;
  }),

  'every folder and file that a variable names is below a mount': everyContainer(({ env, volumeMounts = [] }) => {
    const lost = env.find(({ name, value = '' }) => /(_FILE|_FOLDER|^NODE_EXTRA_CA_CERTS)$/.test(name) && !volumeMounts.some(({ mountPath }) => value === mountPath || value.startsWith(`${mountPath}/`)));
    return lost !== undefined && `${lost.name} leads nowhere`;
  }),

  'a process that is asked to stop is not killed before it has stopped by itself': everyWorkload((workload) =>
    isLongRunning(workload) && workload.containers.some((container) => (workload.pod.terminationGracePeriodSeconds ?? 0) * 1_000 <= stopMs(container)) && 'is killed too early'),

  'a bulk call may end while its process stops': everyContainer((container) => {
    if (container.name !== 'api') return false;
    const { shutdownTimeoutMs, bulkWaitMs } = readSettings(environmentOf(container));
    return shutdownTimeoutMs <= bulkWaitMs && 'cuts bulk calls';
  }),

  'the API is asked to stop only once its endpoints are gone': everyContainer((container) =>
    container.name === 'api' && Number(container.lifecycle?.preStop?.exec?.command[1] ?? 0) < 5 && 'stops while it is called'),

  'an update takes no pod away before its successor is ready': everyWorkload((workload) => {
    const { maxUnavailable, maxSurge = 0 } = workload.object.spec.strategy?.rollingUpdate ?? {};
    return isLongRunning(workload) && (maxUnavailable !== 0 || maxSurge < 1) && 'has fewer pods meanwhile';
  }),

  'pods of a kind are on different nodes and in different zones': everyWorkload((workload) => {
    const spread = workload.pod.topologySpreadConstraints ?? [];
    const keys = spread.filter(({ labelSelector }) => isSelected(workload.labels, labelSelector.matchLabels)).map(({ topologyKey }) => topologyKey);
    return isLongRunning(workload) && !['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].every((key) => keys.includes(key)) && 'may be on one node';
  }),

  'a new version of the chart alone restarts no pod': everyWorkload(({ labels }) => labels['helm.sh/chart'] !== undefined && 'has the chart\'s version in its pods'),
};
