import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { emailsQueue, webhooksQueue } from '../../workflows/contract';
import { openChart, valueFiles, type Chart, type ValueFile } from '../support/helm/chart';
import { ofKind, workloadsOf, type KubernetesObject } from '../support/helm/objects';
import { loadPromqlParser } from '../support/promql';
import { chartFiles } from './chart/chartFiles';
import { environmentOf } from './chart/environment';
import { chartVariables, ownerVariable, programVariables, secrets, settings } from './chart/variables';

const buildWithinMs = 30 * 60_000;
const read = (path: string): string => readFileSync(join(projectRoot(), path), 'utf8');

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
}, buildWithinMs);

const objectsOf = (values: ValueFile, args: readonly string[] = []): KubernetesObject[] => chart.read(chart.render(values, args)).objects;

/** The environment of the first container with a name. */
function environment(objects: readonly KubernetesObject[], container: string): Record<string, string> {
  const found = workloadsOf(objects).flatMap(({ containers }) => containers).find(({ name }) => name === container);
  if (found === undefined) throw new Error(`No container ${container}`);
  return environmentOf(found);
}

it.each([...chartFiles()])('%s has what stands elsewhere in the repository: `npm run chart` writes it', (path, text) => {
  expect(read(path)).toBe(text);
});

it('the chart has the version of the package, and so has the image', () => {
  const { version }: { version: string } = JSON.parse(read('package.json'));
  const lines = read('deploy/helm/Chart.yaml').split('\n');
  expect(lines.filter((line) => /^(version|appVersion):/.test(line))).toEqual([`version: ${version}`, `appVersion: ${version}`]);
  for (const { containers } of workloadsOf(objectsOf('small'))) for (const { image } of containers) expect(image).toBe(`institution-api:${version}`);
});

it('every variable of the program is a setting, a Secret or the chart\'s own, and each only one of them', () => {
  const named = [...settings, ...secrets, ...chartVariables].filter((name) => name !== ownerVariable && programVariables.has(name));
  expect(named.sort()).toEqual([...programVariables.keys()].sort());
});

it('what has a key, a token, a password or a secret in its name comes from Secrets, but for files that are mounted', () => {
  expect([...settings].filter((name) => /KEYS?$|_KEY_(?!PREFIX)|TOKEN|SECRET|PASSWORD/.test(name))).toEqual([]);
});

it('everything that .env.example sets of the program the values can set', () => {
  const documented = [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name).filter((name) => programVariables.has(name));
  expect(documented.length).toBeGreaterThan(20);
  expect(documented.filter((name) => ![...settings, ...secrets, ...chartVariables].includes(name))).toEqual([]);
});

it('every setting and every Secret of the values reaches API and workers', () => {
  const example = (name: string): string => {
    const { type, allow = [], rules = [] } = programVariables.get(name) ?? { type: 'string' };
    if (type === 'boolean') return 'true';
    if (type === 'number') return String(rules.find((rule) => rule.name === 'max')?.args?.limit ?? 7);
    return allow.find((value) => typeof value === 'string' && value !== '') as string | undefined ?? (/_URL$|^OIDC_|_ENDPOINT$/.test(name) ? 'https://a.example/v1' : 'a@b.example');
  };
  const wanted = Object.fromEntries(settings.filter((name) => !['FILE_STORE_URL', 'TEMPORAL_TLS'].includes(name)).map((name) => [name, example(name)]));
  const args = Object.entries(wanted).flatMap(([name, value]) => ['--set-json', `settings.${name}=${['boolean', 'number'].includes(programVariables.get(name)?.type ?? '') ? value : JSON.stringify(value)}`]);
  const from = secrets.flatMap((name) => ['--set', `secrets.${name}.existingSecret=s-${name.toLowerCase().replaceAll('_', '-')}`]);
  const objects = objectsOf('own-cluster', [...args, ...from]);
  for (const container of ['api', 'worker']) {
    expect(environment(objects, container)).toMatchObject(wanted);
    const { env } = workloadsOf(objects).flatMap(({ containers }) => containers).find(({ name }) => name === container) ?? { env: [] };
    expect(env.filter(({ valueFrom }) => valueFrom !== undefined).map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef.name])).toEqual(
      secrets.filter((name) => name !== ownerVariable).map((name) => [name, `s-${name.toLowerCase().replaceAll('_', '-')}`]),
    );
  }
});

