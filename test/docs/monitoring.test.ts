import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passedOnMetrics } from '../../worker/sdkMetrics';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi } from '../support/api';
import { codeRows, readDocument, section } from '../support/documents';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { readMetrics, scrape } from '../support/metrics';
import { loadPromqlParser, type PromqlReferences } from '../support/promql';
import { startReceiver, type Receiver } from '../support/receiver';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Panel {
  type: string;
  title: string;
  datasource: { uid: string };
  fieldConfig: { defaults: { unit?: string } };
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string; datasource: { uid: string } }[];
}

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, 'docs/operations', name), 'utf8');
const yaml = join(root, 'test/support/readYaml.mjs');
const { groups }: { groups: { name: string; rules: Rule[] }[] } = JSON.parse(execFileSync(process.execPath, [yaml], { input: read('alerts.yml'), encoding: 'utf8' }));
const rules = groups.flatMap((group) => group.rules);
const dashboard: { templating: { list: { name: string; type: string; query: string }[] }; panels: Panel[] } = JSON.parse(read('grafana-dashboard.json'));
const graphs = dashboard.panels.filter(({ type }) => type !== 'row');
const questions = [
  ...rules.map(({ alert, expr }) => ({ what: `the alert ${alert}`, expr })),
  ...graphs.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ what: `the panel ${title}`, expr }))),
];

/** What Prometheus itself adds to what it scrapes. */
const prometheusOwn = { metrics: ['up'], labels: ['job', 'instance'] };

/** How a link names a heading. */
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^\w\s-]/g, '').trim().replaceAll(/\s/g, '-');

let readPromql: (expression: string) => PromqlReferences;

beforeAll(async () => {
  readPromql = await loadPromqlParser();
});

/** Has workflow tasks and activities begin and fail, until every metric of Temporal's SDK has a sample. */
async function exposeTasks({ settings }: TestApi, { port }: RunningWorker, institutionId: string): Promise<void> {
  const { client, taskQueue } = openTestTemporal(settings);
  const workflows = await Promise.all(
    ['noSuchWorkflow', 'personExport', 'couponBatchApproval'].map((type) =>
      client.workflow.start(type, { taskQueue, workflowId: `${type}-${institutionId}`, args: [{ institutionId, exportId: 'exp_none', batchId: 'cpb_none' }] })),
  );
  await eventually("the SDK's metrics", async () => {
    const text = await scrape(port);
    return [...passedOnMetrics].every((name) => text.includes(`\n${name}`)) && text.includes('\nschedule_late_seconds{');
  });
  await Promise.all(workflows.map((workflow) => workflow.terminate().catch(() => undefined)));
}

describe('what API and worker tell', () => {
  let api: TestApi;
  let worker: RunningWorker;
  let receiver: Receiver;
  const labelsOf = new Map<string, Set<string>>();

  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
    worker = await startTestWorker(api.settings, { temporalLooksEveryMs: 1_000 });
    const institution = await api.institution();
    await seedEndpoint(api, institution, receiver.url, { events: ['student.created'] });
    // Institutions are named for as long as something waits for them.
    await seedDelivery(api, institution, await seedEndpoint(api, institution, receiver.url, { status: 'paused', pausedAt: new Date() }), { status: 'held' });
    await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    await eventually('a delivery', async () => ((await readMetrics(worker.port)).get('webhook_deliveries_total{outcome="delivered"}') ?? 0) > 0);
    await waitUntilPolling(worker);
    await exposeTasks(api, worker, institution.id);
    // On a busy machine the first questions to Postgres may take longer than they have.
    await eventually('every gauge of Postgres', async () => {
      const text = await scrape(worker.port);
      return ['webhook_event_queue_age_seconds', 'postgres_database_bytes', 'institution_waiting_deliveries{'].every((name) => text.includes(`\n${name}`));
    });
    const exposed = (await Promise.all([api.api.platformPort, worker.port].map(scrape))).join('\n');
    for (const [, name = '', labels = ''] of exposed.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gim)) {
      const known = labelsOf.get(name) ?? new Set();
      for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
      labelsOf.set(name, known);
    }
  });

  afterAll(async () => {
    await worker.stop();
    await closeTestTemporal();
    await api.stop();
    await receiver.close();
  });

  it.each(questions)('is what $what asks for, labels too', ({ expr }) => {
    const { metrics, labels } = readPromql(expr);
    expect(metrics.size).toBeGreaterThan(0);
    const unknown = [...metrics].filter((metric) => !labelsOf.has(metric) && !prometheusOwn.metrics.includes(metric));
    expect(unknown).toEqual([]);
    const known = new Set([...prometheusOwn.labels, ...[...metrics].flatMap((metric) => [...(labelsOf.get(metric) ?? [])])]);
    expect([...labels].filter((label) => !known.has(label))).toEqual([]);
  });

  it('is what the overview lists, and no more of our own', () => {
    const rows = codeRows(section('docs/operations/overview.md', '## Health')).map(([name = '', , labels = '']) => ({ name, labels }));
    const listed = rows.filter(({ name }) => /^[a-z_]+$/.test(name));
    const own = [...labelsOf.keys()].filter((name) => !/^(process|nodejs)_/.test(name)).map((name) => name.replace(/_seconds_(bucket|sum|count)$/, '_seconds'));
    expect(listed.map(({ name }) => name).sort()).toEqual([...new Set(own)].sort());
    for (const { name, labels } of listed) {
      const exposed = [...(labelsOf.get(name) ?? labelsOf.get(`${name}_count`) ?? [])];
      // Values stand in brackets.
      const said = [...labels.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, label]) => label);
      expect([name, said.sort()]).toEqual([name, exposed.sort()]);
    }
  });
});

