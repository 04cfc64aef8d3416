import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namespaces } from '../../api/http/openapi/pythonNames';
import { secretFields } from '../../clients/generate/python/schemas';
import { parseApiDocument } from '../../clients/generate/apiDocument';
import { documentedBaseUrl, generatedFiles, type GeneratedFile } from '../../clients/generate/generated';
import { publicOperations } from '../../api/operations/public';
import { openApiPath } from '../../api/http/openapi/describeOperation';
import { apiFixture } from '../support/apiFixture';
import { codeRows, readDocument } from '../support/documents';

const root = join(__dirname, '../..');
const pythonModules = ['models.py', 'params.py', '_sync_resources.py', '_async_resources.py', '_version.py'].map((name) => `clients/python/src/institution/${name}`);
const paths = ['clients/typescript/src/openapi.ts', 'clients/typescript/src/eventTypes.ts', 'clients/typescript/package.json', ...pythonModules, 'docs/python-methods.md', 'docs/postman.json', 'docs/roles.md', 'docs/scopes.md', 'llms.txt'];

const { api } = apiFixture({ institutionPer: 'none', settings: () => ({ publicBaseUrl: documentedBaseUrl }) });
let files: GeneratedFile[];

beforeAll(async () => {
  files = await generatedFiles(root, parseApiDocument(api.served.document));
});

const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';

it('every file that is generated is known here', () => {
  expect(files.map(({ path }) => path)).toEqual(paths);
});

it.each(paths)('%s is what the served document gives now', (path) => {
  const stale = readFileSync(join(root, path), 'utf8') !== textOf(path);
  if (stale) throw new Error(`${path} is not what the document gives now: run \`npm run generate\` and commit what it writes`);
});

it('no field of the TypeScript client takes a value of any type', () => {
  const fields = textOf('clients/typescript/src/openapi.ts').split('\n').filter((line) => !line.includes('[name: string]'));
  expect(fields.filter((line) => /(?:: |\| )unknown(?:;| \|)/.test(line))).toEqual([]);
});

it('the clients have the version of the service', () => {
  const versionIn = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8')).version;
  expect(versionIn('clients/typescript/package.json')).toBe(versionIn('package.json'));
  expect(readFileSync(join(root, 'clients/python/src/institution/_version.py'), 'utf8')).toContain(`__version__ = "${String(versionIn('package.json'))}"\n`);
});

it('the Python client has a method for every operation, with and without await', () => {
  for (const [module, definition] of [['_sync_resources.py', 'def'], ['_async_resources.py', 'async def']]) {
    const code = textOf(`clients/python/src/institution/${module}`);
    const calls = [...code.matchAll(new RegExp(`^    ${definition} \\w+\\([\\s\\S]*?self\\._call(?:_text)?\\(\\n(?: {12}\\w[\\w\\[\\], ]*,\\n)? {12}"([A-Z]+)",\\n {12}"([^"]+)"`, 'gm'))];
    const said = publicOperations.map(({ method, path }) => `${method} ${openApiPath(path)}`);
    expect(calls.map(([, method, path]) => `${method} ${path}`).sort()).toEqual(said.sort());
  }
});

it('the Python client has a namespace for each tag, and for no other', () => {
  // The feed has one of its own.
  expect(Object.keys(namespaces).sort()).toEqual([...api.served.document.tags.map(({ name }) => name), 'Events'].sort());
});

it('the Python client keeps every secret of an answer out of its text, and nothing else', () => {
  const schemas = Object.values(api.served.document.components.schemas);
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.entries(properties)).filter(([, { type }]) => type === 'string').map(([name]) => name));
  expect([...secretFields].sort()).toEqual([...names].filter((name) => /^(.+_)?(secret|token|password|api_key|key_b64)$/.test(name)).sort());
});

it('the methods that the README of the Python client lists are those of their operations', () => {
  const code = textOf('clients/python/src/institution/_sync_resources.py');
  const rows = codeRows(readDocument('clients/python/README.md'));
  const unlike = rows.filter(([name = '', operation = '']) => {
    const [namespace = '', method = ''] = name.split('.');
    const [, verb = '', path = ''] = /^`(\w+) (\S+)`$/.exec(operation) ?? [];
    const [, body = ''] = code.split(new RegExp(`^class ${namespace}Resource\\(`, 'im'))[1]?.split(/^class /m)[0]?.split(`    def ${method}(\n`) ?? [];
    return !body.split('    def ')[0]?.includes(`"${verb}",\n            "${path}",`);
  });
  expect([rows.length, unlike]).toEqual([22, []]);
});

// What its requests do is held by a run of them: test/clients/postman.test.ts.
it('docs/postman.json sends the key as a variable, and carries neither a key nor an id', () => {
  const { auth, variable } = JSON.parse(textOf('docs/postman.json'));
  expect(auth).toEqual({ type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] });
  const [first, ...others]: { key: string; value: string }[] = variable;
  expect(first).toEqual({ key: 'base_url', value: documentedBaseUrl, type: 'string' });
  expect(others.map(({ key }) => key)).toContain('api_key');
  expect(others.filter(({ value }) => value !== '')).toEqual([]);
});

describe('llms.txt', () => {
  it('names every operation in a line of its own, with its scope', () => {
    const lines = textOf('llms.txt').split('\n').filter((line) => line.startsWith('- `'));
    const said = publicOperations.map(({ method, path, access, summary }) => {
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
