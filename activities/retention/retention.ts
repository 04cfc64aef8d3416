import type { RowPosition } from '../../db/repositories/retention/retention';
import type { Domain } from '../../domain/context';
import { institutionsWithOldDeliveries, pruneOldDeliveries } from '../../domain/retention/pruneOldDeliveries';
import { institutionsWithOldEvents, pruneOldEvents, type RetentionStep } from '../../domain/retention/pruneOldEvents';
import { keepPartitions } from '../../domain/retention/keepPartitions';
import { pruneExpired, type PrunedKind } from '../../domain/retention/pruneExpired';
import { eraseSuspended, institutionsWithSuspendedPeople } from '../../domain/retention/eraseSuspended';
import { institutionsWithOldTraces, removeOldTraces } from '../../domain/retention/removeOldTraces';
import { transact } from '../../domain/transact';
import { withHeartbeats } from '../heartbeats';

/**
 * The activities of the retention workflows. `nowMs` is the workflow's time. Each call is one short transaction and
 * idempotent.
 */
export interface RetentionActivities {
  /** Makes partitions ahead, and drops those that are no longer kept; returns how many were dropped. */
  keepPartitions(): Promise<number>;
  /** Returns at most `limit` institutions with events to prune, by id after `afterId` ('' for the first). */
  institutionsWithOldEvents(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Prunes one chunk of an institution's old events. */
  retainEvents(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** Returns at most `limit` institutions with deliveries to delete, by id after `afterId` ('' for the first). */
  institutionsWithOldDeliveries(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Deletes one chunk of an institution's old deliveries. */
  retainDeliveries(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** Returns at most `limit` institutions with recordings or proctoring details to remove, by id after `afterId` ('' for the first). */
  institutionsWithOldTraces(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Removes recordings and proctoring details of one chunk of an institution's attempts. */
  retainTraces(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** Returns at most `limit` institutions with people who are suspended for longer than they keep them, by id after `afterId` ('' for the first). */
  institutionsWithSuspendedPeople(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Begins the erasure of up to 100 such people of an institution. */
  eraseSuspendedPeople(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** Deletes one chunk of expired rows of all institutions. */
  tidyUp(kind: PrunedKind, nowMs: number): Promise<{ removed: number; more: boolean }>;
}

/** Returns the retention activities; `onPruneFailed` is called for each failed chunk of housekeeping. */
export function createRetentionActivities(domain: Domain, onPruneFailed: (kind: PrunedKind, error: unknown) => void = () => undefined): RetentionActivities {
  return {
    keepPartitions: () => withHeartbeats(() => keepPartitions(domain)),
    institutionsWithOldEvents: (nowMs, afterId, limit) => institutionsWithOldEvents(domain, new Date(nowMs), afterId, limit),
    retainEvents: (institutionId, nowMs, after) =>
      transact(domain, { institutionId, now: new Date(nowMs) }, (tx) => pruneOldEvents(tx, after)),
    institutionsWithOldDeliveries: (nowMs, afterId, limit) => institutionsWithOldDeliveries(domain, new Date(nowMs), afterId, limit),
    retainDeliveries: (institutionId, nowMs, after) =>
      transact(domain, { institutionId, now: new Date(nowMs) }, (tx) => pruneOldDeliveries(tx, after)),
    institutionsWithOldTraces: (nowMs, afterId, limit) => institutionsWithOldTraces(domain, new Date(nowMs), afterId, limit),
    retainTraces: (institutionId, nowMs) => transact(domain, { institutionId, now: new Date(nowMs) }, removeOldTraces),
    institutionsWithSuspendedPeople: (nowMs, afterId, limit) => institutionsWithSuspendedPeople(domain, new Date(nowMs), afterId, limit),
    eraseSuspendedPeople: (institutionId, nowMs) => withHeartbeats(() => eraseSuspended(domain, institutionId, new Date(nowMs))),
    tidyUp: async (kind, nowMs) => {
      try {
        return await pruneExpired(domain, kind, new Date(nowMs));
      } catch (error) {
        onPruneFailed(kind, error);
        throw error;
      }
    },
  };
}