it('large whole numbers are given in digits, and false is given as false', () => {
  const objects = objectsOf('own-cluster', ['--set-json', 'settings.MAX_UPLOAD_BYTES=5368709120', '--set-json', 'settings.SMTP_REQUIRE_TLS=false']);
  expect(environment(objects, 'api')).toMatchObject({ MAX_UPLOAD_BYTES: '5368709120', SMTP_REQUIRE_TLS: 'false' });
});

const digest = (number: number): string => `sha256:${String(number).padStart(64, '0')}`;
const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };

it('numbers of any setting that has parts are given as they are', () => {
  const objects = objectsOf('own-cluster', ['--set-json', 'settings.OTEL_TRACES_SAMPLER_ARG=0.01']);
  expect(environment(objects, 'api')).toMatchObject({ OTEL_TRACES_SAMPLER_ARG: '0.01' });
});

it.each([['0.5', '500m'], ['2.5', '2500m'], ['30', '30000m']])('an autoscaler asks for %s s as the quantity %s', (seconds, quantity) => {
  const asked = ofKind(objectsOf('own-cluster', ['--set-json', `autoscaling.scheduleToStartSeconds=${seconds}`, '--set-json', `autoscaling.eventQueueAgeSeconds=${seconds}`]), 'HorizontalPodAutoscaler');
  const values = asked.flatMap(({ spec }) => spec.metrics ?? []).flatMap(({ external }) => external?.target.value ?? []);
  expect([...new Set(values)]).toEqual([quantity]);
});

it('a migration may leave Temporal out, and trusts the authorities of the values in any case', () => {
  const steps = (args: readonly string[]) => workloadsOf(objectsOf('own-cluster', args)).filter(({ object }) => object.kind === 'Job').flatMap(({ containers }) => containers.map(({ name }) => name)).sort();
  expect([steps([]), steps(['--set', 'migration.temporal=false'])]).toEqual([['schema', 'temporal'], ['schema']]);
  expect(environment(objectsOf('own-cluster'), 'schema')).toMatchObject({ NODE_EXTRA_CA_CERTS: '/etc/institution/certificates/ca.crt' });
});

it('uploads have nine tenths of the folder from which Kubernetes evicts a pod, and the whole of a disk of their own', () => {
  const limitOf = (...args: string[]): (string | undefined)[] => {
    const objects = objectsOf('own-cluster', args);
    return ['api', 'worker'].map((container) => environment(objects, container).SPOOL_MAX_BYTES);
  };
  const nineTenths = String(Math.floor(0.9 * 10 * 1024 ** 3));
  expect(limitOf()).toEqual([nineTenths, nineTenths]);
  expect(limitOf('--set', 'spool.sizeLimit=500M')).toEqual(['450000000', '450000000']);
  expect(limitOf('--set', 'spool.storageClassName=fast')).toEqual([undefined, undefined]);
  expect(environment(objectsOf('small'), 'api').SPOOL_MAX_BYTES).toBeUndefined();
});

it('long tags of the same beginning have names of their own', () => {
  const tags = ['0.14.1-school.20261127', '0.14.1-school.20261128'];
  const names = ofKind(objectsOf('own-cluster', ['--set-string', `image.tag=${tags[0]}`, '--set-string', `workers.draining[0].tag=${tags[1]}`]), 'Deployment').map(({ metadata }) => metadata.name);
  expect(new Set(names).size).toBe(7);
});

