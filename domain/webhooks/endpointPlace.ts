import type { SealedColumn } from '../../db/repositories/secrets/sealedColumns';
import type { SecretBox } from '../secrets/secretBox';
import type { SealContext } from '../secrets/sealContext';

type EndpointColumn = SealedColumn<'webhook_endpoints'>;

/** An endpoint, whose row has the sealed values. */
export interface EndpointReference {
  institutionId: string;
  id: string;
}

/** Returns where a value of an endpoint is sealed. */
export const endpointPlace = ({ institutionId, id }: EndpointReference, column: EndpointColumn): SealContext =>
  ({ institutionId, table: 'webhook_endpoints', column, rowId: id });

/** Seals a value of an endpoint for another column of it; null stays null. */
export function moveToColumn(secrets: SecretBox, endpoint: EndpointReference, sealed: string | null, from: EndpointColumn, to: EndpointColumn): string | null {
  return sealed === null ? null : secrets.seal(secrets.open(sealed, endpointPlace(endpoint, from)), endpointPlace(endpoint, to));
}
