import {
  ActivityFailure, CancellationScope, condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler,
} from '@temporalio/workflow';
import type { BatchView, CouponActivities } from '../activities/coupons/reviewBatches';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { look, nonRetryable } from './contract';
import { formatCount } from './formatCount';
import { institutionNowMs } from './institutionNow';
import { setOutcome } from './setOutcome';
import { onEmailsQueue } from './taskQueues';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type CouponBatch = WorkflowArguments['couponBatchApproval'];
type Ending = Exclude<BatchView['state'], 'waits' | 'making'>;

/** The outcome of a batch, shown as the workflow's result. */
export interface ApprovalResult {
  outcome: Ending;
  codes: number;
}

/** The progress of a batch's reminders: those that are handled, and those of them that were sent. */
interface Reminders {
  over: number;
  sent: number;
}

const dayMs = 24 * 3_600_000;
/** Time after the request of each reminder to the platform's admins. */
const remindersAfterMs = [dayMs, 3 * dayMs];
/** An expiry date may be years ahead; Postgres is checked at least once a day. */
const longestWaitMs = dayMs;

const retry = { initialInterval: '1 second', maximumInterval: '1 minute', nonRetryableErrorTypes: [nonRetryable.unknownBatch] };

const { reviewCouponBatch } = proxyActivities<CouponActivities>({ startToCloseTimeout: '15 seconds', retry });

const { makeCouponCodes } = proxyActivities<CouponActivities>({ startToCloseTimeout: '2 minutes', heartbeatTimeout: '10 seconds', retry });

const reminderActivities = () =>
  proxyActivities<CouponActivities>({
    ...onEmailsQueue(),
    startToCloseTimeout: '1 minute',
    // The first reminder is abandoned when the second is due.
    scheduleToCloseTimeout: '2 days',
    retry: { initialInterval: '5 seconds', maximumInterval: '1 hour' },
  });

/**
 * Waits for a platform admin to decide a coupon batch, reminds them after one day and after three, and creates the codes of
 * an approved batch. Ends with the last code, the rejection, or the expiry date. `before` is the progress of the previous
 * run's reminders.
 */
export async function couponBatchApproval(batch: CouponBatch, before: Reminders = { over: 0, sent: 0 }): Promise<ApprovalResult> {
  const received = { look: false };
  setHandler(look, () => {
    received.look = true;
  });
  const reminders = { ...before };
  const reminderScope = new CancellationScope();
  const sending: Promise<void>[] = [];
  let view = await reviewCouponBatch(batch, Date.now());
  const showState = (): void => setCurrentDetails(describeState(view, reminders));

  while (!isEnded(view.state)) {
    showState();
    if (shouldContinueAsNew()) return continueAsNew<typeof couponBatchApproval>(batch, reminders);
    if (view.state === 'waits') {
      const due = remindersDue(view).filter((atMs) => atMs <= institutionNowMs(view)).length;
      // Not awaited, so that no decision is delayed by an email.
      if (due > reminders.over) sending.push(reminderScope.run(() => remind(batch, due, reminders, showState)));
      await condition(() => received.look, waitMs(view, reminders), { summary: 'a decision' });
    }
    received.look = false;
    view = view.state === 'waits' ? await reviewCouponBatch(batch, Date.now()) : await makeCouponCodes(batch, Date.now());
  }
  reminderScope.cancel();
  await Promise.all(sending);
  showState();
  setOutcome(view.state);
  return { outcome: view.state, codes: view.made };
}

const remindersDue = ({ requestedAtMs }: BatchView): number[] => remindersAfterMs.map((afterMs) => requestedAtMs + afterMs);

/** Sends the latest reminder that is due, and no earlier one. A failed or unnecessary reminder does not end the workflow. */
async function remind(batch: CouponBatch, due: number, reminders: Reminders, showState: () => void): Promise<void> {
  reminders.over = due;
  try {
    if ((await reminderActivities().remindOfCouponBatch(batch, due, Date.now())) !== 'sent') return;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return;
  }
  reminders.sent += 1;
  showState();
}

function waitMs(view: BatchView, { over }: Reminders): number {
  const nowMs = institutionNowMs(view);
  const nextAtMs = Math.min(view.expiresAtMs, remindersDue(view)[over] ?? Infinity, nowMs + longestWaitMs);
  return Math.max(nextAtMs - nowMs, 1);
}

const isEnded = (state: BatchView['state']): state is Ending => state !== 'waits' && state !== 'making';

function describeState({ state, made, total, requestedAtMs, expiresAtMs }: BatchView, { sent }: Reminders): string {
  const coupons = formatCount(total, 'coupon', 'coupons');
  switch (state) {
    case 'waits':
      return `**${coupons}**, requested at ${formatTime(requestedAtMs)}; a decision is needed before ${formatTime(expiresAtMs)}. ${formatCount(sent, 'reminder', 'reminders')} sent.`;
    case 'making':
      return `Approved; **${made.toLocaleString('en-US')} of ${formatCount(total, 'code', 'codes')}** created.`;
    case 'approved':
      return `Approved; **${formatCount(total, 'code', 'codes')}** created.`;
    case 'rejected':
      return `Rejected; no code of ${coupons} is created.`;
    case 'expired':
      return `No decision before ${formatTime(expiresAtMs)}; no code of ${coupons} is created.`;
  }
}

const formatTime = (ms: number): string => new Date(ms).toISOString();
