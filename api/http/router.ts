import Router from '@koa/router';
import { DomainError } from '../../domain/errors';
import type { OperationRecord, Method } from './operation';
import type { ApiMiddleware, RequestContext, RequestState } from './state';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Serves a request that a record's method and path match; `params` are those of its path, decoded. */
export type ServeRecord<Principal> = (record: OperationRecord<Principal>, params: Record<string, string>, ctx: RequestContext) => Promise<void>;

/** A known path that lacks the method: the caller learns which ones it has. */
export class MethodNotImplemented extends DomainError {
  /** As the header `Allow` names them: HEAD is answered for every GET. */
  readonly allow: string;

  constructor(methodsThere: readonly Method[]) {
    const allow = methodsThere.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    super('not_implemented', `This path has the methods ${allow}.`);
    this.allow = allow;
  }
}

const maxShownLength = 200;

/** The 404 of a path that does not exist: what was asked for, what is mostly wrong with it, and where the paths are. */
function pathNotFound(prefix: string, path: string): DomainError {
  const shown = path.length <= maxShownLength ? path : `${path.slice(0, maxShownLength - 1)}…`;
  const hints = [
    path.startsWith(`${prefix}${prefix}/`) ? `Paths begin with ${prefix} once.` : '',
    path.startsWith(`${prefix}/`) ? '' : `Paths begin with ${prefix}.`,
    path.endsWith('/') ? 'Paths do not end with a slash.' : '',
  ];
  return new DomainError('not_found', [`No such path: ${shown}.`, ...hints.filter((hint) => hint !== ''), `GET ${prefix}/openapi.json lists them.`].join(' '));
}

/** Refuses every request that no route has served. */
export function unknownPath(prefix: string): ApiMiddleware {
  return (ctx) => {
    throw pathNotFound(prefix, ctx.path);
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

/** Lets `/%73tudents` lead where `/students` does; a path whose escapes are broken leads nowhere. */
export function decodeRoutePath(prefix: string): ApiMiddleware {
  return async (ctx, next) => {
    const path = decodePath(ctx.path);
    if (path === undefined) throw pathNotFound(prefix, ctx.path);
    ctx.newRouterPath = path;
    await next();
  };
}

const parameterCount = (path: string): number => path.split('/:').length;

/**
 * The routes of a list of records under one prefix. A path with a word takes precedence over one with a parameter in
 * its place, for every method; HEAD is answered as GET. A method that a known path does not have is `not_implemented`.
 */
export function operationRoutes<Principal>(prefix: string, records: readonly OperationRecord<Principal>[], serve: ServeRecord<Principal>): Router<RequestState> {
  const router = new Router<RequestState>({ prefix, sensitive: true, strict: true });
  const paths = [...new Set(records.map(({ path }) => path))].sort((one, other) => parameterCount(one) - parameterCount(other));
  for (const path of paths) {
    const byMethod = new Map<string, OperationRecord<Principal>>(records.filter((record) => record.path === path).map((record) => [record.method, record]));
    const known = methods.filter((method) => byMethod.has(method));
    // One layer a path, not one a method: the router tries each in turn.
    router.all(path, (ctx) => {
      const record = byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
      if (record !== undefined) return serve(record, ctx.params, ctx);
      const error = new MethodNotImplemented(known);
      ctx.set('Allow', error.allow);
      throw error;
    });
  }
  return router;
}
