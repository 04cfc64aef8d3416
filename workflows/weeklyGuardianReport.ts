import { ApplicationFailure, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ReportActivities } from '../activities/reports/reports';
import type { ReportPosition } from '../domain/reports/writeWeeklyReports';
import { retentionMs } from '../domain/retention/periods';
import { nonRetryable } from './contract';
import { formatCount } from './formatCount';
import { newPassProgress, forEachInstitution, sweepStepOptions, type PassProgress } from './institutionPass';
import { resumeProgress } from './progress';

/** As of when a week is the last one; what an operator gives to make up for a week that was missed. */
export interface AsOf {
  nowMs: number;
}

/** How far a pass is; what it hands on when it continues as a new run. */
export interface ReportProgress extends PassProgress<ReportPosition> {
  reports: number;
  /** Guardians who are to get a letter. */
  letters: number;
  /** Institutions passed over because they are not approved. */
  inactive: number;
}

/** What a pass came to. */
export type ReportResult = Pick<ReportProgress, 'reports' | 'letters' | 'institutions' | 'inactive'>;

const { institutionsToReport, writeWeek } = proxyActivities<ReportActivities>(sweepStepOptions);

/**
 * Writes the weekly Alpha reports of every approved institution, of the last week that was over in its time zone when
 * the workflow was started, or at `startArguments`; each institution's letters are then sent by a workflow of their own. A week that is
 * written already stays as it is.
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
      return 'passed over';
    },
    summarize: (done) => describeProgress(progress, done),
  });
  if (outcome === 'unfinished') return continueAsNew<typeof weeklyGuardianReport>(asOf, progress);
  const { reports, letters, institutions, inactive } = progress;
  return { reports, letters, institutions, inactive };
}

const weekMs = 7 * 86_400_000;

/** The time that an operator gave, if it is one; undefined for any other argument, one with further fields too. */
function parseAsOf(asOf: unknown): number | undefined {
  if (typeof asOf !== 'object' || asOf === null) return undefined;
  const [[name, value] = [], ...others] = Object.entries(asOf);
  return name === 'nowMs' && Number.isInteger(value) && others.length === 0 ? Number(value) : undefined;
}

/**
 * As of when, in ms: when the workflow was started, where no argument says otherwise. Refuses a time whose last week is not
 * over yet, or so long ago that its reports, deleted, would be written and sent anew, and an argument that is no time.
 */
function validateAsOf(asOf: unknown): number {
  // Not the time of the first task: a worker may come to it a week later.
  const nowMs = asOf === undefined ? workflowInfo().startTime.getTime() : parseAsOf(asOf);
  const latestMs = Date.now();
  const earliestMs = latestMs - retentionMs.weeklyReports + 2 * weekMs;
  if (nowMs !== undefined && nowMs > earliestMs && nowMs <= latestMs) return nowMs;
  throw ApplicationFailure.nonRetryable(
    'The argument is to be none, or { "nowMs": … }: a time of the last 102 weeks, a whole number of milliseconds', nonRetryable.notATime,
  );
}

function describeProgress({ reports, letters, inactive, nowMs }: ReportProgress, done: string): string[] {
  const written = `${formatCount(reports, 'report', 'reports')} of the last week as of ${new Date(nowMs).toISOString()} written in ${done}, for ${formatCount(letters, 'guardian', 'guardians')}`;
  return inactive === 0 ? [written] : [written, `${formatCount(inactive, 'institution', 'institutions')} passed over because suspended`];
}