it('an API that is upgraded later has the very image that it had, pinned or not', () => {
  const imageOf = (args: readonly string[]) => workloadsOf(objectsOf('own-cluster', args)).flatMap(({ containers }) => containers).find(({ name }) => name === 'api')?.image;
  const before = ['--set', 'image.tag=9.0.0', '--set', `image.digest=${digest(1)}`];
  const next = ['--set', 'image.tag=9.1.0', '--set', `image.digest=${digest(2)}`, '--set', 'workers.draining[0].tag=9.0.0', '--set', `workers.draining[0].digest=${digest(1)}`, '--set', 'api.image.tag=9.0.0'];
  expect(imageOf(next)).toBe(imageOf(before));
});

describe('a wrong value is refused with the name of its field', () => {
  const wrong: readonly [string, readonly string[], string, ValueFile?][] = [
    ['a setting that is missing', ['--set', 'settings.PORTAL_URL=null'], "at '/settings': missing property 'PORTAL_URL'"],
    ['a setting that the program does not have', ['--set', 'settings.PORTAL=x'], "at '/settings': additional properties 'PORTAL' not allowed"],
    ['a setting out of range', ['--set', 'settings.BULK_WAIT_MS=30001'], "at '/settings/BULK_WAIT_MS': maximum: got 30,001, want 30,000"],
    ['a setting of another type', ['--set-string', 'settings.BULK_WAIT_MS=1s'], "at '/settings/BULK_WAIT_MS': got string, want integer"],
    ['a URL of another kind', ['--set', 'settings.FILE_STORE_URL=https://files.example'], "at '/settings/FILE_STORE_URL'"],
    ['a base URL without its version', ['--set', 'settings.PUBLIC_BASE_URL=https://api.example'], "at '/settings/PUBLIC_BASE_URL'"],
    ['a word that is not of the list', ['--set', 'settings.LOG_LEVEL=loud'], "at '/settings/LOG_LEVEL'"],
    ['a secret among the settings', ['--set', 'settings.PLATFORM_TOKEN=f'], "additional properties 'PLATFORM_TOKEN' not allowed"],
    ['a secret value', ['--set', 'secrets.PLATFORM_TOKEN=f'], "at '/secrets/PLATFORM_TOKEN': got string, want object"],
    ['a Secret without a name', ['--set', 'secrets.REDIS_URL.existingSecret='], "at '/secrets/REDIS_URL/existingSecret'"],
    ['a Secret that is missing', ['--set', 'secrets.DATABASE_URL=null'], "at '/secrets': missing property 'DATABASE_URL'"],
    ['no keys at all', ['--set', 'secrets.MASTER_KEYS=null'], "missing property 'MASTER_KEYS'"],
    ['a value that the chart does not have', ['--set', 'api.replica=2'], "at '/api': additional properties 'replica' not allowed"],
    ['no API process', ['--set', 'api.replicas=0'], "at '/api/replicas': minimum: got 0, want 1"],
    ['a queue that does not exist', ['--set', 'workers.groups.emails.queues={letters}'], "at '/workers/groups/emails/queues/0'"],
    ['resources without a limit', ['--set', 'api.resources.limits=null'], "at '/api/resources': missing property 'limits'"],
    ['a digest that is none', ['--set', 'image.digest=sha256:1'], "at '/image/digest'"],
    ['an Ingress without a host', ['--set', 'ingress.public.host='], "at '/ingress/public/host'"],
    ['an Ingress without TLS', ['--set', 'ingress.public.tlsSecret='], "at '/ingress/public/tlsSecret'"],
    ['the tag latest', ['--set', 'image.tag=latest'], 'image.tag must name a version, not latest'],
    ['a certificate for a connection without TLS', ['--set', 'settings.TEMPORAL_TLS=false'], 'settings.TEMPORAL_TLS must be true with temporal.tls.existingSecret'],
    ['a folder store without a volume', ['--set', 'fileStore.existingClaim='], 'fileStore.existingClaim must name a claim', 'small'],
    ['a folder store outside of its volume', ['--set', 'settings.FILE_STORE_URL=file:///files'], 'settings.FILE_STORE_URL must be a folder below file:///data/', 'small'],
    ['an Ingress whose addresses nobody believes', ['--set', 'settings.TRUSTED_PROXIES='], 'settings.TRUSTED_PROXIES must name the network of the ingress controller'],
    ['a queue without a worker', ['--set', 'workers.groups.emails=null'], 'workers.groups has no worker for the queue emails'],
    ['versions that drain where workers have none', ['--set', 'workers.draining[0].tag=0.12.0'], 'workers.draining needs temporal.versioning.enabled', 'small'],
    ['a version that drains and is new', ['--set', 'workers.draining[0].tag=9.0.0', '--set', 'image.tag=9.0.0'], 'workers.draining names 9.0.0, which is image.tag'],
    ['a scaled version that does not run', ['--set', 'workers.scaledTag=9.0.0'], 'workers.scaledTag must be image.tag or a tag of workers.draining'],
    ['an image that is pinned, next to one that drains and is not', ['--set', `image.digest=${digest(1)}`, '--set', 'workers.draining[0].tag=0.1.0'], 'workers.draining (0.1.0) must have a digest if image.digest is set'],
    ['an image that drains and is pinned, next to one that is not', ['--set', 'workers.draining[0].tag=0.1.0', '--set', `workers.draining[0].digest=${digest(1)}`], 'workers.draining (0.1.0) must have a digest if image.digest is set, and none otherwise'],
    ['the digest of the version before', ['--set', `image.digest=${digest(1)}`, '--set', 'workers.draining[0].tag=0.1.0', '--set', `workers.draining[0].digest=${digest(1)}`], 'workers.draining (0.1.0) has the digest of another version'],
    ['an image of the API alone that is not pinned', ['--set', `image.digest=${digest(1)}`, '--set', 'api.image.tag=0.1.0'], 'api.image (0.1.0) must have a digest'],
    ['more pods at the least than at the most', ['--set', 'api.autoscaling.minReplicas=8'], 'api.autoscaling.minReplicas must be at most its maxReplicas'],
    ['the same of a group', ['--set', 'workers.groups.emails.autoscaling.maxReplicas=1'], 'workers.groups.emails.autoscaling.minReplicas must be at most its maxReplicas'],
    ['an autoscaled group without bounds', ['--set-json', `workers.groups.own=${JSON.stringify({ queues: ['emails'], replicas: 1, resources, autoscaling: { enabled: true } })}`], "at '/workers/groups/own/autoscaling': missing properties 'minReplicas', 'maxReplicas'"],
    ['a peer of another form', ['--set-json', 'networkPolicy.publicFrom=[{"namespaceSelectr":{}}]'], "at '/networkPolicy/publicFrom/0': additional properties 'namespaceSelectr' not allowed"],
    ['a store\'s peer of another form', ['--set-json', 'networkPolicy.egress.redis.to=[{"ipBlock":{"cdir":"10.0.0.0/8"}}]'], "at '/networkPolicy/egress/redis/to/0/ipBlock'"],
    ['a further rule of another form', ['--set-json', 'networkPolicy.egress.further=[{"from":[]}]'], "at '/networkPolicy/egress/further/0': additional properties 'from' not allowed"],
    ['a volume for uploads that is never free enough', ['--set', 'spool.storageClassName=fast', '--set', 'spool.sizeLimit=1Gi'], 'spool.sizeLimit must be more than settings.MINIMUM_FREE_BYTES, 2147483648'],
    ['a version that drains twice', ['--set', 'workers.draining[0].tag=0.1.0', '--set', 'workers.draining[1].tag=0.1.0'], 'workers.draining names 0.1.0'],
  ];

  it.each(wrong)('%s', (_what, args, message, values = 'own-cluster') => {
    const { status, errors } = chart.render(values, args);
    expect([status, errors]).toEqual([1, expect.stringContaining(message)]);
  });

  it('but not the example values', () => {
    for (const values of valueFiles) expect(chart.render(values)).toMatchObject({ status: 0, errors: '' });
  });
});

