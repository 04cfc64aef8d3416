import { ActivityFailure, ApplicationFailure, continueAsNew, patched, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { LicenseActivities } from '../activities/licenses/expireLicenses';
import { nonRetryable } from './contract';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { resumeProgress } from './progress';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** The progress of a sweep; passed on when it continues as a new run. */
export interface SweepProgress {
  /** The time at which licenses are compared with their expiry. */
  nowMs: number;
  /** Institutions up to this id are done. */
  afterId: string;
  expired: number;
  institutions: number;
  /** Institutions that failed this time; the next sweep processes them again. */
  failed: string[];
}

/** The outcome of a sweep. */
export type SweepResult = Pick<SweepProgress, 'expired' | 'institutions'>;

const institutionsAtOnce = 10;
/** Pause between chunks of one institution, whose feed takes at most a chunk's events per second. */
const chunkPause = '1 second';

const { institutionsWithDueLicenses, expireLicenses } = proxyActivities<LicenseActivities>(sweepStepOptions);

/**
 * Expires every overdue license, chunk by chunk (section States, License). A failing institution does not affect the
 * others; the sweep then ends as failed, with their number.
 */
export async function licenseExpirySweep(before?: SweepProgress): Promise<SweepResult> {
  const progress = resumeProgress<SweepProgress>(before, { nowMs: Date.now(), afterId: '', expired: 0, institutions: 0, failed: [] });
  for (;;) {
    setCurrentDetails(describeProgress(progress));
    const ids = await institutionsWithDueLicenses(progress.nowMs, progress.afterId, institutionsAtOnce);
    const last = ids.at(-1);
    if (last === undefined) return finishSweep(progress);
    const swept = await Promise.all(ids.map((id) => sweepInstitution(id, progress)));
    if (swept.includes('unfinished')) return continueAsNew<typeof licenseExpirySweep>(progress);
    progress.afterId = last;
    if (shouldContinueAsNew()) return continueAsNew<typeof licenseExpirySweep>(progress);
  }
}

/** Sweeps one institution until nothing is due or the run is long enough; counts into `progress`. */
async function sweepInstitution(institutionId: string, progress: SweepProgress): Promise<'finished' | 'unfinished'> {
  try {
    for (;;) {
      const { expired, more } = await expireLicenses(institutionId, progress.nowMs);
      progress.expired += expired;
      setCurrentDetails(describeProgress(progress));
      if (!more) break;
      await sleep(chunkPause);
      if (shouldContinueAsNew()) return 'unfinished';
    }
    progress.institutions += 1;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    if (!progress.failed.includes(institutionId)) progress.failed.push(institutionId);
  }
  return 'finished';
}

function finishSweep(progress: SweepProgress): SweepResult {
  setCurrentDetails(describeProgress(progress));
  const complete = progress.failed.length === 0;
  // Sweeps that ended under 0.1.0 have no outcome; their histories must replay.
  if (patched('outcome')) setOutcome(complete ? 'done' : 'incomplete');
  if (!complete) throw ApplicationFailure.nonRetryable(describeProgress(progress), nonRetryable.sweepIncomplete);
  return { expired: progress.expired, institutions: progress.institutions };
}

function describeProgress({ expired, institutions, failed, nowMs }: SweepProgress): string {
  const done = `${formatCount(expired, 'license', 'licenses')} expired in ${formatCount(institutions, 'institution', 'institutions')}`;
  const left = failed.length === 0 ? '' : `; ${formatCount(failed.length, 'institution', 'institutions')} failed`;
  return `${done}${left}, as of ${new Date(nowMs).toISOString()}.`;
}
