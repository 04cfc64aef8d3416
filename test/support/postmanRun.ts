import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

interface Variable {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Script {
  listen: 'prerequest' | 'test';
  script: { exec: string[] };
}

/** A request of a collection, as far as a run looks. */
export interface Item {
  name: string;
  event: Script[];
  request: {
    method: string;
    header?: Variable[];
    url: { raw: string; path: string[]; query?: Variable[]; variable?: Variable[] };
    body?: { mode: 'raw'; raw: string } | { mode: 'formdata'; formdata: (Variable & { type: string; src?: string })[] };
  };
}

/** A collection of format 2.1, as far as a run looks. */
export interface Collection {
  variable: Variable[];
  event: Script[];
  item: { name: string; item: Item[] }[];
}

/** What became of one request. */
export interface RequestResult {
  /** Method and path as the collection has them. */
  request: string;
  name: string;
  outcome: 'passed' | 'skipped' | `failed: ${string}`;
}

export interface RunOptions {
  /** What the reader sets before the run. */
  variables: Record<string, string>;
  /** The folder of the files of uploads. */
  folder: string;
  /** What others do just before a request, by its method and path: a student who signs in, for example. */
  before?: Record<string, (variables: ReadonlyMap<string, string>) => Promise<unknown>>;
}

const requestLine = ({ request }: Item): string => `${request.method} /${request.url.path.join('/')}`;

/**
 * Runs every request of a collection in its order, as Postman's runner does: variables in braces, scripts before and
 * after each, as far as they use `pm.collectionVariables`, `pm.response`, `pm.test`, `pm.expect(…).to.be.oneOf` and
 * `pm.execution.skipRequest`.
 */
export async function runCollection(collection: Collection, { variables, folder, before = {} }: RunOptions): Promise<RequestResult[]> {
  const values = new Map([...collection.variable.map(({ key, value }) => [key, value] as const), ...Object.entries(variables)]);
  const ran: RequestResult[] = [];
  for (const item of collection.item.flatMap((inFolder) => inFolder.item)) {
    await before[requestLine(item)]?.(values);
    ran.push({ request: requestLine(item), name: item.name, outcome: await runItem(item, collection.event, values, folder) });
  }
  return ran;
}

async function runItem(item: Item, common: readonly Script[], values: Map<string, string>, folder: string): Promise<RequestResult['outcome']> {
  const first = [...common, ...item.event].filter(({ listen }) => listen === 'prerequest');
  if (first.map((script) => runScript(script, values)).some(({ skipped }) => skipped)) return 'skipped';
  const answer = await send(item, values, folder);
  const after = item.event.filter(({ listen }) => listen === 'test').map((script) => runScript(script, values, answer));
  const failures = after.flatMap(({ failures: of }) => of);
  if (after.every(({ tests }) => tests === 0)) failures.push('nothing is tested');
  return failures.length === 0 ? 'passed' : `failed: ${failures.join('; ')}, ${answer.status} ${answer.text.slice(0, 500)}`;
}

interface ReceivedResponse {
  status: number;
  text: string;
}

async function send({ request }: Item, values: ReadonlyMap<string, string>, folder: string): Promise<ReceivedResponse> {
  const filled = (text: string): string => text.replaceAll('{{$guid}}', () => randomUUID()).replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
  const parts = new Map((request.url.variable ?? []).map(({ key, value }) => [key, filled(value)]));
  const path = request.url.path.map((part) => encodeURIComponent(part.startsWith(':') ? (parts.get(part.slice(1)) ?? part) : part)).join('/');
  const url = new URL(`${values.get('base_url') ?? ''}/${path}`);
  for (const { key, value, disabled } of request.url.query ?? []) if (disabled !== true) url.searchParams.append(key, filled(value));
  const response = await fetch(url, {
    method: request.method,
    headers: { authorization: `Bearer ${values.get('api_key') ?? ''}`, ...Object.fromEntries((request.header ?? []).map(({ key, value }) => [key, value])) },
    ...bodyOf(request.body, filled, folder),
  });
  return { status: response.status, text: await response.text() };
}

function bodyOf(body: Item['request']['body'], filled: (text: string) => string, folder: string): { body?: string | FormData } {
  if (body === undefined) return {};
  if (body.mode === 'raw') return { body: filled(body.raw) };
  const form = new FormData();
  for (const { key, type, src = '', value } of body.formdata) {
    const name = filled(src);
    if (type === 'file') form.append(key, new Blob([readFileSync(join(folder, name))]), basename(name));
    else form.append(key, filled(value));
  }
  return { body: form };
}

function runScript({ script }: Script, values: Map<string, string>, answer?: ReceivedResponse): { skipped: boolean; tests: number; failures: string[] } {
  const found = { skipped: false, tests: 0, failures: [] as string[] };
  const pm = {
    collectionVariables: {
      get: (name: string) => values.get(name),
      set: (name: string, value: string | number | null | undefined) => values.set(name, String(value ?? '')),
    },
    execution: { skipRequest: () => { found.skipped = true; } },
    response: { code: answer?.status, json: (): unknown => JSON.parse(answer?.text ?? '') },
    expect: (value: unknown) => ({ to: { be: { oneOf: (list: unknown[]) => { if (!list.includes(value)) throw new Error(`expected ${String(value)} to be one of ${list.join(', ')}`); } } } }),
    test: (name: string, check: () => void) => {
      found.tests += 1;
      try {
        check();
      } catch (error) {
        found.failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
  runInContext(script.exec.join('\n'), createContext({ pm }));
  return found;
}