describe('versions of workers', () => {
  const upgrade = ['--set', 'image.tag=9.1.0', '--set', 'workers.draining[0].tag=9.0.0', '--set', 'workers.draining[0].replicas=1'];
  const buildsOf = (objects: readonly KubernetesObject[]) => workloadsOf(objects).filter(({ containers }) => containers[0]?.name === 'worker').map(({ object, containers: [worker] }) => ({
    name: object.metadata.name,
    replicas: object.spec.replicas,
    image: worker?.image.split(':')[1],
    build: worker?.env.find(({ name }) => name === 'TEMPORAL_BUILD_ID')?.value,
    deployment: worker?.env.find(({ name }) => name === 'TEMPORAL_DEPLOYMENT_NAME')?.value,
  }));

  it('stand next to each other, each of its image, while the earlier one drains', () => {
    const builds = buildsOf(objectsOf('own-cluster', upgrade));
    expect(builds).toEqual(['attempts', 'emails', 'workflows'].flatMap((group) => [
      { name: `institution-worker-${group}-9-1-0`, replicas: undefined, image: '9.1.0', build: '9.1.0', deployment: 'institution' },
      { name: `institution-worker-${group}-9-0-0`, replicas: 1, image: '9.0.0', build: '9.0.0', deployment: 'institution' },
    ]).sort((one, other) => (one.replicas ?? 0) - (other.replicas ?? 0)));
  });

  it('that drain have the very pods that they had before, so that none restarts', () => {
    const podsOf = (args: readonly string[]) => workloadsOf(objectsOf('own-cluster', args)).filter(({ name }) => name.endsWith('-9-0-0')).map(({ object }) => [object.metadata.name, object.spec.template, object.spec.selector]);
    expect(podsOf(upgrade)).toEqual(podsOf(['--set', 'image.tag=9.0.0']));
  });

  it('that drain have as many pods as their group at its most, where no cluster says how many they have', () => {
    const draining = ['--set', 'image.tag=9.1.0', '--set', 'workers.draining[0].tag=9.0.0'];
    const podsOf = (args: readonly string[]) => Object.fromEntries(buildsOf(objectsOf('own-cluster', [...draining, ...args])).filter(({ build }) => build === '9.0.0').map(({ name, replicas }) => [name, replicas]));
    expect(podsOf([])).toEqual({ 'institution-worker-attempts-9-0-0': 4, 'institution-worker-emails-9-0-0': 3, 'institution-worker-workflows-9-0-0': 4 });
    expect(podsOf(['--set', 'workers.groups.emails.autoscaling.enabled=false'])).toMatchObject({ 'institution-worker-emails-9-0-0': 2 });
  });

  it('are upgraded before the API, which keeps the image before until it is its time', () => {
    const objects = objectsOf('own-cluster', [...upgrade, '--set', 'api.image.tag=9.0.0']);
    const images = workloadsOf(objects).flatMap(({ containers }) => containers.map(({ name, image }) => `${name} ${image.split(':')[1] ?? ''}`));
    expect([...new Set(images)].sort()).toEqual(['api 9.0.0', 'schema 9.1.0', 'temporal 9.1.0', 'worker 9.0.0', 'worker 9.1.0']);
  });

  it('do not exist without versioning: an update replaces the workers', () => {
    expect(buildsOf(objectsOf('small', ['--set', 'image.tag=9.1.0']))).toEqual([{ name: 'institution-worker-all', replicas: 1, image: '9.1.0', build: undefined, deployment: undefined }]);
  });
});

