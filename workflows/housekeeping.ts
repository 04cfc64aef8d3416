import { ActivityFailure, ApplicationFailure, continueAsNew, patched, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import type { PrunedKind } from '../domain/retention/pruneExpired';
import { nonRetryable, priorities } from './contract';
import { formatCount } from './formatCount';
import { resumeProgress } from './progress';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** How many rows of each kind were deleted; a kind that was not processed is absent. */
export type Removed = Partial<Record<PrunedKind, number>>;

/** The progress of a housekeeping; passed on when it continues as a new run. */
export interface HousekeepingProgress {
  /** The time from which the age of rows is counted. */
  nowMs: number;
  removed: Removed;
  /** Kinds that are done. */
  done: PrunedKind[];
  /** Kinds that failed this time; absent up to 0.5.0, where a failure ended the run. */
  failed?: PrunedKind[];
}

const firstKinds: readonly PrunedKind[] = ['sessions', 'signInCodes', 'provisioningBatches'];
/** Files come last, so that the other kinds are done while the file store is unavailable. */
const kindsOf030: readonly PrunedKind[] = [...firstKinds, 'examNotices', 'files'];
const kindsOf040: readonly PrunedKind[] = [...firstKinds, 'examNotices', 'weeklyReportLetters', 'weeklyReports', 'auditLog', 'seats', 'files'];
const kindsOf050: readonly PrunedKind[] = [...kindsOf040.slice(0, -1), 'alphaProgress', 'files'];
const kindsOf080: readonly PrunedKind[] = [...kindsOf050.slice(0, -1), 'idempotencyKeys', 'sandboxEmails', 'files'];
const kindsOf090: readonly PrunedKind[] = [...kindsOf080.slice(0, -1), 'endpointStatistics', 'files'];
const kindsOf0100: readonly PrunedKind[] = [...kindsOf090.slice(0, -1), 'signIns', 'enrolmentCodes', 'mailboxChanges', 'accountClaims', 'disclosures', 'personExports', 'files'];
const allKinds: readonly PrunedKind[] = [...kindsOf0100.slice(0, -1), 'rowCounts', 'files'];

const kindNames: Record<PrunedKind, [one: string, many: string]> = {
  sessions: ['session', 'sessions'],
  signInCodes: ['sign-in code', 'sign-in codes'],
  provisioningBatches: ['bulk call', 'bulk calls'],
  examNotices: ['notice of an exam', 'notices of exams'],
  weeklyReportLetters: ['week of report emails', 'weeks of report emails'],
  weeklyReports: ['week of reports', 'weeks of reports'],
  auditLog: ['audit log entry', 'audit log entries'],
  seats: ['seat', 'seats'],
  alphaProgress: ['progress report', 'progress reports'],
  idempotencyKeys: ['idempotency key', 'idempotency keys'],
  sandboxEmails: ['email of a sandbox', 'emails of sandboxes'],
  endpointStatistics: ['hour of endpoint statistics', 'hours of endpoint statistics'],
  signIns: ['sign-in', 'sign-ins'],
  enrolmentCodes: ['enrolment code', 'enrolment codes'],
  mailboxChanges: ['change of a mailbox', 'changes of mailboxes'],
  accountClaims: ['claim of an account', 'claims of accounts'],
  disclosures: ['month of disclosures', 'months of disclosures'],
  personExports: ['export of a person', 'exports of people'],
  rowCounts: ["institution's counts", "institutions' counts"],
  files: ['file', 'files'],
};

/** Pause between two chunks, to limit the load on the database. */
const chunkPause = '1 second';

// A kind that fails for this long is left for the next run; the worker logs and counts its failures.
const { tidyUp } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '15 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  priority: { priorityKey: priorities.sweep },
});

/**
 * Deletes expired rows: sessions, sign-in codes, bulk calls, notices of exams, weekly reports and their emails, audit log
 * entries, ended seats, progress reports, expired idempotency keys, emails of sandboxes, statistics of endpoints, sign-ins,
 * enrolment codes, changes of mailboxes, claims of accounts, disclosures, whose months it also makes ahead, and exports of people;
 * and files that are removed or whose upload was not finished within a day. Compares the counts of rows with the rows. If one kind fails it continues with the others, and
 * then fails with the names of the failed kinds.
 */
export async function housekeeping(before?: HousekeepingProgress): Promise<Removed> {
  const progress = resumeProgress<HousekeepingProgress>(before, { nowMs: Date.now(), removed: {}, done: [] });
  const kinds = kindsToPrune();
  const failed = new Set(progress.failed);
  for (const kind of kinds.filter((one) => !progress.done.includes(one) && !failed.has(one))) {
    if ((await pruneKind(kind, progress)) === 'unfinished') return continueAsNew<typeof housekeeping>(progress);
  }
  setCurrentDetails(describeProgress(progress));
  const incomplete = (progress.failed ?? []).length > 0;
  setOutcome(incomplete ? 'incomplete' : 'done');
  if (incomplete) throw ApplicationFailure.nonRetryable(describeProgress(progress), nonRetryable.sweepIncomplete);
  return progress.removed;
}

/** Deletes the expired rows of one kind; a failure does not affect the others. `unfinished` if the run has become long. */
async function pruneKind(kind: PrunedKind, progress: HousekeepingProgress): Promise<'finished' | 'unfinished'> {
  try {
    for (;;) {
      setCurrentDetails(describeProgress(progress));
      const { removed, more } = await tidyUp(kind, progress.nowMs);
      progress.removed[kind] = (progress.removed[kind] ?? 0) + removed;
      if (!more) break;
      await sleep(chunkPause);
      if (shouldContinueAsNew()) return 'unfinished';
    }
    progress.done.push(kind);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    progress.failed = [...(progress.failed ?? []), kind];
  }
  return 'finished';
}

/**
 * Returns the kinds to prune by version, so that old histories replay: up to 0.2.0 neither notices nor files, up to 0.3.0 no
 * weekly reports, audit log or seats, up to 0.4.0 no progress reports, up to 0.7.0 neither idempotency keys nor emails of
 * sandboxes, up to 0.8.0 no statistics of endpoints, up to 0.9.0 nothing of sign-ins and what belongs to them, of disclosures and exports,
 * up to 0.10.1 no counts of rows.
 */
function kindsToPrune(): readonly PrunedKind[] {
  if (patched('kinds-of-0.11.0')) return allKinds;
  if (patched('kinds-of-0.10.0')) return kindsOf0100;
  if (patched('kinds-of-0.9.0')) return kindsOf090;
  if (patched('kinds-of-0.8.0')) return kindsOf080;
  if (patched('kinds-of-0.5.0')) return kindsOf050;
  if (patched('kinds-of-0.4.0')) return kindsOf040;
  return patched('notices-and-files') ? kindsOf030 : firstKinds;
}

function describeProgress({ removed, nowMs, failed = [] }: HousekeepingProgress): string {
  const compared = (removed.rowCounts ?? 0) > 0 ? ` ${formatCount(removed.rowCounts ?? 0, ...kindNames.rowCounts)} compared with their rows.` : '';
  const all = allKinds.filter((kind) => kind !== 'rowCounts').map((kind) => formatCount(removed[kind] ?? 0, ...kindNames[kind]));
  const left = failed.length === 0 ? '' : ` Not all deleted, to be retried by the next run: ${failed.map((kind) => kindNames[kind][1]).join(', ')}.`;
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''} deleted that had expired at ${new Date(nowMs).toISOString()}.${compared}${left}`;
}
