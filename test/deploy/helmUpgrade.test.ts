import { openChart, type Chart, type ValueFile } from '../support/helm/chart';
import { startDeploymentsServer, type DeploymentsServer } from '../support/helm/deploymentsServer';
import { ofKind, type KubernetesObject } from '../support/helm/objects';

const buildWithinMs = 30 * 60_000;
const [older, newer] = ['9.0.0', '9.1.0'];
const drains = ['--set-string', `image.tag=${newer}`, '--set-string', `workers.draining[0].tag=${older}`];

let chart: Chart;
let kubernetes: DeploymentsServer;

beforeAll(async () => {
  chart = await openChart();
}, buildWithinMs);

beforeEach(async () => {
  kubernetes = await startDeploymentsServer();
});

afterEach(() => kubernetes.close());

/** Puts the Deployments of a release into the cluster, each with as many pods as it is given, or one. */
function run(args: readonly string[], pods: Readonly<Record<string, number>>, values: ValueFile = 'own-cluster'): void {
  for (const object of ofKind(chart.read(chart.render(values, args)).objects, 'Deployment')) {
    const { name } = object.metadata;
    kubernetes.deployments.set(name, { ...object, spec: { ...object.spec, replicas: pods[name] ?? object.spec.replicas ?? 1 } });
  }
}

const upgrade = async (args: readonly string[], values: ValueFile = 'own-cluster'): Promise<KubernetesObject[]> =>
  chart.read(await chart.renderIn(kubernetes.url, values, args)).objects;
const podsOf = (objects: readonly KubernetesObject[]): Record<string, number | undefined> =>
  Object.fromEntries(ofKind(objects, 'Deployment').map(({ metadata, spec }) => [metadata.name.replace(/^institution-(worker-)?/, ''), spec.replicas]));

describe('the number of pods', () => {
  const scaled = { 'institution-worker-workflows-9-0-0': 4, 'institution-worker-attempts-9-0-0': 3, 'institution-worker-emails-9-0-0': 2, 'institution-api': 5 };

  beforeEach(() => run(['--set', `image.tag=${older}`], scaled));

  it('stays as the autoscalers made it while an earlier version drains, and a new version begins with as many', async () => {
    expect(podsOf(await upgrade([...drains, '--set-string', `workers.scaledTag=${older}`]))).toEqual({
      'api': 5, 'workflows-9-0-0': 4, 'attempts-9-0-0': 3, 'emails-9-0-0': 2, 'workflows-9-1-0': 4, 'attempts-9-1-0': 3, 'emails-9-1-0': 2,
    });
  });

  it('of a version that drains is another where values say so', async () => {
    expect(podsOf(await upgrade([...drains, '--set', 'workers.draining[0].replicas=1']))).toMatchObject({ 'workflows-9-0-0': 1, 'workflows-9-1-0': 4 });
  });

  it('of a version to which everything goes back is that of the version that it comes from', async () => {
    run(drains, { ...scaled, 'institution-worker-workflows-9-1-0': 4, 'institution-worker-workflows-9-0-0': 1 });
    const back = ['--set-string', `image.tag=${older}`, '--set-string', `workers.draining[0].tag=${newer}`];
    expect(podsOf(await upgrade([...back, '--set-string', `workers.scaledTag=${newer}`]))).toMatchObject({ 'workflows-9-0-0': 4, 'workflows-9-1-0': 4 });
  });

  it('is never below the autoscaler\'s minimum where that scales', async () => {
    run(['--set', `image.tag=${older}`], { 'institution-worker-workflows-9-0-0': 1, 'institution-api': 1 });
    expect(podsOf(await upgrade(['--set', `image.tag=${older}`]))).toMatchObject({ 'workflows-9-0-0': 2, 'api': 2 });
  });
});

it.each([[older], [newer]])('the autoscalers scale the version that has the workflows: %s', async (scaledTag) => {
  run(['--set', `image.tag=${older}`], {});
  const scalers = ofKind(await upgrade([...drains, '--set-string', `workers.scaledTag=${scaledTag}`]), 'HorizontalPodAutoscaler');
  const slug = scaledTag.replaceAll('.', '-');
  expect(scalers.map(({ spec }) => spec.scaleTargetRef?.name).sort()).toEqual(['institution-api', ...['attempts', 'emails', 'workflows'].map((group) => `institution-worker-${group}-${slug}`)].sort());
});

describe('an upgrade that would end workers', () => {
  const attempt = async (args: readonly string[], values: ValueFile = 'own-cluster'): Promise<unknown[]> => {
    const { status, errors } = await chart.renderIn(kubernetes.url, values, args);
    return [status, errors];
  };

  beforeEach(() => run(drains, {}));

  it('is refused with the version that is not named', async () => {
    expect(await attempt(['--set-string', `image.tag=${newer}`])).toEqual([1, expect.stringMatching(/institution-worker-\w+-9-0-0 would go.*workers\.draining.*workers\.mayEnd \(9-0-0\)/)]);
  });

  it('is not refused once values say that the version may end, or once it has no pods', async () => {
    expect(await attempt(['--set-string', `image.tag=${newer}`, '--set', `workers.mayEnd={${older}}`])).toEqual([0, '']);
    for (const group of ['workflows', 'attempts', 'emails']) {
      const name = `institution-worker-${group}-9-0-0`;
      const left = kubernetes.deployments.get(name);
      if (left === undefined) throw new Error(`No ${name}`);
      kubernetes.deployments.set(name, { ...left, spec: { ...left.spec, replicas: 0 } });
    }
    expect(await attempt(['--set-string', `image.tag=${newer}`])).toEqual([0, '']);
  });

  it('is refused, too, where versions are turned on or off, until values say so', async () => {
    expect(await attempt([...drains.slice(0, 2), '--set', 'temporal.versioning.enabled=false'])).toEqual([1, expect.stringContaining('would go')]);
    expect(await attempt([...drains.slice(0, 2), '--set', 'temporal.versioning.enabled=false', '--set', `workers.mayEnd={${older},${newer}}`])).toEqual([0, '']);
    kubernetes.deployments.clear();
    run([], {}, 'small');
    const on = ['--set', 'temporal.versioning.enabled=true'];
    expect(await attempt(on, 'small')).toEqual([1, expect.stringContaining('workers.mayEnd (unversioned)')]);
    expect(await attempt([...on, '--set', 'workers.mayEnd={unversioned}'], 'small')).toEqual([0, '']);
  });

  it('does not look at the workers of another release', async () => {
    kubernetes.deployments.clear();
    run(['--set', `image.tag=${older}`], {});
    for (const { spec } of kubernetes.deployments.values()) if (spec.template !== undefined) spec.template.metadata.labels['app.kubernetes.io/instance'] = 'staging';
    expect(await attempt(['--set-string', `image.tag=${newer}`])).toEqual([0, '']);
  });
});
