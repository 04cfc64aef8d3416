import { ActivityFailure, condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { OffboardingActivities, OffboardingNoticeActivities } from '../activities/offboarding/offboardInstitution';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { look, workflowProgress } from './contract';
import { noticeActivities } from './endpointNotice';
import { formatCount } from './formatCount';
import { resumeProgress } from './progress';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';
import { onArchivesQueue } from './taskQueues';

type InstitutionOffboarding = WorkflowArguments['institutionOffboarding'];

/** How an offboarding ended, with the stores that were erased, of all, for the progress. */
export interface OffboardingResult {
  ended: 'cancelled' | 'erased';
  done: number;
  total: number;
  erased: number;
}

/** The progress of an offboarding; passed on when it continues as a new run. */
export interface OffboardingProgress {
  /** Whether the admin was notified, or cannot be, and the archive is written. */
  prepared: boolean;
  /** Where the next chunk begins. */
  place: string;
  /** Stores that are erased, of all. */
  done: number;
  total: number;
  erased: number;
}

/** Pause before what came in between is erased. */
const morePause = '1 second';

const retry = { initialInterval: '1 second', maximumInterval: '5 minutes' } as const;
// Recordings of many school years may be terabytes. Retried until it succeeds: nothing is erased that was not exported.
const archiveActivities = () => proxyActivities<OffboardingActivities>({ ...onArchivesQueue(), startToCloseTimeout: '2 days', heartbeatTimeout: '10 seconds', retry });
// Retried until they succeed: what is not erased must not be called erased.
const { beginInstitutionErasure, endInstitutionWorkflows, eraseInstitutionChunk, endInstitutionErasure } = proxyActivities<OffboardingActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry,
});

/**
 * Notifies the admin of an institution that leaves, writes the archive with everything, waits until it was read-only for 30 days, and
 * erases it, chunk by chunk; ends when it is cancelled before. `before` is the progress of the previous run.
 */
export async function institutionOffboarding(offboarding: InstitutionOffboarding, before?: OffboardingProgress): Promise<OffboardingResult> {
  const progress = resumeProgress<OffboardingProgress>(before, { prepared: false, place: '', done: 0, total: 0, erased: 0 });
  const wait = looksAgain();
  setHandler(workflowProgress, () => ({ done: progress.done, total: progress.total }));
  if (!progress.prepared) await prepare(offboarding);
  progress.prepared = true;
  for (;;) {
    const next = await beginInstitutionErasure(offboarding, Date.now());
    if (next.state === 'ended') {
      setCurrentDetails('Cancelled: the institution can be written again, and the archive is deleted.');
      setOutcome('cancelled');
      return resultOf('cancelled', progress);
    }
    if (next.state === 'erasing') {
      if (await erase(offboarding, next.institutionIds, progress, wait)) break;
      return continueAsNew<typeof institutionOffboarding>(offboarding, progress);
    }
    setCurrentDetails(`Read-only; the archive is written. Everything is erased after ${new Date(Date.now() + next.waitMs).toISOString()}.`);
    await wait(next.waitMs);
    if (shouldContinueAsNew()) return continueAsNew<typeof institutionOffboarding>(offboarding, progress);
  }
  setCurrentDetails(`Erased: ${formatCount(progress.erased, 'row or file', 'rows and files')}; the certificate is written.`);
  setOutcome('done');
  return resultOf('erased', progress);
}

type Wait = (ms: number) => Promise<void>;

/** Returns a wait that the signal `look` ends early. */
function looksAgain(): Wait {
  let asked = false;
  setHandler(look, () => {
    asked = true;
  });
  return async (ms) => {
    await condition(() => asked, ms);
    asked = false;
  };
}

const resultOf = (ended: OffboardingResult['ended'], { done, total, erased }: OffboardingProgress): OffboardingResult => ({ ended, done, total, erased });

/** Notifies the admin and writes the archive. An email that cannot be sent for three days holds nothing up. */
async function prepare(offboarding: InstitutionOffboarding): Promise<void> {
  setCurrentDetails('Read-only; the admin is being notified, and the archive is being written.');
  const notified = noticeActivities<OffboardingNoticeActivities>()
    .sendOffboardingNotice(offboarding)
    .catch((error: unknown) => {
      if (!(error instanceof ActivityFailure)) throw error;
    });
  await Promise.all([notified, archiveActivities().exportInstitution(offboarding, Date.now())]);
}

/** Erases everything; false if the run has become so long that it must continue as a new one. */
async function erase(offboarding: InstitutionOffboarding, institutionIds: readonly string[], progress: OffboardingProgress, wait: Wait): Promise<boolean> {
  for (;;) {
    await endInstitutionWorkflows(institutionIds);
    do {
      setCurrentDetails(`Erasing; ${progress.done} of ${progress.total} stores done, ${formatCount(progress.erased, 'row or file', 'rows and files')} erased.`);
      if (shouldContinueAsNew()) return false;
      const { next, erased, done, total } = await eraseInstitutionChunk(offboarding, progress.place, Date.now());
      Object.assign(progress, { place: next ?? '', erased: progress.erased + erased, done, total });
    } while (progress.place !== '');
    const end = await endInstitutionErasure(offboarding, Date.now());
    if (end.state === 'done') return true;
    if (end.state === 'more') {
      await sleep(morePause);
      continue;
    }
    setCurrentDetails('Erased but for what calls that were under way may still write; looking again in minutes.');
    await wait(end.waitMs);
  }
}