it('Temporal is reached with the mounted certificate, or with the mounted key', () => {
  const own = workloadsOf(objectsOf('own-cluster'))[0]?.containers[0]?.env ?? [];
  expect(own.filter(({ name }) => name.startsWith('TEMPORAL_TLS')).map(({ name, value }) => [name, value])).toEqual([
    ['TEMPORAL_TLS', 'true'],
    ['TEMPORAL_TLS_CA_FILE', '/etc/institution/temporal-tls/ca.crt'],
    ['TEMPORAL_TLS_CERT_FILE', '/etc/institution/temporal-tls/tls.crt'],
    ['TEMPORAL_TLS_KEY_FILE', '/etc/institution/temporal-tls/tls.key'],
    ['TEMPORAL_TLS_SERVER_NAME', 'temporal-frontend'],
  ]);
  const cloud = workloadsOf(objectsOf('temporal-cloud'))[0]?.containers[0]?.env ?? [];
  expect(cloud.find(({ name }) => name === 'TEMPORAL_API_KEY_FILE')?.value).toBe('/etc/institution/temporal-api-key/api-key');
});

it('the autoscalers of workers ask for the latency of the task queues that their group polls', () => {
  const asked = ofKind(objectsOf('own-cluster', ['--set', 'settings.TASK_QUEUE=school']), 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [
    metadata.name, spec.metrics?.map(({ resource, external }) => resource?.name ?? external?.metric.selector?.matchLabels.task_queue ?? external?.metric.name),
  ]);
  expect(Object.fromEntries(asked)).toEqual({
    'institution-api': ['cpu'],
    'institution-worker-attempts': [webhooksQueue('school'), 'institution_event_queue_age_seconds'],
    'institution-worker-emails': [emailsQueue('school')],
    'institution-worker-workflows': ['school'],
  });
});

