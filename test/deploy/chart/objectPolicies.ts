import { ownHosts } from '../../../api/http/security/hostPolicy';
import { readSettings } from '../../../config/settings';
import { isSelected, ofKind, workloadsOf, type KubernetesObject } from '../../support/helm/objects';
import { environmentOf } from './environment';
import type { Policies } from './policies';

const deployments = (objects: readonly KubernetesObject[]) => workloadsOf(objects).filter(({ object }) => object.kind === 'Deployment');
const weightOf = ({ metadata }: KubernetesObject): number => Number(metadata.annotations?.['helm.sh/hook-weight'] ?? Number.NaN);

/** The selector of an object, whichever form its kind has. */
const selectorOf = ({ kind, spec }: KubernetesObject): Record<string, string> =>
  (kind === 'Service' ? (spec.selector as Record<string, string> | undefined) : (spec.podSelector ?? spec.selector)?.matchLabels as Record<string, string> | undefined) ?? {};

/** Rules for how objects refer to one another; each returns what breaks it. */
export const objectPolicies: Policies = {
  'what selects pods finds some': (objects) =>
    ['Service', 'PodDisruptionBudget', 'NetworkPolicy', 'Deployment'].flatMap((kind) => ofKind(objects, kind))
      .filter((object) => Object.keys(selectorOf(object)).length === 0 || !workloadsOf(objects).some(({ labels }) => isSelected(labels, selectorOf(object))))
      .map(({ kind, metadata }) => `${kind}/${metadata.name}`),

  'a Deployment selects pods of its own alone': (objects) =>
    deployments(objects).filter(({ object }) => workloadsOf(objects).some((other) => other.object !== object && isSelected(other.labels, selectorOf(object)))).map(({ name }) => name),

  'every Deployment has a disruption budget, one at a time': (objects) => {
    const budgets = ofKind(objects, 'PodDisruptionBudget');
    return deployments(objects).filter(({ labels }) => budgets.filter((budget) => isSelected(labels, selectorOf(budget))).length !== 1).map(({ name }) => name);
  },

  'an autoscaler scales a Deployment that is there, and that has no number of pods of its own': (objects) =>
    ofKind(objects, 'HorizontalPodAutoscaler').filter(({ spec }) => deployments(objects).filter(({ object }) => object.metadata.name === spec.scaleTargetRef?.name && object.spec.replicas === undefined).length !== 1).map(({ metadata }) => metadata.name),

  'a Service leads to a port that its pods have': (objects) =>
    ofKind(objects, 'Service').flatMap((service) => (service.spec.ports ?? []).filter(({ targetPort, port }) => workloadsOf(objects)
      .filter(({ labels }) => isSelected(labels, selectorOf(service)))
      .some(({ containers }) => !containers.some(({ ports = [] }) => ports.some((open) => open.name === targetPort && open.containerPort === port)))).map(() => service.metadata.name)),

  'an Ingress never leads to the platform API': (objects) =>
    ofKind(objects, 'Ingress').flatMap(({ metadata, spec }) => (spec.rules ?? []).flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
      .filter(({ name, port }) => !/-(public|apps)$/.test(name) || !name.endsWith(port.name)).map(() => metadata.name)),

  'the migration runs before everything else, once its ServiceAccount and its network policy are there': (objects) => {
    const jobs = ofKind(objects, 'Job');
    const isHook = ({ metadata }: KubernetesObject): boolean => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade';
    return jobs.flatMap((job) => {
      const account = ofKind(objects, 'ServiceAccount').find(({ metadata }) => metadata.name === job.spec.template?.spec.serviceAccountName);
      const policy = ofKind(objects, 'NetworkPolicy').find((one) => isSelected(job.spec.template?.metadata.labels ?? {}, selectorOf(one)));
      const before = [account, policy].every((one) => one !== undefined && isHook(one) && weightOf(one) < weightOf(job));
      return isHook(job) && before ? [] : [job.metadata.name];
    }).concat(jobs.length === 1 ? [] : ['not one Job']);
  },

  'every pod has a ServiceAccount of the chart': (objects) =>
    workloadsOf(objects).filter(({ pod }) => !ofKind(objects, 'ServiceAccount').some(({ metadata }) => metadata.name === pod.serviceAccountName)).map(({ name }) => name),

  'the platform API answers to those who call it: kubelet and Prometheus by a pod\'s address, the cluster by the names of its Service': (objects) => {
    const callers = ofKind(objects, 'Service').filter(({ spec }) => spec.ports?.some(({ name }) => name === 'platform') === true)
      .flatMap(({ metadata, spec }) => ['', '.school', '.school.svc', '.school.svc.cluster.local'].map((suffix) => `${metadata.name}${suffix}:${spec.ports?.[0]?.port ?? ''}`));
    return workloadsOf(objects).flatMap(({ name, containers }) => containers.filter((container) => container.name === 'api').flatMap((container) => {
      const isOwn = ownHosts(readSettings(environmentOf(container)));
      return ['10.244.1.7:4001', '[fd00::7]:4001', ...callers].filter((host) => !isOwn(host)).map((host) => `${name} refuses ${host}`);
    }));
  },

  'metrics are scraped from a Service of the chart, as the jobs that the alerts know': (objects) => {
    const monitors = ofKind(objects, 'ServiceMonitor');
    const jobs = monitors.map(({ spec }) => spec.endpoints?.flatMap(({ relabelings }) => relabelings).find(({ targetLabel }) => targetLabel === 'job')?.replacement);
    const lost = monitors.filter(({ spec }) => !ofKind(objects, 'Service').some((service) =>
      isSelected(service.metadata.labels ?? {}, spec.selector?.matchLabels ?? { nothing: '' }) && spec.endpoints?.every(({ port, path }) => path === '/metrics' && service.spec.ports?.some(({ name }) => name === port) === true) === true));
    return [...lost.map(({ metadata }) => metadata.name), ...(monitors.length > 0 && jobs.sort().join(' ') !== 'institution-api institution-worker' ? [jobs.join(' ')] : [])];
  },

  'the alerts of groups ask for labels that workers are scraped with': (objects) => {
    const relabelings = ofKind(objects, 'ServiceMonitor').flatMap(({ spec }) => spec.endpoints ?? []).flatMap((endpoint) => endpoint.relabelings);
    const podLabelOf = (label: string): string => relabelings.find(({ targetLabel }) => targetLabel === label)?.sourceLabels?.[0]?.replace('__meta_kubernetes_pod_label_institution_', 'institution/') ?? '';
    return ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => spec.groups ?? []).flatMap(({ rules }) => rules).filter(({ alert }) => alert === 'WorkerGroupAbsent')
      .filter(({ expr }) => {
        const asked = [...expr.matchAll(/(queues|build)="([^"]*)"/g)].map(([, label = '', value = '']) => [podLabelOf(label), value]);
        return asked.length === 0 || !workloadsOf(objects).some(({ labels }) => asked.every(([label = '', value]) => labels[label] === value));
      }).map(({ expr }) => expr);
  },
};
