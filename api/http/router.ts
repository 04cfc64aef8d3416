import findMyWay, { type HTTPMethod } from 'find-my-way';
import { DomainError } from '../../domain/errors';
import type { OperationRecord, Method } from './operation';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Longer than any request line can be: which texts can be an id is the operation's to say, with its own 404. */
const maxParamLength = 16_384;

/** What a path and method lead to. */
export interface Match<Principal> {
  record: OperationRecord<Principal>;
  params: Record<string, string | undefined>;
}

export type Router<Principal> = (method: string, path: string) => Match<Principal>;

/** A known path that lacks the method: the caller learns which ones it has. */
export class MethodNotImplemented extends DomainError {
  /** As the header `Allow` names them: HEAD is answered wherever GET is. */
  readonly allow: string;

  constructor(methodsThere: readonly Method[]) {
    const allow = methodsThere.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    super('not_implemented', `This path has the methods ${allow}.`);
    this.allow = allow;
  }
}

/** Of several matches of one path those with the fewest parameters. */
function mostSpecific<Principal>(matches: readonly Match<Principal>[]): Match<Principal>[] {
  const parameters = ({ params }: Match<Principal>): number => Object.keys(params).length;
  const fewest = Math.min(...matches.map(parameters));
  return matches.filter((match) => parameters(match) === fewest);
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

/**
 * Routes by a list of records under one prefix. An unknown path is `not_found`, a method that a known path does
 * not have `not_implemented`; HEAD is answered as GET. A path with a word beats one with a parameter in its place,
 * whatever their methods, and an empty parameter names nothing.
 */
export function createRouter<Principal>(prefix: string, records: readonly OperationRecord<Principal>[]): Router<Principal> {
  const routes = findMyWay({ ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: maxParamLength });
  for (const record of records) routes.on(record.method, prefix + record.path, () => undefined, { record });
  const find = (method: HTTPMethod, path: string): Match<Principal> | undefined => {
    const found = routes.find(method, path);
    const store = found?.store as { record: OperationRecord<Principal> } | undefined;
    const named = found !== null && Object.values(found.params).every((value) => value !== '');
    return named && store ? { record: store.record, params: found.params } : undefined;
  };
  return (method, path) => {
    const candidates = mostSpecific(methods.flatMap((known) => find(known, path) ?? []));
    const match = candidates.find(({ record }) => record.method === (method === 'HEAD' ? 'GET' : method));
    if (match) return match;
    throw candidates.length > 0 ? new MethodNotImplemented(candidates.map(({ record }) => record.method)) : pathNotFound(prefix, path);
  };
}
