import { ApplicationFailure } from '@temporalio/common';
import type { Domain } from '../../domain/context';
import { isEmailConflict } from '../../domain/people/personalEmail';
import type { BatchProgress, BatchReference } from '../../domain/provisioning/batch';
import { provisionChunk } from '../../domain/provisioning/provisionChunk';
import { transact } from '../../domain/transact';
import { nonRetryable } from '../../workflows/contract';
import { readInstitutionTime } from '../activityNow';

/** The activities of the bulk workflow. `nowMs` is the workflow's time, so that tests with skipped time use the real rules. */
export interface ProvisioningActivities {
  /** Creates the rows from `from` on, in one transaction; non-retryable `UnknownBatch` for an unknown batch. */
  provisionChunk(batch: BatchReference, from: number, nowMs: number): Promise<BatchProgress>;
}

/** Each retry finds the email of the previous race taken, so another race needs another email. */
const maxEmailRaces = 5;

async function retryOnEmailRace<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let race = 1; ; race += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isEmailConflict(error) || race === maxEmailRaces) throw error;
    }
  }
}

/** Returns the provisioning activities. */
export function createProvisioningActivities(domain: Domain): ProvisioningActivities {
  return {
    provisionChunk: async ({ batchId, institutionId }, from, nowMs) => {
      const realNow = new Date(nowMs);
      const { now } = await readInstitutionTime(domain.database.sql, institutionId, realNow);
      const caller = { institutionId, now };
      const progress = await retryOnEmailRace(() => transact(domain, caller, (tx) => provisionChunk(tx, batchId, from, realNow)));
      if (progress === undefined) throw ApplicationFailure.nonRetryable('No such batch', nonRetryable.unknownBatch);
      return progress;
    },
  };
}
