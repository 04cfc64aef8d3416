import { openChart, type Chart } from '../support/helm/chart';
import { ofKind, workloadsOf, type KubernetesObject } from '../support/helm/objects';

const buildWithinMs = 30 * 60_000;

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
}, buildWithinMs);

/** Values of the chart for one part of it, as arguments of Helm. */
const valuesOf = (part: string, values: object): string[] => Object.entries(values).flatMap(([name, value]) => ['--set-json', `${part}.${name}=${JSON.stringify(value)}`]);

const placement = {
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'pool', operator: 'Equal', value: 'school', effect: 'NoSchedule' }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['school'] }] }] } } },
  priorityClassName: 'platform',
  dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
};
const marks = { podLabels: { 'azure.workload.identity/use': 'true' }, podAnnotations: { 'linkerd.io/inject': 'disabled' } };

/** What the pods of a part are in: the API, the workers of every group, the job of the migration. */
const parts: Record<string, (object: KubernetesObject) => boolean> = {
  api: ({ metadata }) => metadata.name === 'institution-api',
  workers: ({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('institution-worker-'),
  migration: ({ kind }) => kind === 'Job',
};

it.each(Object.entries(parts))('the pods of %s run and look up names where the values say, with the labels and annotations of the values, and those of no other part', (part, isOfPart) => {
  const rendered = chart.render('own-cluster', valuesOf(part, { ...placement, ...marks }));
  expect(rendered).toMatchObject({ status: 0, errors: '' });
  const { objects, problems } = chart.read(rendered);
  expect(problems).toEqual([]);
  const pods = workloadsOf(objects).map(({ object }) => object);
  expect(pods.some(isOfPart)).toBe(true);
  for (const object of pods) {
    const { metadata, spec } = object.spec.template ?? {};
    if (isOfPart(object)) {
      expect(spec).toMatchObject(placement);
      expect(metadata).toMatchObject({ labels: { ...marks.podLabels, 'app.kubernetes.io/name': 'institution-api' }, annotations: marks.podAnnotations });
    } else {
      expect(Object.keys(spec ?? {})).not.toEqual(expect.arrayContaining(['affinity']));
      expect(metadata?.labels).not.toMatchObject(marks.podLabels);
    }
  }
});

it('without values nothing is said of it', () => {
  for (const { object } of workloadsOf(chart.read(chart.render('small')).objects)) {
    expect(Object.keys(object.spec.template?.spec ?? {}).filter((name) => name in placement)).toEqual([]);
  }
});

it('the Services of the API have the annotations of the values, and that of the workers has none', () => {
  const services = ofKind(chart.read(chart.render('own-cluster', valuesOf('api', { serviceAnnotations: { 'service.kubernetes.io/topology-mode': 'Auto' } }))).objects, 'Service');
  expect(Object.fromEntries(services.map(({ metadata: { name, annotations } }) => [name, annotations]))).toEqual({
    'institution-apps': { 'service.kubernetes.io/topology-mode': 'Auto' },
    'institution-platform': { 'service.kubernetes.io/topology-mode': 'Auto' },
    'institution-public': { 'service.kubernetes.io/topology-mode': 'Auto' },
    'institution-workers': undefined,
  });
});

it.each([
  ['a label that selects pods', valuesOf('api', { podLabels: { 'app.kubernetes.io/component': 'x' } }), "at '/api/podLabels/app.kubernetes.io~1component'"],
  ['an affinity of another name', valuesOf('workers', { affinity: { nodeAffinities: {} } }), "at '/workers/affinity': additional properties 'nodeAffinities' not allowed"],
  ['a lookup option without a name', valuesOf('migration', { dnsConfig: { options: [{ value: '2' }] } }), "at '/migration/dnsConfig/options/0': missing property 'name'"],
])('%s is refused with the name of its field', (_what, args, message) => {
  const { status, errors } = chart.render('own-cluster', args);
  expect([status, errors]).toEqual([1, expect.stringContaining(message)]);
});
