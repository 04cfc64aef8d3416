import { ActivityFailure, isCancellation, setCurrentDetails, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { EmailBatchState } from '../activities/emails/emailBatchSender';
import { searchAttributes, workflowProgress } from './contract';
import { formatCount } from './formatCount';
import { onEmailsQueue } from './onEmailsQueue';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type EmailCounts = EmailBatchState<never>['counts'];

/** How far a batch of letters is; what its workflow hands on when it continues as a new run. */
export interface EmailBatchProgress {
  /** Who could not be told by then is told no more. */
  deadlineMs: number;
  counts: EmailCounts;
}

/** What a batch came to, as its workflow's result shows it. */
export interface EmailBatchResult<Ending extends string> extends EmailCounts {
  outcome: Ending | CommonEnding;
}

type CommonEnding = 'done' | 'gave_up';

/** What the workflow of a batch does and says; `Ending` is how it may end beside being done or given up. */
interface EmailBatch<Ending extends string> {
  /** What the letters tell of, for the sentence of the Web UI. */
  subject: string;
  /** Sends what is due; fails when the mail server, or a worker, is still away after so many ms. */
  sendDue(withinMs: number): Promise<EmailBatchState<'institution_inactive' | Ending>>;
  /** Ends the batch; the rows of those who were not told say why. */
  end(reason: string): Promise<EmailCounts>;
  endings: Record<Ending, { text: string; reason: string }>;
}

const hourMs = 3_600_000;
const giveUpAfterMs = 3 * 24 * hourMs;
/** A suspended institution is looked at again after so long. */
const suspendedWaitMs = hourMs;
/** KeyedSemaphore that come soon after one another are taken together. */
const minWaitMs = 5_000;

/** How activities of letters are tried again. */
export const emailRetryPolicy = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

/** How letters are sent within a time: one activity takes a minute or more, and a killed worker is missed soon. */
export const sendBatchOptions = (ms: number) =>
  ({ ...onEmailsQueue(), startToCloseTimeout: '10 minutes', scheduleToCloseTimeout: ms, heartbeatTimeout: '10 seconds', retry: emailRetryPolicy }) as const;

/** A batch of which nobody was told yet; it gives up three days from now. */
export const newEmailBatchProgress = (): EmailBatchProgress => ({ deadlineMs: Date.now() + giveUpAfterMs, counts: { total: 0, sent: 0, refused: 0, skipped: 0 } });

const commonEndings: Record<CommonEnding, { endingText: string; reason: string }> = {
  done: { endingText: 'done', reason: 'There is nobody to tell any more' },
  gave_up: { endingText: 'given up after three days', reason: 'Not sent within three days' },
};

const openStateTexts = {
  more: 'under way',
  waits: 'the rest is tried again later',
  institution_inactive: 'waiting: the institution is suspended',
} as const;

const waitReasons = { waits: 'the next that is due', institution_inactive: 'the institution to be approved again' } as const;

/**
 * Sends the letters of a batch until everyone is told or the deadline has passed; while the institution is suspended it
 * waits. Counts into `reached`. Undefined when the run has become so long that the workflow is to continue as a new
 * one with `reached`.
 */
export async function sendEmailBatch<Ending extends string>(batch: EmailBatch<Ending>, reached: EmailBatchProgress): Promise<EmailBatchResult<Ending> | undefined> {
  const endings: Record<string, { endingText: string; reason: string }> = { ...commonEndings, ...batch.endings };
  showProgress(batch, reached, 'under way');
  for (;;) {
    const { state, counts, nextTryMs } = await sendDueBeforeDeadline(batch, reached);
    if (!isOpen(state)) {
      const { endingText, reason } = endings[state] ?? commonEndings.done;
      const finalCounts = await batch.end(reason);
      // The rows of what is deleted are gone: what was known of them before is said.
      if (finalCounts.total >= reached.counts.total) reached.counts = finalCounts;
      showProgress(batch, reached, endingText);
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, ...reached.counts };
    }
    reached.counts = counts;
    showProgress(batch, reached, openStateTexts[state]);
    if (shouldContinueAsNew()) return undefined;
    if (state === 'more') continue;
    const untilMs = { waits: nextTryMs, institution_inactive: Date.now() + suspendedWaitMs }[state];
    await sleep(Math.max(minWaitMs, Math.min(untilMs, reached.deadlineMs) - Date.now()), { summary: waitReasons[state] });
  }
}

async function sendDueBeforeDeadline<Ending extends string>(
  batch: EmailBatch<Ending>,
  { deadlineMs, counts }: EmailBatchProgress,
): Promise<{ state: EmailBatchState<'institution_inactive' | Ending>['state'] | 'gave_up'; counts: EmailCounts; nextTryMs: number }> {
  const gaveUp = { state: 'gave_up', counts, nextTryMs: 0 } as const;
  const leftMs = deadlineMs - Date.now();
  if (leftMs <= 0) return gaveUp;
  try {
    return await batch.sendDue(leftMs);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return gaveUp;
  }
}

const isOpen = (state: string): state is keyof typeof openStateTexts => Object.hasOwn(openStateTexts, state);

/** Answers the query `progress` of a batch. */
export function handleProgressQuery(reached: EmailBatchProgress): void {
  setHandler(workflowProgress, () => {
    const { total, sent, refused, skipped } = reached.counts;
    return { done: sent + refused + skipped, total };
  });
}

function showProgress<Ending extends string>({ subject }: EmailBatch<Ending>, { counts: { total, sent, refused, skipped } }: EmailBatchProgress, standing: string): void {
  const clauses = [`**${sent.toLocaleString('en-US')} of ${formatCount(total, 'recipient', 'recipients')}** told of ${subject}`];
  if (refused > 0) clauses.push(`${refused.toLocaleString('en-US')} refused by the mail server`);
  if (skipped > 0) clauses.push(`${skipped.toLocaleString('en-US')} no longer to be told`);
  setCurrentDetails(`${[...clauses, standing].join('; ')}.`);
}
