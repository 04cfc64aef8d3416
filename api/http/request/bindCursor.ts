import type { Caller, Domain } from '../../../domain/context';
import { ListCursor } from './cursors';

interface ListInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

const fieldsOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {});

/** Whether a query, with its defaults, is of a list that has pages: the event feed has a limit alone. */
const isOfPages = (query: Record<string, unknown>): boolean => Object.hasOwn(query, 'page') && Object.hasOwn(query, 'limit');

/** Returns the input of a list with its cursor bound to operation, caller, path and filters, and any other input as it is. */
export function bindCursor(list: string, input: ListInput, { caller, domain }: { caller: Caller; domain: Domain }): ListInput {
  const query = fieldsOf(input.query);
  if (!isOfPages(query)) return input;
  const { page: _page, limit: _limit, cursor, ...filters } = query;
  const { institutionId, actor } = caller;
  const owner = actor.kind === 'session' ? [institutionId, actor.id] : [institutionId];
  const unbound = cursor instanceof ListCursor ? cursor : ListCursor.of();
  return { ...input, query: { ...query, cursor: unbound.bind(domain.secrets, { list, owner, filters: { ...fieldsOf(input.params), ...filters } }) } };
}
