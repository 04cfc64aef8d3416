import type { OffboardingRow } from '../../db/repositories/offboarding/offboardings';
import { offboardingWorkflowId } from '../outbox/workflows';

/** What was removed from one store. */
export interface RemovedEntry {
  store: string;
  count: number;
  at: string;
}

/** Returns what an offboarding has removed so far, by the names of the stores. */
export function removedEntries({ removed }: Pick<OffboardingRow, 'removed'>): RemovedEntry[] {
  return Object.entries(removed)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([store, { count, at }]) => ({ store, count, at }));
}

/** Returns the text of a certificate: JSON, with the institution's id, counts and times alone. */
export function certificateText(offboarding: OffboardingRow, erasedAt: Date): string {
  const { institution_id, number, requested_at, erasing_since } = offboarding;
  return JSON.stringify({
    offboarding: offboardingWorkflowId(institution_id, number),
    institution_id,
    requested_at: requested_at.toISOString(),
    erasing_since: erasing_since?.toISOString() ?? null,
    erased_at: erasedAt.toISOString(),
    removed: removedEntries(offboarding),
  });
}
