import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { codeBlock, codeRows, readDocument, section } from '../support/documents';
import { openChart, type Chart } from '../support/helm/chart';
import { ofKind, workloadsOf, type KubernetesObject } from '../support/helm/objects';
import { runAsOperator, type OperatorCommand } from '../support/helm/operator';
import { loadPromqlParser } from '../support/promql';

const page = 'docs/operations/kubernetes.md';
const buildWithinMs = 30 * 60_000;
/** The versions of the page's versions.yaml; nobody looks at the new workers for long. */
const environment = { OLD: '1.0.0', NEW: '1.1.0', LOOK_SECONDS: '0' };
const forward = { environment, versions: 'versions.yaml' };
const back = { environment, versions: 'versions-back.yaml' };

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
}, buildWithinMs);

/** A script's commands, each with what is in the cluster after it. */
function steps(commands: readonly OperatorCommand[]): (OperatorCommand & { objects: KubernetesObject[] })[] {
  let objects: KubernetesObject[] = [];
  return commands.map((command) => {
    if (command.yaml !== '') ({ objects } = chart.read({ status: 0, yaml: command.yaml, errors: '' }));
    return { ...command, objects };
  });
}

const deploymentsOf = (objects: readonly KubernetesObject[]): string[] => ofKind(objects, 'Deployment').map(({ metadata }) => `deployment/${metadata.name}`);
/** The tag of the image of each kind of container, as it runs. */
const tagsOf = (objects: readonly KubernetesObject[]): string[] => [...new Set(workloadsOf(objects).flatMap(({ containers }) => containers.map(({ name, image }) => `${name} ${image.split(':')[1] ?? ''}`)))].sort();
const commandsOf = (run: readonly OperatorCommand[]): string[] => run.filter(({ program }) => program === 'kubectl').map(({ args }) => args.join(' '));

describe.each([['install.sh', {}], ['upgrade.sh', forward], ['rollback.sh', back]])('%s of the page', (script, operation) => {
  it('asks kubectl for Deployments that the chart has made by then, in its namespace', async () => {
    const run = steps(await runAsOperator(page, script, 'own-cluster', operation));
    const asked = run.flatMap(({ program, args, objects }) => (program === 'kubectl' ? args.filter((arg) => arg.startsWith('deployment/')).map((arg) => ({ arg, there: deploymentsOf(objects) })) : []));
    expect(asked.length).toBeGreaterThan(3);
    for (const { arg, there } of asked) expect(there).toContain(arg);
    const namespaces = run.flatMap(({ args }) => args.filter((_arg, index) => ['-n', '--namespace'].includes(args[index - 1] ?? '')));
    expect([...new Set(namespaces)]).toEqual(['school']);
  });
});

