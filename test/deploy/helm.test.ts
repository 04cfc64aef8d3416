import { kubernetesVersions, openChart, valueFiles, type Chart } from '../support/helm/chart';
import { ofKind, type KubernetesObject } from '../support/helm/objects';
import { breakages } from './chart/breakages';
import { environmentPolicies } from './chart/environment';
import { networkPolicies } from './chart/networkPolicies';
import { objectPolicies } from './chart/objectPolicies';
import { podPolicies } from './chart/podPolicies';
import type { Policies } from './chart/policies';

/** Helm is built once on a machine, from its source; a busy one takes a quarter of an hour. */
const buildWithinMs = 30 * 60_000;

const policies: Policies = { ...podPolicies, ...environmentPolicies, ...networkPolicies, ...objectPolicies };
let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
}, buildWithinMs);

describe.each(valueFiles)('the chart with values/%s.yaml', (values) => {
  let objects: KubernetesObject[] = [];
  let problems: string[] = [];
  let unknown: string[] = [];

  beforeAll(() => {
    ({ objects, problems, unknown } = chart.read(chart.render(values), kubernetesVersions));
  });

  it('is what the schemas of Kubernetes allow, from the oldest version that it names to the newest', () => {
    expect(problems).toEqual([]);
    expect(objects.length).toBeGreaterThan(10);
  });

  it('has kinds of Kubernetes alone, but for those of the Prometheus operator', () => {
    expect(unknown).toEqual(values === 'small' ? [] : ['monitoring.coreos.com/v1 PrometheusRule', 'monitoring.coreos.com/v1 ServiceMonitor']);
  });

  it('passes Helm\'s own check', () => {
    const { status, yaml, errors } = chart.helm(['lint', 'deploy/helm', '--strict', '--kube-version', kubernetesVersions[0], '--values', `deploy/helm/values/${values}.yaml`]);
    expect([status, `${yaml}${errors}`]).toEqual([0, expect.stringContaining('1 chart(s) linted, 0 chart(s) failed')]);
  });

  it.each(Object.keys(policies))('%s', (rule) => {
    expect(policies[rule]?.(objects)).toEqual([]);
  });
});

it('a rule for the chart is broken by a chart that breaks it, each of them', () => {
  expect(new Set(breakages.map(({ rule }) => rule))).toEqual(new Set(Object.keys(policies)));
});

it.each(breakages.map((breakage) => ({ ...breakage, by: [...(breakage.args ?? []), ...(breakage.changes ?? []).map(({ file, to }) => `${file}: ${to}`)].join(' ') })))('"$rule" is broken by $by', ({ rule, values = 'own-cluster', args = [], changes = [] }) => {
  const { objects } = chart.read(chart.render(values, args, changes));
  expect(policies[rule]?.(objects)).not.toEqual([]);
});

it('a field that Kubernetes does not know, or of another type, is found', () => {
  for (const to of ['containerPorts: 4003', 'containerPort: "4003"']) {
    const { problems } = chart.read(chart.render('small', [], [{ file: 'templates/api.yaml', from: 'containerPort: 4003', to }]), [kubernetesVersions[0]]);
    expect(problems).toEqual([expect.stringContaining('Deployment/institution-api in 1.29.0')]);
  }
});

it('a kind that does not exist is found', () => {
  const { unknown } = chart.read(chart.render('small', [], [{ file: 'templates/api.yaml', from: 'kind: Deployment', to: 'kind: Deploymnt' }]), [kubernetesVersions[0]]);
  expect(unknown).toEqual(['apps/v1 Deploymnt']);
});

it('the smallest values make one API process and one worker for all queues', () => {
  const { objects } = chart.read(chart.render('small'));
  expect(ofKind(objects, 'Deployment').map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([['institution-api', 1], ['institution-worker-all', 1]]);
  expect(ofKind(objects, 'HorizontalPodAutoscaler')).toEqual([]);
});
