import { toSingleLine } from '../emails/email';
import { toPlainName } from '../emails/plainName';

/** Returns an endpoint for an email: what its institution calls it, if anything, its id and its URL. */
export const endpointLine = ({ endpoint_id, url, description }: { endpoint_id: string; url: string; description: string | null }): string =>
  [...(description === null || description === '' ? [] : [toSingleLine(toPlainName(description))]), endpoint_id, url].join(', ');
