import type { Parameter } from '../describeOperation';
import type { LocatedOperation, OpenApiDocument } from '../document';
import { fieldName, methodName, pythonText, snakeCase } from '../pythonNames';
import { prettyValue } from './texts';

/** The call of an operation in one language. */
export interface Sample {
  /** In the ids and classes of the page: `curl`. */
  id: string;
  language: string;
  text: string;
}

/** What a sample sends, with the examples of the document. */
interface SampleCall {
  baseUrl: string;
  apiKey: string;
  path: Record<string, string>;
  query: Record<string, unknown>;
  /** Whether the call takes an Idempotency-Key; the clients make one of their own. */
  takesKey: boolean;
  /** The body as JSON; undefined without one. */
  json?: unknown;
  /** The fields of an upload besides its `file`; undefined without one. */
  form?: Record<string, unknown>;
}

/** Returns the name of the file that a sample uploads: of an exam the tests, of an attempt, which says its kind, what a student submits. */
const sampleFile = (form: Record<string, unknown> = {}): string => ('kind' in form ? 'essay.pdf' : 'hidden-tests.zip.enc');

const valueText = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

function examplesOf(parameters: readonly Parameter[], place: Parameter['in']): Record<string, unknown> {
  return Object.fromEntries(parameters.filter((parameter) => parameter.in === place && (place !== 'query' || parameter.required)).map(({ name, example }) => [name, example]));
}

/** The call that all samples of an operation make: what it requires, and its body as the document's example has it. */
function sampleCall({ servers }: OpenApiDocument, { operation }: LocatedOperation): SampleCall {
  const { parameters = [], requestBody } = operation;
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  const fields = Object.entries(form?.schema.properties ?? {}).filter(([name]) => name !== 'file');
  return {
    baseUrl: servers[0]?.url ?? '',
    apiKey: operation['x-environment'] === 'test' ? 'svc_test_…' : 'svc_live_…',
    path: Object.fromEntries(Object.entries(examplesOf(parameters, 'path')).map(([name, value]) => [name, valueText(value)])),
    query: examplesOf(parameters, 'query'),
    takesKey: parameters.some((parameter) => parameter.in === 'header'),
    ...(json === undefined ? {} : { json: json.example }),
    ...(form === undefined ? {} : { form: Object.fromEntries(fields.map(([name, { enum: values = [] }]) => [name, values[0]])) }),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl({ path, method }: LocatedOperation, call: SampleCall): string {
  const filled = Object.entries(call.path).reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = Object.entries(call.query).map(([name, value]) => `${name}=${encodeURIComponent(valueText(value))}`).join('&');
  const form = call.form === undefined ? [] : [...Object.entries(call.form).map(([name, value]) => `${name}=${valueText(value)}`), `file=@${sampleFile(call.form)}`];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${call.baseUrl}${filled}${query === '' ? '' : `?${query}`}'`,
    `  -H 'Authorization: Bearer ${call.apiKey}'`,
    ...(call.takesKey ? ['  -H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(call.json === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d ${quoted(prettyValue(call.json))}`]),
    ...form.map((field) => `  -F '${field}'`),
  ].join(' \\\n');
}

/** How a language writes values. */
interface Notation {
  text(value: string): string;
  constants: Record<'true' | 'false' | 'null', string>;
  key(name: string): string;
  indent: string;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const maxLine = 76;

/** Returns a value in the notation of a language: on one line where it is short. */
function literal(value: unknown, notation: Notation, depth: number): string {
  if (typeof value === 'string') return notation.text(value);
  if (value === null || value === undefined) return notation.constants.null;
  if (typeof value === 'boolean') return notation.constants[value ? 'true' : 'false'];
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item: unknown) => literal(item, notation, depth + 1))
    : Object.entries(value).map(([name, part]) => `${notation.key(name)}: ${literal(part, notation, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = parts.join(', ');
  const space = !Array.isArray(value) && notation === typescriptNotation && line !== '' ? ' ' : '';
  const isShort = !line.includes('\n') && notation.indent.length * depth + line.length <= maxLine;
  if (isShort) return `${open}${space}${line}${space}${close}`;
  const inner = notation.indent.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${notation.indent.repeat(depth)}${close}`;
}

const singleQuoted = (value: string): string => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", String.raw`\'`)}'`;

const typescriptNotation: Notation = {
  text: singleQuoted,
  constants: { true: 'true', false: 'false', null: 'null' },
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : singleQuoted(name)),
  indent: '  ',
};

const pythonNotation: Notation = { text: pythonText, constants: { true: 'True', false: 'False', null: 'None' }, key: pythonText, indent: '    ' };

function typescript({ path, method }: LocatedOperation, { baseUrl, apiKey, form, ...call }: SampleCall): string {
  const value = (given: unknown): string => literal(given, typescriptNotation, 1);
  const file = `new File([await readFile('${sampleFile(form)}')], '${sampleFile(form)}')`;
  const fields = [
    ...(Object.keys(call.path).length === 0 ? [] : [`path: ${value(call.path)}`]),
    ...(Object.keys(call.query).length === 0 ? [] : [`query: ${value(call.query)}`]),
    ...(call.json === undefined ? [] : [`body: ${value(call.json)}`]),
    ...(form === undefined ? [] : [`form: { ${[...Object.entries(form).map(([name, one]) => `${name}: ${value(one)}`), `file: ${file}`].join(', ')} }`]),
  ];
  const input = fields.length === 0 ? '' : `, {\n${fields.map((field) => `  ${field},\n`).join('')}}`;
  return [
    ...(form === undefined ? [] : ["import { readFile } from 'node:fs/promises';"]),
    "import { InstitutionClient } from '@institution/client';",
    '',
    `const client = new InstitutionClient({ baseUrl: ${value(baseUrl)}, apiKey: ${value(apiKey)} });`,
    `const data = await client.call('${method}', '${path}'${input});`,
  ].join('\n');
}

function python(located: LocatedOperation, { baseUrl, apiKey, form, ...call }: SampleCall): string {
  const value = (given: unknown): string => literal(given, pythonNotation, 1);
  const { namespace, method } = methodName(located);
  const named = [...Object.entries(call.query), ...Object.entries(isObject(call.json) ? call.json : {}), ...Object.entries(form ?? {})];
  const given = [
    ...Object.values(call.path).map(value),
    ...named.map(([name, one]) => `${fieldName(snakeCase(name))}=${value(one)}`),
    ...(form === undefined ? [] : [`file=Path("${sampleFile(form)}")`]),
  ];
  const line = given.join(', ');
  const input = line.includes('\n') || line.length > maxLine - namespace.length - method.length ? `\n${given.map((one) => `    ${one},\n`).join('')}` : line;
  return [
    ...(form === undefined ? [] : ['from pathlib import Path', '']),
    'from institution import Institution',
    '',
    `client = Institution(base_url=${value(baseUrl)}, api_key="${apiKey}")`,
    `data = client.${namespace}.${method}(${input})`,
  ].join('\n');
}

/** Returns the call of an operation in each language, all with the same examples. */
export function samplesOf(document: OpenApiDocument, located: LocatedOperation): Sample[] {
  const call = sampleCall(document, located);
  return [
    { id: 'curl', language: 'curl', text: curl(located, call) },
    { id: 'typescript', language: 'TypeScript', text: typescript(located, call) },
    { id: 'python', language: 'Python', text: python(located, call) },
  ];
}
