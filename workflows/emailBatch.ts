import { ActivityFailure, isCancellation, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { EmailBatchState } from '../activities/emails/emailBatchSender';
import { workflowProgress } from './contract';
import { formatCount } from './formatCount';
import { setOutcome } from './setOutcome';
import { onEmailsQueue } from './taskQueues';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type EmailCounts = EmailBatchState<never>['counts'];

/** The progress of a batch of emails; passed on when the workflow continues as a new run. */
export interface EmailBatchProgress {
  /** No email is sent after this time. */
  deadlineMs: number;
  counts: EmailCounts;
}

/** The outcome of a batch, shown as the workflow's result. */
export interface EmailBatchResult<Ending extends string> extends EmailCounts {
  outcome: Ending | CommonEnding;
}

type CommonEnding = 'done' | 'gave_up';

/** What the workflow of a batch does and shows; `Ending` is how it may end other than done or abandoned. */
interface EmailBatch<Ending extends string> {
  /** The subject of the emails, for the details in the Web UI. */
  subject: string;
  /** Sends what is due; fails if the mail server, or a worker, is still unavailable after this time, in ms. */
  sendDue(withinMs: number): Promise<EmailBatchState<'institution_inactive' | Ending>>;
  /** Ends the batch; the rows of the remaining recipients store the reason. */
  end(reason: string): Promise<EmailCounts>;
  endings: Record<Ending, { text: string; reason: string }>;
}

const hourMs = 3_600_000;
const giveUpAfterMs = 3 * 24 * hourMs;
/** How often a suspended institution is checked. */
const suspendedWaitMs = hourMs;
/** Retries due within this time of each other are handled together. */
const minWaitMs = 5_000;

/** How activities that send emails are retried. */
export const emailRetryPolicy = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

/** Returns the options for sending emails within a time: an activity takes a minute or more, and heartbeats detect a killed worker soon. */
export const sendBatchOptions = (ms: number) =>
  ({ ...onEmailsQueue(), startToCloseTimeout: '10 minutes', scheduleToCloseTimeout: ms, heartbeatTimeout: '10 seconds', retry: emailRetryPolicy }) as const;

/** Returns the progress of a new batch; it ends three days from now. */
export const newEmailBatchProgress = (): EmailBatchProgress => ({ deadlineMs: Date.now() + giveUpAfterMs, counts: { total: 0, sent: 0, refused: 0, skipped: 0 } });

const commonEndings: Record<CommonEnding, { endingText: string; reason: string }> = {
  done: { endingText: 'done', reason: 'No recipient is left' },
  gave_up: { endingText: 'abandoned after three days', reason: 'Not sent within three days' },
};

const openStateTexts = {
  more: 'in progress',
  waits: 'the remaining emails are tried again later',
  institution_inactive: 'waiting: the institution is suspended',
} as const;

const waitReasons = { waits: 'the next retry', institution_inactive: 'the institution to be approved again' } as const;

/**
 * Sends the emails of a batch until every recipient is handled or the deadline has passed; while the institution is
 * suspended it waits. Counts into `reached`. Undefined if the run has become so long that the workflow must continue as a
 * new one with `reached`.
 */
export async function sendEmailBatch<Ending extends string>(batch: EmailBatch<Ending>, reached: EmailBatchProgress): Promise<EmailBatchResult<Ending> | undefined> {
  const endings: Record<string, { endingText: string; reason: string }> = { ...commonEndings, ...batch.endings };
  showProgress(batch, reached, 'in progress');
  for (;;) {
    const { state, counts, nextTryMs } = await sendDueBeforeDeadline(batch, reached);
    if (!isOpen(state)) {
      const { endingText, reason } = endings[state] ?? commonEndings.done;
      const finalCounts = await batch.end(reason);
      // If the rows were deleted, the counts from before are kept.
      if (finalCounts.total >= reached.counts.total) reached.counts = finalCounts;
      showProgress(batch, reached, endingText);
      setOutcome(state);
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

/** Handles the query `progress` of a batch. */
export function handleProgressQuery(reached: EmailBatchProgress): void {
  setHandler(workflowProgress, () => {
    const { total, sent, refused, skipped } = reached.counts;
    return { done: sent + refused + skipped, total };
  });
}

function showProgress<Ending extends string>({ subject }: EmailBatch<Ending>, { counts: { total, sent, refused, skipped } }: EmailBatchProgress, standing: string): void {
  const clauses = [`**${sent.toLocaleString('en-US')} of ${formatCount(total, 'recipient', 'recipients')}** notified of ${subject}`];
  if (refused > 0) clauses.push(`${refused.toLocaleString('en-US')} refused by the mail server`);
  if (skipped > 0) clauses.push(`${skipped.toLocaleString('en-US')} skipped`);
  setCurrentDetails(`${[...clauses, standing].join('; ')}.`);
}
