import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedApi } from '../../clients/generate/described';
import { documentedAt, generatedFiles, type GeneratedFile } from '../../clients/generate/generated';
import { resources } from '../../api/resources';
import { openApiPath } from '../../api/http/openapi/operation';
import { escaped } from '../support/servedDocument';
import { apiOfAllTests } from '../support/sharedApi';

const root = join(__dirname, '../..');
const paths = ['clients/typescript/src/openapi.ts', 'clients/typescript/package.json', 'docs/postman.json', 'llms.txt'];

const api = apiOfAllTests(() => ({ publicBaseUrl: documentedAt }));
let files: GeneratedFile[];

beforeAll(async () => {
  files = await generatedFiles(root, describedApi(api.served.document));
});

const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';

it('every file that is generated is known here', () => {
  expect(files.map(({ path }) => path)).toEqual(paths);
});

it.each(paths)('%s is what the served document gives now', (path) => {
  const stale = readFileSync(join(root, path), 'utf8') !== textOf(path);
  if (stale) throw new Error(`${path} is not what the document gives now: run \`npm run generate\` and commit what it writes`);
});

it('the client has the version of the service', () => {
  const versionIn = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8')).version;
  expect(versionIn('clients/typescript/package.json')).toBe(versionIn('package.json'));
});

describe('docs/postman.json', () => {
  interface Item {
    request: { method: string; url: { raw: string; variable?: { key: string; value: string }[] }; body?: { mode: string; raw?: string } };
  }
  const requests = (): Item['request'][] => {
    const collection: { item: { item: Item[] }[] } = JSON.parse(textOf('docs/postman.json'));
    return collection.item.flatMap(({ item }) => item.map(({ request }) => request));
  };
  const pathOf = ({ url }: Item['request']): string => url.raw.replace('{{base_url}}', '');

  it('has every operation once', () => {
    expect(requests().map((request) => `${request.method} ${pathOf(request)}`).sort()).toEqual(resources.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('has a value for every part of a path, and bodies that the document accepts', () => {
    let bodies = 0;
    for (const request of requests()) {
      for (const { key, value } of request.url.variable ?? []) expect([pathOf(request), key, value !== '']).toEqual([pathOf(request), key, true]);
      const { raw } = request.body ?? {};
      if (raw === undefined) continue;
      bodies += 1;
      const at = `/paths/${escaped(openApiPath(pathOf(request)))}/${request.method.toLowerCase()}/requestBody/content/application~1json/schema`;
      const accepts = api.served.validatorAt(at);
      expect([pathOf(request), accepts(JSON.parse(raw)), accepts.errors]).toEqual([pathOf(request), true, null]);
    }
    expect(bodies).toBeGreaterThan(20);
  });

  it('sends the key as a variable, and carries none', () => {
    const { auth, variable } = JSON.parse(textOf('docs/postman.json'));
    expect(auth).toEqual({ type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] });
    expect(variable).toEqual([{ key: 'base_url', value: documentedAt, type: 'string' }, { key: 'api_key', value: '', type: 'string' }]);
  });
});

describe('llms.txt', () => {
  it('names every operation in a line of its own, with its scope', () => {
    const lines = textOf('llms.txt').split('\n').filter((line) => line.startsWith('- `'));
    const said = resources.map(({ method, path, access, summary }) => {
      const scope = access.by === 'key' && access.scope !== null ? ` (${access.scope})` : '';
      return `- \`${method} ${openApiPath(path)}\`${scope}: ${summary}`;
    });
    expect(lines.sort()).toEqual(said.sort());
  });

  it('leads to documents that are there', () => {
    const targets = [...textOf('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
  });
});
