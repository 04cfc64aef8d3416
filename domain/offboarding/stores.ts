import { lastTables } from '../../db/repositories/offboarding/institution';
import { erasedTables } from '../../db/repositories/sandbox/erasure';

/** Everything that is erased of an institution, in its order: tables of rows, then those that calls need until the end, then the logs. */
export const stores = [...erasedTables, ...lastTables, 'logs'] as const;
export type Store = (typeof stores)[number];

/** The number of stores, for the progress. */
export const storeCount = stores.length;
