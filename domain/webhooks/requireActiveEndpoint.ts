import type { EndpointStatus } from '../../db/entities/endpoint';
import { DomainError, requireFound } from '../errors';

/** Returns an endpoint that accepts deliveries; `not_found`, `endpoint_inactive` for a paused or disabled one. */
export function requireActiveEndpoint<Endpoint extends { status: EndpointStatus }>(row: Endpoint | undefined): Endpoint {
  const endpoint = requireFound(row, 'webhook endpoint');
  if (endpoint.status !== 'active') throw new DomainError('endpoint_inactive', `The endpoint is ${endpoint.status}; resume it first: set its status to active.`);
  return endpoint;
}
