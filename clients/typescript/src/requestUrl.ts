import { toEntries } from './request';

/** Any operation's input; the types of the operation have already checked it. */
export interface AnyInput {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  form?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** Fills a path as the document spells it, `/students/{id}`, with encoded values; throws a TypeError if one is missing, or is `.` or `..`, which `fetch` takes as another path. */
export function fillPath(path: string, values: unknown): string {
  const pathValues = new Map(toEntries(values));
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = pathValues.get(name);
    if (typeof value !== 'string' || value === '') throw new TypeError(`${path} needs its ${name}`);
    if (value === '.' || value === '..') throw new TypeError(`${path}: ${name} must not be "${value}", which would call another operation`);
    return encodeURIComponent(value);
  });
}

/** Returns the URL of a call; throws a TypeError if it has no slash at its beginning, or a value of its path is missing or a dot segment. */
export function buildUrl(baseUrl: string, path: string, { path: values, query }: AnyInput): string {
  if (!path.startsWith('/')) throw new TypeError(`${path} must begin with a slash, as in /students/{id}`);
  const queryString = new URLSearchParams(toEntries(query).filter(([, value]) => value != null).map(([name, value]): [string, string] => [name, value instanceof Date ? value.toISOString() : String(value)]));
  return `${baseUrl}${fillPath(path, values)}${queryString.size === 0 ? '' : `?${queryString.toString()}`}`;
}