it('install.sh makes the Secrets of the table, which are those that API, workers and migration read', async () => {
  const run = steps(await runAsOperator(page, 'install.sh', 'own-cluster'));
  const made = run.filter(({ args }) => args.includes('secret')).map(({ args }) => args[args.indexOf('generic') + 1] ?? '');
  const rows = codeRows(section(page, '## Before'));
  const byName = new Map<string, Set<string>>();
  const mounted = new Set<string>();
  for (const { pod, containers } of workloadsOf(run.at(-1)?.objects ?? [])) {
    for (const { secretKeyRef: { name, key } } of containers.flatMap(({ env }) => env.flatMap(({ valueFrom }) => valueFrom ?? []))) byName.set(name, (byName.get(name) ?? new Set()).add(key));
    for (const { secret } of pod.volumes ?? []) if (secret !== undefined) mounted.add(secret.secretName);
  }
  const listed = rows.map(([name = '', keys = '']) => [name, [...keys.matchAll(/`([^`]+)`/g)].map(([, key]) => key).sort()]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries([...byName].map(([name, keys]) => [name, [...keys].sort()])));
  expect(made.sort()).toEqual([...byName.keys(), 'institution-authorities'].sort());
  expect([...mounted].sort()).toEqual(['institution-authorities', 'institution-temporal-client']);
});

it.each([['install.sh', {}], ['upgrade.sh', forward]])('%s has Kubernetes check everything that its first command of Helm makes', async (script, operation) => {
  const run = await runAsOperator(page, script, 'own-cluster', operation);
  const checked = run.findIndex(({ args }) => args.includes('--dry-run=server'));
  const made = run.findIndex(({ yaml }) => yaml !== '');
  expect(checked).toBeGreaterThan(-1);
  expect(checked).toBeLessThan(made);
  const namesOf = (yaml = ''): string[] => chart.read({ status: 0, yaml, errors: '' }).objects.filter(({ metadata }) => !metadata.name.endsWith('-migration')).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  expect(namesOf(run[checked]?.input)).toEqual(namesOf(run[made]?.yaml));
});

it('upgrade.sh migrates and starts the new workers next to the old ones, promotes them, and only then replaces the API', async () => {
  const run = steps(await runAsOperator(page, 'upgrade.sh', 'own-cluster', forward));
  expect(run.filter(({ yaml }) => yaml !== '').map(({ objects }) => tagsOf(objects))).toEqual([
    ['api 1.0.0', 'schema 1.1.0', 'temporal 1.1.0', 'worker 0.15.0', 'worker 1.0.0', 'worker 1.1.0'],
    ['api 1.1.0', 'worker 0.15.0', 'worker 1.0.0', 'worker 1.1.0'],
  ]);
  const worker = '-n school exec deployment/institution-worker-workflows-1-1-0 -- node dist/worker/deployMain.js';
  expect(commandsOf(run).filter((command) => command.includes(' exec '))).toEqual([`${worker} ramp 10`, `${worker} promote`, `${worker} status`]);
  const order = run.map(({ args, yaml }) => (yaml !== '' ? 'helm' : args.at(-1) ?? '')).filter((step) => ['helm', 'promote'].includes(step));
  expect(order).toEqual(['helm', 'promote', 'helm']);
});

/** The Deployments that autoscalers scale after each command of Helm, by the end of their names. */
const scaledBy = (run: readonly { yaml: string; objects: KubernetesObject[] }[]): string[][] => run.filter(({ yaml }) => yaml !== '').map(({ objects }) =>
  [...new Set(ofKind(objects, 'HorizontalPodAutoscaler').flatMap(({ spec }) => /\d-\d-\d$/.exec(spec.scaleTargetRef?.name ?? '') ?? []))]);

it('an upgrade and a rollback scale the version that has the workflows, until the other one has them', async () => {
  expect(scaledBy(steps(await runAsOperator(page, 'upgrade.sh', 'own-cluster', forward)))).toEqual([['1-0-0'], ['1-1-0']]);
  expect(scaledBy(steps(await runAsOperator(page, 'rollback.sh', 'own-cluster', back)))).toEqual([['1-1-0'], ['1-0-0']]);
});

it.each([['upgrade.sh', forward], ['rollback.sh', back]])('after %s the files say what runs: the next helm upgrade of anybody changes nothing', async (script, operation) => {
  const run = await runAsOperator(page, script, 'own-cluster', operation);
  const last = run.filter(({ yaml }) => yaml !== '').at(-1);
  expect(last?.args.filter((arg) => arg.startsWith('--set'))).toEqual(script === 'upgrade.sh' ? ['--set'] : []);
  expect(last?.args.filter((arg) => arg.includes('tag'))).toEqual([]);
});

it('rollback.sh starts the old workers first and migrates nothing', async () => {
  const run = steps(await runAsOperator(page, 'rollback.sh', 'own-cluster', back));
  expect(run.filter(({ yaml }) => yaml !== '').map(({ objects }) => tagsOf(objects))).toEqual([
    ['api 1.1.0', 'worker 0.15.0', 'worker 1.0.0', 'worker 1.1.0'],
    ['api 1.0.0', 'worker 0.15.0', 'worker 1.0.0', 'worker 1.1.0'],
  ]);
  expect(commandsOf(run)).toContain('-n school exec deployment/institution-worker-workflows-1-1-0 -- node dist/worker/deployMain.js rollback');
});

it('a script that names what is not there fails', async () => {
  await expect(runAsOperator(page, 'upgrade.sh', 'own-cluster', { versions: 'versions.yaml' })).rejects.toThrow('unbound variable');
  await expect(runAsOperator(page, 'upgrade.sh', 'own-cluster', { environment: { ...environment, OLD: '0.9.0' }, versions: 'versions.yaml' })).rejects.toThrow('workers.scaledTag must be image.tag or a tag of workers.draining');
  await expect(runAsOperator(page, 'upgrade.sh', 'small', forward)).rejects.toThrow('workers.draining needs temporal.versioning.enabled');
});

it('the page has time for the migration, as the chart gives it', () => {
  const [, deadline = ''] = /activeDeadlineSeconds: (\d+)/.exec(readFileSync(join(projectRoot(), 'deploy/helm/values.yaml'), 'utf8')) ?? [];
  const minutes = [...readDocument(page).matchAll(/--timeout (\d+)m/g)].map(([, given]) => Number(given));
  expect(minutes.length).toBe(2);
  for (const given of minutes) expect(given * 60).toBeGreaterThan(Number(deadline));
});

it('the rules of prometheus-adapter answer what the autoscalers ask for, by well-formed questions', async () => {
  const readPromql = await loadPromqlParser();
  const yaml = execFileSync(process.execPath, [join(projectRoot(), 'test/support/readYaml.mjs')], { input: codeBlock(page, 'adapter.yaml'), encoding: 'utf8' });
  const { rules: { external } }: { rules: { external: { name: { as: string }; seriesQuery: string; metricsQuery: string }[] } } = JSON.parse(yaml);
  const asked = ofKind(chart.read(chart.render('own-cluster')).objects, 'HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics ?? []).flatMap(({ external: metric }) => metric?.metric.name ?? []);
  expect(external.map(({ name }) => name.as).sort()).toEqual([...new Set(asked)].sort());
  for (const { seriesQuery, metricsQuery } of external) {
    for (const query of [seriesQuery, metricsQuery.replaceAll('<<.LabelMatchers>>', 'task_queue="institution"')]) expect([query, readPromql(query).errors]).toEqual([query, []]);
  }
  const [, otherwise] = /scheduleToStartSeconds: (\d+)/.exec(readFileSync(join(projectRoot(), 'deploy/helm/values.yaml'), 'utf8')) ?? [];
  expect(section(page, '## Autoscaling')).toContain(`wait for over ${otherwise} s (95th`);
});

it('no rule of prometheus-adapter takes the rate of several metrics at once, which Prometheus refuses: the rate has no name, and they have the same labels', () => {
  expect(codeBlock(page, 'adapter.yaml')).not.toMatch(/__name__/);
});

it('every file, value and Service that the page names is there', () => {
  const text = readDocument(page);
  const named = [...text.matchAll(/`(values\/[\w-]+\.yaml)`/g)].map(([, file = '']) => file);
  expect(new Set(named).size).toBe(3);
  for (const file of named) expect(readFileSync(join(projectRoot(), 'deploy/helm', file), 'utf8')).not.toBe('');
  const services = ofKind(chart.read(chart.render('own-cluster')).objects, 'Service').map(({ metadata }) => metadata.name);
  for (const [, service = ''] of text.matchAll(/`(institution-(?:public|platform|apps))`/g)) expect(services).toContain(service);
});
