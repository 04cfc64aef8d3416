import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { platformOperations } from '../../api/operations/platform';
import { publicOperations } from '../../api/operations/public';
import { statusOf } from '../../api/http/errors';
import { environmentSchema } from '../../config/settings';
import { eventTypes } from '../../domain/events/eventTypes';
import { deliveryTransitions } from '../../domain/webhooks/transitions';
import { withConnection } from '../../local/programs/postgres';
import { schedules, searchAttributes } from '../../workflows/contract';
import { codeRows, documents, readDocument, section } from '../support/documents';
import { stack } from '../support/stack';

const root = join(__dirname, '../..');
const sorted = (names: Iterable<string>): string[] => [...names].sort();
const firstCells = (markdown: string): string[] => codeRows(markdown).map(([first = '']) => first);

describe('docs/errors.md', () => {
  it('lists exactly the codes of the API, each once and with its status', () => {
    const listed = codeRows(readDocument('docs/errors.md')).map(([code = '', status]) => [code, Number(status)]);
    expect(listed).toHaveLength(Object.keys(statusOf).length);
    expect(Object.fromEntries(listed)).toEqual(statusOf);
  });
});

describe('docs/operations/overview.md', () => {
  it('lists exactly the variables that a process reads, with their defaults', () => {
    const keys: Record<string, { flags?: { default?: string | number; presence?: string } }> = environmentSchema.describe().keys;
    const entries = Object.entries(keys);
    const said = ([name, { flags = {} }]: (typeof entries)[number]): [string, string] => {
      if (flags.presence === 'required') return [name, 'required'];
      if (flags.default === undefined) return [name, 'from `PORT`'];
      return [name, flags.default === '' ? 'empty' : `\`${flags.default}\``];
    };
    const listed = codeRows(section('docs/operations/overview.md', '## Environment')).map(([name = '', value]) => [name, value]);
    expect(listed).toEqual(entries.map(said));
  });
});

