import type { SealedTable } from '../../db/repositories/secrets/sealedColumns';
import type { Domain } from '../../domain/context';
import { countKeyUse, resealChunk, type KeyUse, type ResealedChunk } from '../../domain/secrets/reseal';
import { withHeartbeats } from '../heartbeats';

export type { SealedTable };

/** The activities of the reseal. `keyId` is the newest key of every process; a worker with another fails, and another one takes over. */
export interface ResealActivities {
  /** Counts the values that are sealed under each key. */
  countKeyUse(keyId: string): Promise<KeyUse>;
  /** Seals the values of the next rows of a table under the newest key, after a position, null at the beginning; idempotent. */
  resealRows(keyId: string, table: SealedTable, after: string[] | null): Promise<ResealedChunk>;
}

/** Returns the reseal's activities. */
export function createResealActivities(domain: Domain): ResealActivities {
  return {
    countKeyUse: (keyId) => withHeartbeats(() => countKeyUse(domain, keyId)),
    resealRows: (keyId, table, after) => withHeartbeats(() => resealChunk(domain, keyId, table, after)),
  };
}
