import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { LicenseActivities } from '../activities/licenses/expireLicenses';
import type { ClockAdvanceActivities } from '../activities/sandbox/advanceClock';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import type { ReportPosition } from '../domain/reports/writeWeeklyReports';
import type { WakePosition } from '../domain/sandbox/dueAfterAdvance';
import { priorities } from './contract';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type ClockAdvance = WorkflowArguments['sandboxClockAdvance'];

/** The progress of an advance; passed on when it continues as a new run. */
export interface AdvanceProgress {
  expired: number;
  licensesDone: boolean;
  woken: number;
  /** Where the wakes continue; undefined before the first chunk, null after the last. */
  wakeAfter?: WakePosition | null;
  weeks: number;
  /** The moments of the weeks that are still to be reported; undefined until they are known. */
  weeksLeft?: number[];
  reportAfter: ReportPosition | null;
}

/** The outcome of an advance, shown as the workflow's result. */
export type AdvanceResult = Pick<AdvanceProgress, 'expired' | 'woken' | 'weeks'>;

/** Pause between two chunks, to limit the load on the database and the feed. */
const chunkPause = '1 second';

// A sweep of one sandbox, for which a developer waits.
const stepOptions = { ...sweepStepOptions, priority: { priorityKey: priorities.bulk } };
const { expireLicenses } = proxyActivities<LicenseActivities>(stepOptions);
const { wakeWaiting, skippedWeeks, writeSkippedWeek } = proxyActivities<ClockAdvanceActivities>(stepOptions);

/**
 * Does what fell due while the clock of a sandbox skipped a time: expires licenses, wakes every workflow that waits for a time, and
 * writes the weekly reports of the weeks that ended. `before` is the progress of the previous run.
 */
export async function sandboxClockAdvance(advance: ClockAdvance, before?: AdvanceProgress): Promise<AdvanceResult> {
  const progress: AdvanceProgress = before ?? { expired: 0, licensesDone: false, woken: 0, weeks: 0, reportAfter: null };
  for (;;) {
    setCurrentDetails(describeProgress(advance, progress));
    const step = nextStep(progress);
    if (step === undefined) break;
    if ((await step(advance, progress)) === 'more') await sleep(chunkPause);
    if (shouldContinueAsNew()) return continueAsNew<typeof sandboxClockAdvance>(advance, progress);
  }
  setOutcome('done');
  const { expired, woken, weeks } = progress;
  return { expired, woken, weeks };
}

type Step = (advance: ClockAdvance, progress: AdvanceProgress) => Promise<'more' | 'done'>;

/** Returns what is to be done next; undefined when all is done. */
function nextStep({ licensesDone, wakeAfter, weeksLeft }: AdvanceProgress): Step | undefined {
  if (!licensesDone) return expire;
  if (wakeAfter !== null) return wake;
  return weeksLeft?.length === 0 ? undefined : report;
}

const expire: Step = async ({ institutionId }, progress) => {
  const { expired, more } = await expireLicenses(institutionId, Date.now());
  progress.expired += expired;
  progress.licensesDone = !more;
  return more ? 'more' : 'done';
};

const wake: Step = async (advance, progress) => {
  const { woken, next } = await wakeWaiting(advance, progress.wakeAfter ?? null);
  progress.woken += woken;
  const isSameKind = next !== null && next.afterId !== '';
  progress.wakeAfter = next;
  return isSameKind ? 'more' : 'done';
};

const report: Step = async (advance, progress) => {
  progress.weeksLeft ??= await skippedWeeks(advance);
  const [asOfMs] = progress.weeksLeft;
  if (asOfMs === undefined) return 'done';
  progress.reportAfter = await writeSkippedWeek(advance, asOfMs, progress.reportAfter);
  if (progress.reportAfter !== null) return 'more';
  progress.weeks += 1;
  progress.weeksLeft = progress.weeksLeft.slice(1);
  return 'done';
};

function describeProgress({ fromMs, toMs }: ClockAdvance, { expired, woken, weeks, weeksLeft }: AdvanceProgress): string {
  const counts = [
    `${formatCount(expired, 'license', 'licenses')} expired`,
    `${formatCount(woken, 'workflow', 'workflows')} woken`,
    `${formatCount(weeks, 'week', 'weeks')} reported${weeksLeft === undefined ? '' : ` of ${weeks + weeksLeft.length}`}`,
  ];
  return `From ${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}: ${counts.join(', ')}.`;
}