describe('docs/operations/workflows.md', () => {
  const document = readDocument('docs/operations/workflows.md');

  it('lists exactly the workflows that the worker hosts', () => {
    const index = readFileSync(join(root, 'workflows/index.ts'), 'utf8');
    const hosted = [...index.matchAll(/export \{ (\w+) \}/g)].map(([, name = '']) => name);
    const documented = [...document.matchAll(/^## `(\w+)`$/gm)].map(([, name = '']) => name);
    expect(sorted(documented)).toEqual(sorted(hosted));
  });

  it('names every Schedule and every search attribute', () => {
    for (const { scheduleId } of schedules) expect(document).toContain(`\`${scheduleId}\``);
    for (const { name } of Object.values(searchAttributes)) expect(document).toContain(`\`${name}\``);
  });
});

describe('docs/operations/runbook.md', () => {
  it('begins with a table that leads from each alert to the section where the alert itself leads', () => {
    const alerts = [...readFileSync(join(root, 'docs/operations/alerts.yml'), 'utf8').matchAll(/- alert: (\w+)$[\s\S]*?^ +runbook: docs\/operations\/(\S+)$/gm)];
    const [beginning = ''] = readDocument('docs/operations/runbook.md').split('\n## ');
    const rows = [...beginning.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| \[.+\]\((.+)\) \|$/gm)];
    const led = rows.flatMap(([, names = '', link = '']) => names.split(', ').map((name): [string, string] => [name.replaceAll('`', ''), link.replace(/^#/, 'runbook.md#')]));
    expect(led).toHaveLength(alerts.length);
    expect(Object.fromEntries(led)).toEqual(Object.fromEntries(alerts.map(([, alert = '', section = '']) => [alert, section])));
  });

  it('links from its tables to sections that it has', () => {
    const document = readDocument('docs/operations/runbook.md');
    const anchors = new Set([...document.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(/[^\w\s-]/g, '').trim().replaceAll(/\s/g, '-')));
    expect([...document.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor).filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });
});

describe('docs/webhooks.md', () => {
  it('lists exactly the event types that something emits, with the fields of their data', () => {
    const rules = readdirSync(join(root, 'domain'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const emitted = new Set(rules.flatMap((name) => [...readFileSync(join(root, 'domain', name), 'utf8').matchAll(/\.emit\('([a-z._]+)'/g)].map(([, type = '']) => type)));
    const listed = codeRows(section('docs/webhooks.md', '## What is sent')).map(([type = '', , data = '']) => [type, data.replaceAll('`', '').split(', ')] as const);
    // A ping is sent by a test of an endpoint alone, which is no event of the feed.
    expect(sorted(listed.map(([type]) => type))).toEqual(sorted([...emitted, 'ping']));
    const fields = Object.fromEntries(Object.entries(eventTypes).map(([type, { data }]) => [type, Object.keys(data.describe().keys)]));
    for (const [type, data] of listed) expect([type, data]).toEqual([type, fields[type]]);
  });

  it('lists exactly the statuses of a delivery', () => {
    const [, statuses = ''] = section('docs/webhooks.md', '## Deliveries').split('| Status | Means |');
    expect(firstCells(statuses.split('\n\n')[0] ?? '')).toEqual(Object.keys(deliveryTransitions));
  });
});

it('the index of decisions lists every record under its number and title', () => {
  const listed = [...readDocument('docs/decisions/README.md').matchAll(/^(\d+)\. \[(.+)\]\((.+)\)$/gm)].map(([, number = '', title, file]) => ({ file, head: `# ${number}. ${title}` }));
  const records = documents.filter((name) => /^docs\/decisions\/(?!README)/.test(name)).sort();
  expect(listed).toEqual(records.map((name) => ({ file: name.replace('docs/decisions/', ''), head: readDocument(name).split('\n')[0] })));
  expect(listed.map(({ file = '' }) => Number(file.slice(0, 4)))).toEqual(listed.map((_record, index) => index + 1));
});

describe('every document', () => {
  const document = { method: 'GET', path: '/openapi.json' };
  // The prefix of the public API may be left out.
  const operations = [
    ...[...publicOperations, document].map(({ method, path }) => ({ method, path: `(/v1)?${path}` })),
    ...[...platformOperations, document].map(({ method, path }) => ({ method, path: `/platform/v1${path}` })),
  ].map(({ method, path }) => ({ method, path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }));

  const exists = (method: string, path: string): boolean => operations.some((one) => one.method === method && one.path.test(path));

  // The specification names what is still to be built, too: the tests of the contract hold which.
  const ofWhatIsBuilt = documents.filter((name) => !['docs/specification.md', 'docs/contract.md'].includes(name));

  it.each(ofWhatIsBuilt)('%s names operations that exist', (name) => {
    const named = [...readDocument(name).matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?,;)]*)(?=[\s`?,;)]|$)(?! HTTP)/gm)];
    const unknown = named.map(([, method = '', path = '']) => ({ method, path })).filter(({ method, path }) => !exists(method, path));
    // The page adds these operations as an example.
    const example = name === 'docs/adding-an-endpoint.md' ? /^(\/v1)?\/rooms$/ : undefined;
    expect(unknown.filter(({ path }) => example?.test(path) !== true)).toEqual([]);
  });

  it.each(documents)('%s links to what is there', (name) => {
    const links = [...readDocument(name).matchAll(/\]\((?!https?:)([^)#]+)(#[^)]*)?\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(root, dirname(name), target)))).toEqual([]);
  });
});

it('the SQL for operators fits the schema, and ends with the semicolon that psql waits for', async () => {
  const { databaseUrl, stop } = await stack();
  const statements = documents
    .filter((document) => document.startsWith('docs/operations/'))
    .flatMap((document) => [...readDocument(document).matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql = '']) => sql));
  expect(statements.length).toBeGreaterThan(5);
  await withConnection(databaseUrl, async (client) => {
    for (const sql of statements) {
      expect(sql).toMatch(/;\n$/);
      await client.query(`EXPLAIN ${sql}`);
    }
  });
  await stop();
});