it('the rules of Prometheus are those of the documents, and one more for each group of workers', async () => {
  const readPromql = await loadPromqlParser();
  const [rules] = ofKind(objectsOf('own-cluster'), 'PrometheusRule');
  const [documented, groups] = rules?.spec.groups ?? [];
  expect(documented?.rules.map(({ alert }) => alert)).toEqual([...read('docs/operations/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert));
  expect(documented?.rules.find(({ alert }) => alert === 'DeliveriesDie')?.annotations.description).toContain('{{ $value | humanizePercentage }}');
  const { version }: { version: string } = JSON.parse(read('package.json'));
  expect(groups?.rules.map(({ expr, labels }) => [labels.group, expr])).toEqual(['attempts', 'emails', 'workflows'].map((group) => [
    // Not the workers of a version that drains, or of another installation.
    group, `absent(up{job="institution-worker", namespace="school", queues="${group}", build="${version.replaceAll('.', '-')}"} == 1)`,
  ]));
  for (const { expr, annotations } of groups?.rules ?? []) {
    expect(readPromql(expr).errors).toEqual([]);
    expect(read('docs/operations/runbook.md')).toContain('## No worker runs');
    expect(annotations.runbook).toBe('docs/operations/runbook.md#no-worker-runs');
  }
});

it('with a base of the documents every alert has a link that a pager can open, in place of a path', () => {
  const base = 'https://git.school.example/institution-api/blob/v1.1.0';
  for (const given of [base, `${base}/`]) {
    const [rules] = ofKind(objectsOf('own-cluster', ['--set', `monitoring.prometheusRule.runbookBase=${given}`]), 'PrometheusRule');
    const all = (rules?.spec.groups ?? []).flatMap((group) => group.rules.map(({ annotations }) => annotations));
    expect(all.length).toBeGreaterThan(50);
    for (const { runbook, runbook_url: link } of all) expect([runbook, link]).toEqual([undefined, expect.stringMatching(/^https:\/\/git\.school\.example\/institution-api\/blob\/v1\.1\.0\/docs\/operations\/\w+\.md#/)]);
  }
  const { status, errors } = chart.render('own-cluster', ['--set', 'monitoring.prometheusRule.runbookBase=docs']);
  expect([status, errors]).toEqual([1, expect.stringContaining("at '/monitoring/prometheusRule/runbookBase'")]);
});
