import findMyWay, { type HTTPMethod } from 'find-my-way';
import { DomainError, notFound } from '../../domain/errors';
import type { EndpointRecord, Method } from './endpoint';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What a path and method lead to. */
export interface Match<Who> {
  record: EndpointRecord<Who>;
  params: Record<string, string | undefined>;
}

export type Router<Who> = (method: string, path: string) => Match<Who>;

/** A known path that lacks the method: the caller learns which ones it has. */
export class MethodNotImplemented extends DomainError {
  constructor(readonly allowed: readonly Method[]) {
    super('not_implemented', `This path has the methods ${allowed.join(', ')}.`);
  }
}

/**
 * Routes by a list of records under one prefix. An unknown path is `not_found`, a method that a known path does
 * not have `not_implemented`; HEAD is answered as GET.
 */
export function createRouter<Who>(prefix: string, records: readonly EndpointRecord<Who>[]): Router<Who> {
  const routes = findMyWay({ ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 400 });
  for (const record of records) routes.on(record.method, prefix + record.path, () => undefined, { record });
  const find = (method: HTTPMethod, path: string): Match<Who> | undefined => {
    const found = routes.find(method, path);
    const store = found?.store as { record: EndpointRecord<Who> } | undefined;
    return found && store ? { record: store.record, params: found.params } : undefined;
  };
  return (method, path) => {
    const wanted = methods.find((known) => known === (method === 'HEAD' ? 'GET' : method));
    const match = wanted && find(wanted, path);
    if (match) return match;
    const allowed = methods.filter((other) => find(other, path));
    throw allowed.length > 0 ? new MethodNotImplemented(allowed) : notFound('path');
  };
}
