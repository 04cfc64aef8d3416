import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApi, type ApiResponse, type TestApi } from '../support/api';
import { readDocument, requirePython, writePrograms } from '../support/documents';
import { readMetrics } from '../support/metrics';
import { startReceiver, type Receiver } from '../support/receiver';

const root = join(__dirname, '../..');

/** The scopes that the quickstart says its programs need. */
const saidScopes = [...(/with the scopes (.*?)\. /.exec(readDocument('docs/quickstart.md'))?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope);

let api: TestApi;
let receiver: Receiver;

beforeAll(async () => {
  requirePython();
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
});

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

/** The client from its sources: how it is packed and installed is test/docs/scripts.test.ts. */
function lendClient(folder: string): Record<string, string> {
  const place = join(folder, 'node_modules/@institution');
  mkdirSync(join(place, 'client'), { recursive: true });
  symlinkSync(join(root, 'clients/typescript/src'), join(place, 'client/src'));
  writeFileSync(join(place, 'client/package.json'), JSON.stringify({ name: '@institution/client', main: 'src/index.ts' }));
  return { NODE_OPTIONS: `--require ${join(root, 'test/support/compileSource.js')}` };
}

/** How often each operation was called since the process began, by its method and path. */
async function callsSoFar(): Promise<Map<string, number>> {
  const calls = new Map<string, number>();
  for (const [sample, count] of await readMetrics(api.api.platformPort)) {
    const [, method, path] = /^http_request_duration_seconds_count\{method="(\w+)",route="(\/[^"]+)",/.exec(sample) ?? [];
    if (method === undefined || path === undefined) continue;
    const call = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    calls.set(call, (calls.get(call) ?? 0) + count);
  }
  return calls;
}

/** The scopes that these calls need: who may write may read. */
function scopesOf(calls: readonly string[]): string[] {
  const scopes = new Set(calls.map((call) => {
    const [method = '', path = ''] = call.split(' ');
    const found = api.served.operationAt(method, path);
    if (found === undefined) throw new Error(`The document has no ${call}`);
    return found.operation['x-required-scope'];
  }).filter((scope) => scope !== undefined));
  return [...scopes].filter((scope) => !scope.endsWith(':read') || !scopes.has(scope.replace(/read$/, 'write')));
}

it.each(['quickstart.sh', 'quickstart.js', 'quickstart.py'])('%s needs the scopes that its document names and no other, makes one student and one group, and causes one ping', async (name) => {
  const institution = await api.institution(saidScopes);
  const programs = writePrograms('docs/quickstart.md', ['quickstart.sh', 'quickstart.ts', 'quickstart.py']);
  try {
    const before = await callsSoFar();
    receiver.received.length = 0;
    await programs.run(name, { environment: { BASE_URL: api.baseUrl, API_KEY: institution.apiKey, WEBHOOK_URL: receiver.url, ...lendClient(programs.folder) } });
    const called = [...(await callsSoFar())].filter(([call, count]) => count > (before.get(call) ?? 0)).map(([call]) => call);
    expect(scopesOf(called).sort()).toEqual(saidScopes.toSorted());
    expect(receiver.received.map(({ headers }) => headers['x-svc-event'])).toEqual(['ping']);
    const list = async (path: string): Promise<ApiResponse['data']> => (await api.call('GET', path, { key: institution.apiKey })).data;
    const [students, groups, endpoints] = [await list('/students'), await list('/groups'), await list('/webhooks/endpoints')];
    expect(students.items.map(({ student_id }: { student_id: string }) => student_id)).toEqual(['SIS-1042']);
    expect([groups.total, endpoints.total]).toEqual([1, 0]);
  } finally {
    programs.remove();
  }
});
