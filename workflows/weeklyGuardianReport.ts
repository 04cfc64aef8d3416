import { ApplicationFailure, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ReportActivities } from '../activities/reports/reports';
import type { ReportPosition } from '../domain/reports/writeWeeklyReports';
import { retentionMs } from '../domain/retention/periods';
import { nonRetryable } from './contract';
import { formatCount } from './formatCount';
import { newPassProgress, forEachInstitution, sweepStepOptions, type PassProgress } from './institutionPass';
import { resumeProgress } from './progress';

/** The time that determines the last week; an operator passes it to repeat a missed week. */
export interface AsOf {
  nowMs: number;
}

/** The progress of a pass; passed on when it continues as a new run. */
export interface ReportProgress extends PassProgress<ReportPosition> {
  reports: number;
  /** Number of guardians who will get an email. */
  letters: number;
  /** Number of institutions skipped because they are not approved. */
  inactive: number;
}

/** The outcome of a pass. */
export type ReportResult = Pick<ReportProgress, 'reports' | 'letters' | 'institutions' | 'inactive'>;

const { institutionsToReport, writeWeek } = proxyActivities<ReportActivities>(sweepStepOptions);

/**
 * Writes the weekly Alpha reports of every approved institution, of the last week that was over in its time zone when
 * the workflow was started, or at `asOf`; a separate workflow then sends each institution's emails. No-op for a week that
 * is already written.
 */
export async function weeklyGuardianReport(asOf?: AsOf, before?: ReportProgress): Promise<ReportResult> {
  const progress = resumeProgress<ReportProgress>(before, { ...newPassProgress<ReportPosition>(validateAsOf(asOf)), reports: 0, letters: 0, inactive: 0 });
  const outcome = await forEachInstitution(progress, {
    institutions: (_nowMs, afterId, limit) => institutionsToReport(afterId, limit),
    step: async (institutionId, after) => {
      const { state, reports, letters, next } = await writeWeek(institutionId, progress.nowMs, after);
      progress.reports += reports;
      progress.letters += letters;
      if (state !== 'inactive') return next ?? 'done';
      progress.inactive += 1;
      return 'skipped';
    },
    summarize: (done) => describeProgress(progress, done),
  });
  if (outcome === 'unfinished') return continueAsNew<typeof weeklyGuardianReport>(asOf, progress);
  const { reports, letters, institutions, inactive } = progress;
  return { reports, letters, institutions, inactive };
}

const weekMs = 7 * 86_400_000;

/** Returns the time that an operator passed; undefined for any other argument, including one with further fields. */
function parseAsOf(asOf: unknown): number | undefined {
  if (typeof asOf !== 'object' || asOf === null) return undefined;
  const [[name, value] = [], ...others] = Object.entries(asOf);
  return name === 'nowMs' && Number.isInteger(value) && others.length === 0 ? Number(value) : undefined;
}

/**
 * Returns the time that determines the last week, in ms: the workflow's start unless an argument is given. Rejects a time
 * whose last week is not over yet, or so old that its reports, already deleted, would be written and sent again, and an
 * invalid argument.
 */
function validateAsOf(asOf: unknown): number {
  // Not the time of the first workflow task, which a worker may process a week later.
  const nowMs = asOf === undefined ? workflowInfo().startTime.getTime() : parseAsOf(asOf);
  const latestMs = Date.now();
  const earliestMs = latestMs - retentionMs.weeklyReports + 2 * weekMs;
  if (nowMs !== undefined && nowMs > earliestMs && nowMs <= latestMs) return nowMs;
  throw ApplicationFailure.nonRetryable(
    'The argument must be absent, or { "nowMs": … } with a time of the last 102 weeks in whole milliseconds', nonRetryable.notATime,
  );
}

function describeProgress({ reports, letters, inactive, nowMs }: ReportProgress, done: string): string[] {
  const written = `${formatCount(reports, 'report', 'reports')} of the last week as of ${new Date(nowMs).toISOString()} written in ${done}, for ${formatCount(letters, 'guardian', 'guardians')}`;
  return inactive === 0 ? [written] : [written, `${formatCount(inactive, 'institution', 'institutions')} skipped because suspended`];
}
