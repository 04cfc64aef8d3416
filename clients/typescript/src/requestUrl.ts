import { toEntries } from './request';

/** Any operation's input; the types of the operation have already checked it. */
export interface AnyInput {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  form?: unknown;
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const parts = ['path', 'query', 'body', 'form', 'idempotencyKey', 'signal'];

/** Throws a TypeError for a call as the types do not allow it, and a program in JavaScript may make it: fields outside of the parts would not be sent. */
export function requireCall(method: unknown, path: unknown, input: unknown): void {
  if (!methods.some((one) => one === method)) throw new TypeError(`${String(method)} is no method of the API, which has ${methods.join(', ')}`);
  if (typeof path !== 'string' || !path.startsWith('/')) throw new TypeError(`${String(path)} must begin with a slash, as in /students/{id}`);
  if (method === 'GET' && toEntries(input).some(([name, value]) => name === 'body' && value !== undefined)) throw new TypeError(`GET ${path} takes no body: filters go into query`);
  const [field] = toEntries(input).find(([name, value]) => value !== undefined && !parts.includes(name)) ?? [];
  const part = method === 'GET' ? 'query' : 'body';
  const meant = parts.find((name) => name.toLowerCase() === field?.toLowerCase().replaceAll(/[-_]/g, ''));
  if (meant !== undefined) throw new TypeError(`${String(field)} is none of the parts of a call: did you mean ${meant}?`);
  if (field === 'params' || field === 'json' || field === 'data') throw new TypeError(`${field} is none of the parts of a call: they are ${parts.join(', ')}`);
  if (field !== undefined) throw new TypeError(`${field} goes into ${part}, as in { ${part}: { ${field}: … } }: a call has ${parts.join(', ')}`);
}

/** Fills a path as the document spells it, `/students/{id}`, with encoded values; throws a TypeError if one is missing, is of no part of the path, or is `.` or `..`, which `fetch` takes as another path. */
export function fillPath(path: string, values: unknown): string {
  const pathValues = new Map(toEntries(values));
  const other = [...pathValues.keys()].find((name) => !path.includes(`{${name}}`));
  if (other !== undefined) throw new TypeError(`${path} has no ${other}: the parts of path are those in braces`);
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = pathValues.get(name);
    if (value != null && typeof value !== 'string') throw new TypeError(`${path}: ${name} takes a text, no ${typeof value}`);
    if (typeof value !== 'string' || value === '') throw new TypeError(`${path} needs its ${name}`);
    if (value === '.' || value === '..') throw new TypeError(`${path}: ${name} must not be "${value}", which would call another operation`);
    return encodeURIComponent(value);
  });
}

/** Returns the URL of a call; throws a TypeError if a value of its path is missing or a dot segment. */
export function buildUrl(baseUrl: string, path: string, { path: values, query }: AnyInput): string {
  const queryString = new URLSearchParams(toEntries(query).filter(([, value]) => value != null).map(([name, value]): [string, string] => [name, value instanceof Date ? value.toISOString() : String(value)]));
  return `${baseUrl}${fillPath(path, values)}${queryString.size === 0 ? '' : `?${queryString.toString()}`}`;
}
