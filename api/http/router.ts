import Router from '@koa/router';
import { DomainError } from '../../domain/errors';
import { didYouMean } from '../../lib/closestMatch';
import type { OperationRecord, Method } from './operation';
import type { ApiMiddleware, RequestContext, RequestState } from './state';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Handles a request that matches a record's method and path; `params` are the decoded path parameters. */
export type ServeRecord<Principal> = (record: OperationRecord<Principal>, params: Record<string, string>, ctx: RequestContext) => Promise<void>;

/** A known path without this method: `Allow` lists the methods it has. */
export class MethodNotImplemented extends DomainError {
  /** The methods for the header `Allow`: every GET also has HEAD. */
  readonly allow: string;

  constructor(methodsThere: readonly Method[], hint = '') {
    const allow = methodsThere.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    super('not_implemented', `This path has the methods ${allow}.${hint}`);
    this.allow = allow;
  }
}

/** Returns a path as the documents write it: `/students/{id}`. */
export const documentedPath = (prefix: string, path: string): string => prefix + path.replaceAll(/:(\w+)/g, '{$1}');

/** What ends something that cannot be deleted, mildest first. */
const endings = ['suspend', 'close', 'void', 'revoke', 'erase'];

/** Returns, for the message about a DELETE that does not exist, which operations there are in its place; empty if there are none. */
function inPlaceOfDeletion(prefix: string, path: string, records: readonly Pick<OperationRecord<unknown>, 'method' | 'path'>[]): string {
  const has = (method: Method, wanted: string): boolean => records.some((record) => record.method === method && record.path === wanted);
  const found = endings.filter((ending) => has('POST', `${path}/${ending}`));
  const calls = found.map((ending) => `POST ${documentedPath(prefix, `${path}/${ending}`)}`);
  // People whose status is a field, such as teachers: erasing cannot be undone, and is rarely meant.
  if (found.includes('erase') && !found.includes('suspend') && has('PATCH', path)) calls.unshift('PATCH with "status": "suspended"');
  return calls.length === 0 ? '' : ` In its place: ${calls.join(' or ')}.`;
}

const parameterCount = (path: string): number => path.split('/:').length;

const maxShownLength = 200;

/** Returns the known path with the fewest parameters whose words agree with those of a path; undefined if there is none. */
function findPath(path: string, known: readonly string[], agrees: (word: string, given: string) => boolean): string | undefined {
  const given = path.split('/');
  const found = known.filter((template) => {
    const parts = template.split('/');
    return parts.length === given.length && parts.every((part, nth) => (part.startsWith(':') ? given[nth] !== '' : agrees(part, given[nth] ?? '')));
  });
  return found.sort((one, other) => parameterCount(one) - parameterCount(other))[0];
}

/** Returns the known path that a request most likely meant: one that differs in the spelling of its words; undefined if there is none. */
const closestPath = (path: string, known: readonly string[]): string | undefined =>
  findPath(path, known, (word, given) => word === given || didYouMean(given, [word]) !== '');

const exactPath = (path: string, known: readonly string[]): string | undefined => findPath(path, known, (word, given) => word === given);

const maxRelatedPaths = 3;

/** Returns the known paths without parameters that continue a path, or end with it: `/webhooks` and `/deliveries` have no path of their own. */
function relatedPaths(path: string, known: readonly string[]): string[] {
  const related = known.filter((template) => !template.includes(':') && (template.startsWith(`${path}/`) || template.endsWith(path)));
  return path.length < 2 || path.endsWith('/') ? [] : related.slice(0, maxRelatedPaths);
}