it.each(questions)('$what is well-formed PromQL', ({ expr }) => {
  expect(readPromql(expr).errors).toEqual([]);
});

it('what is not well-formed PromQL is found', () => {
  for (const broken of ['sum(rate(up[5m])', 'sum by outcome (up)', 'rte(up[5m])', 'up{job=worker} > 1', '']) expect([broken, readPromql(broken).errors]).not.toEqual([broken, []]);
});

describe('the alerts', () => {
  it('are named once each and say how long, how bad, what and where to read on', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule).toEqual({
        alert: expect.stringMatching(/^[A-Z]\w+$/),
        expr: expect.any(String),
        for: expect.stringMatching(/^\d+m$/),
        labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
        annotations: { summary: expect.any(String), description: expect.any(String), runbook: expect.any(String) },
      });
    }
  });

  it.each(rules)('$alert leads to a section of the runbook, which names it', ({ alert, annotations: { runbook = '' } }) => {
    const [file = '', anchor = ''] = runbook.split('#');
    expect(existsSync(join(root, file))).toBe(true);
    const heading = [...readDocument(file).matchAll(/^## (.+)$/gm)].map(([, text = '']) => text).find((text) => anchorOf(text) === anchor);
    expect([runbook, heading]).toEqual([runbook, expect.any(String)]);
    expect(section(file, `## ${heading ?? ''}`)).toContain(`\`${alert}\``);
  });

  it('use in their templates the labels that their expression leaves', () => {
    for (const { expr, annotations } of rules) {
      const used = Object.values(annotations).flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label));
      expect([expr, used.filter((label) => !readPromql(expr).labels.has(label))]).toEqual([expr, []]);
    }
  });
});

it('each objective is measured by the expression that its alerts have', () => {
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const measured = [...readDocument('docs/operations/slo.md').matchAll(/^```promql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => oneLine(text));
  expect(measured).toHaveLength(4);
  for (const expression of measured) {
    expect([expression, rules.filter(({ expr }) => oneLine(expr).startsWith(`(${expression}) > 14.4 * `)).length]).toEqual([expression, 1]);
  }
});

describe('the dashboard', () => {
  it.each(rules)('shows every metric that $alert asks for', ({ expr }) => {
    const shown = new Set(graphs.flatMap(({ targets }) => targets.flatMap((target) => [...readPromql(target.expr).metrics])));
    expect([...readPromql(expr).metrics].filter((metric) => !shown.has(metric) && !prometheusOwn.metrics.includes(metric))).toEqual([]);
  });

  it('asks the data source that its reader chooses', () => {
    expect(dashboard.templating.list).toEqual([expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' })]);
    const asked = graphs.flatMap(({ datasource, targets }) => [datasource.uid, ...targets.map((target) => target.datasource.uid)]);
    expect(new Set(asked)).toEqual(new Set(['${datasource}']));
  });

  it('gives every panel a title, a unit and a place of its own', () => {
    expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length);
    for (const { fieldConfig } of graphs) expect(fieldConfig.defaults.unit).toMatch(/^(s|ops|reqps|short|percentunit|bytes|Bps)$/);
    expect(new Set(dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(dashboard.panels.length);
  });

  it('has a row for each subject, whose panels follow it, and asks nothing twice', () => {
    const places = dashboard.panels.map(({ type, title, gridPos: { y } }) => ({ isRow: type === 'row', title, y }));
    const rows = places.filter(({ isRow }) => isRow);
    expect(rows.map(({ title }) => title)).toEqual(['Objectives', 'Calls', 'Webhooks', 'Queues', 'Outbox', 'Temporal', 'Tenants', 'Postgres', 'Tables over years', 'Processes']);
    expect(places.map(({ y }) => y)).toEqual(places.map(({ y }) => y).sort((a, b) => a - b));
    for (const [nth, row] of rows.entries()) {
      const until = rows[nth + 1]?.y ?? Infinity;
      expect([row.title, places.some(({ isRow, y }) => !isRow && y > row.y && y < until)]).toEqual([row.title, true]);
    }
    const asked = graphs.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(asked.filter((expr, nth) => asked.indexOf(expr) !== nth)).toEqual([]);
  });
});
