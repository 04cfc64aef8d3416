import { createHash } from 'node:crypto';
import type { ErasureRow } from '../../db/repositories/erasure/erasures';
import { erasureWorkflowId } from '../outbox/workflows';
import { erasureSteps, removedAtOnce, storeNames, type StoreName } from './stores';

/** What was removed from one store. */
export interface RemovedEntry {
  store: StoreName | (typeof removedAtOnce)[number];
  count: number;
  at: string;
}

/** Returns what an erasure has removed so far, in the order of the stores. */
export function removedEntries({ removed }: Pick<ErasureRow, 'removed'>): RemovedEntry[] {
  return [...removedAtOnce, ...storeNames].flatMap((store) => {
    const entry = removed[store];
    return entry === undefined ? [] : [{ store, count: entry.count, at: entry.at }];
  });
}

/** Returns how many steps of an erasure are done, and of how many, with those of the call. */
export const erasureProgress = (erasure: Pick<ErasureRow, 'removed'>): { done: number; total: number } => ({ done: removedEntries(erasure).length, total: erasureSteps });

/** Returns the text of a certificate: JSON, with ids, counts and times alone. */
export function certificateText(institutionId: string, erasure: ErasureRow, endedAt: Date): string {
  const { person_id, number, kind, requested_at } = erasure;
  return JSON.stringify({
    erasure: erasureWorkflowId(person_id, number),
    institution_id: institutionId,
    person_id,
    kind,
    requested_at: requested_at.toISOString(),
    completed_at: endedAt.toISOString(),
    removed: removedEntries(erasure),
  });
}

/** Returns the SHA-256 of a certificate's text, in hexadecimal digits. */
export const certificateHash = (text: string): string => createHash('sha256').update(text).digest('hex');