/** Returns the 404 of an unknown path: the requested path, the most common mistake, and where the paths are documented. */
function pathNotFound(prefix: string, path: string, known: readonly string[] = []): DomainError {
  const [, ofOtherVersion] = /^(?:\/api)?\/v\d+(\/.*)$/.exec(path) ?? [];
  const given = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : (ofOtherVersion ?? path);
  const meant = closestPath(given, known);
  const related = meant === undefined ? relatedPaths(given, known) : [meant];
  const above = exactPath(given.slice(0, given.lastIndexOf('/')), known);
  const shown = path.length <= maxShownLength ? path : `${path.slice(0, maxShownLength - 1)}…`;
  const hints = [
    path.startsWith(`${prefix}${prefix}/`) ? `Paths begin with ${prefix} once.` : '',
    path.startsWith(`${prefix}/`) ? '' : `Paths begin with ${prefix}.`,
    path.endsWith('/') ? 'Paths do not end with a slash.' : '',
    path.includes('//') ? 'Something between two slashes is missing, such as an id.' : '',
    related.length === 0 && !path.endsWith('/') && above !== undefined ? `There is ${documentedPath(prefix, above)}.` : '',
    related.length === 0 ? '' : `Did you mean ${related.map((one) => documentedPath(prefix, one)).join(' or ')}?`,
  ];
  return new DomainError('not_found', [`No such path: ${shown}.`, ...hints.filter((hint) => hint !== ''), `GET ${prefix}/openapi.json lists them.`].join(' '));
}

const pathsOf = (records: readonly { path: string }[]): string[] => [...new Set(records.map(({ path }) => path))];

/** Rejects every request without a route; the message names the path of a record that was probably meant. */
export function unknownPath(prefix: string, records: readonly { path: string }[]): ApiMiddleware {
  const known = pathsOf(records);
  return (ctx) => {
    throw pathNotFound(prefix, ctx.path, known);
  };
}

/** Rejects a path of the public API on a listener of the platform API, with a key or without. Its message has no URL: that of the public API may be internal. */
export function publicPathOfPlatform(): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/v1' || ctx.path.startsWith('/v1/')) {
      throw new DomainError('not_found', 'This is the platform API, whose paths begin with /platform/v1. The public API, /v1, is served by another port or host.');
    }
    await next();
  };
}

/** Rejects a path that does not begin with the prefix before a key is asked for: nothing is behind it. */
export function outsidePrefix(prefix: string, records: readonly { path: string }[]): ApiMiddleware {
  const known = pathsOf(records);
  return async (ctx, next) => {
    const path = decodePath(ctx.path) ?? ctx.path;
    if (path !== prefix && !path.startsWith(`${prefix}/`)) throw pathNotFound(prefix, ctx.path, known);
    await next();
  };
}

/** Returns the path with its words decoded; what the router decodes within a parameter stays encoded. Undefined if an escape is broken. */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return undefined;
  }
}

/** Routes `/%73tudents` like `/students`; a path with invalid escapes has no route. */
export function decodeRoutePath(prefix: string): ApiMiddleware {
  return async (ctx, next) => {
    const path = decodePath(ctx.path);
    if (path === undefined) throw pathNotFound(prefix, ctx.path);
    ctx.newRouterPath = path;
    await next();
  };
}

/**
 * The routes of a list of records under one prefix. A path with a word takes precedence over one with a parameter in its
 * place, for every method; HEAD is handled like GET. A method that a known path does not have is `not_implemented`.
 */
export function operationRoutes<Principal>(prefix: string, records: readonly OperationRecord<Principal>[], serve: ServeRecord<Principal>): Router<RequestState> {
  const router = new Router<RequestState>({ prefix, sensitive: true, strict: true });
  const paths = [...new Set(records.map(({ path }) => path))].sort((one, other) => parameterCount(one) - parameterCount(other));
  for (const path of paths) {
    const byMethod = new Map<string, OperationRecord<Principal>>(records.filter((record) => record.path === path).map((record) => [record.method, record]));
    const known = methods.filter((method) => byMethod.has(method));
    // One layer per path, not per method: the router tries each layer.
    router.all(path, (ctx) => {
      const record = byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
      if (record !== undefined) return serve(record, ctx.params, ctx);
      const error = new MethodNotImplemented(known, ctx.method === 'DELETE' ? inPlaceOfDeletion(prefix, path, records) : '');
      ctx.set('Allow', error.allow);
      throw error;
    });
  }
  return router;
}
