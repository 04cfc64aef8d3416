import type { SealContext } from '../secrets/sealContext';

/** Returns where the response to the call with an idempotency key is sealed. */
export const responsePlace = (institutionId: string, key: string): SealContext => ({ institutionId, table: 'idempotency_keys', column: 'response_sealed', rowId: key });
