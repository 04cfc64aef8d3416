import type { ErasedTable } from '../../db/repositories/sandbox/erasure';
import type { Domain } from '../../domain/context';
import { endReset, eraseChunk, type ErasureStep } from '../../domain/sandbox/eraseSandbox';
import { realNow } from '../activityNow';

export type { ErasureStep };

/** The activities of the reset of a sandbox. `nowMs` is the workflow's time. All are idempotent. */
export interface SandboxActivities {
  /** Erases one chunk of a sandbox, beginning with a table; null for the first. */
  eraseSandboxChunk(institutionId: string, from: ErasedTable | null, nowMs: number): Promise<ErasureStep>;
  /** Lets the keys of an empty sandbox in again; `more` if rows came in between. */
  endSandboxReset(institutionId: string, nowMs: number): Promise<'done' | 'more'>;
}

/** Returns the activities of the reset. */
export function createSandboxActivities(domain: Domain): SandboxActivities {
  return {
    eraseSandboxChunk: (institutionId, from, nowMs) => eraseChunk(domain, institutionId, from, realNow(nowMs)),
    endSandboxReset: (institutionId, nowMs) => endReset(domain, institutionId, realNow(nowMs)),
  };
}
