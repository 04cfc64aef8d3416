import {
  ActivityFailure, CancellationScope, condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BatchView, CouponActivities } from '../activities/coupons/reviewBatches';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { look, nonRetryable, searchAttributes } from './contract';
import { formatCount } from './formatCount';
import { onEmailsQueue } from './onEmailsQueue';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type CouponBatch = WorkflowArguments['couponBatchApproval'];
type Ending = Exclude<BatchView['state'], 'waits' | 'making'>;

/** What a batch came to, as the workflow's result shows it. */
export interface ApprovalResult {
  outcome: Ending;
  codes: number;
}

/** How far the reminders of a batch are: those that are over with, and those of them that were sent. */
interface Reminders {
  over: number;
  sent: number;
}

const dayMs = 24 * 3_600_000;
/** Who decides is reminded so long after the request. */
const remindersAfterMs = [dayMs, 3 * dayMs];
/** An expiry date may be years away; Postgres is looked at once a day all the same. */
const longestWaitMs = dayMs;

const retry = { initialInterval: '1 second', maximumInterval: '1 minute', nonRetryableErrorTypes: [nonRetryable.unknownBatch] };

const { reviewCouponBatch } = proxyActivities<CouponActivities>({ startToCloseTimeout: '15 seconds', retry });

const { makeCouponCodes } = proxyActivities<CouponActivities>({ startToCloseTimeout: '2 minutes', heartbeatTimeout: '10 seconds', retry });

const reminderActivities = () =>
  proxyActivities<CouponActivities>({
    ...onEmailsQueue(),
    startToCloseTimeout: '1 minute',
    // The first reminder is given up when the second is due.
    scheduleToCloseTimeout: '2 days',
    retry: { initialInterval: '5 seconds', maximumInterval: '1 hour' },
  });

/**
 * Waits for a platform admin to decide a coupon batch, reminds them after one day and after three, and has the codes of an
 * approved batch made. Ends with the last code, the rejection, or the expiry date. `before` is how far the reminders of
 * the run before this one were.
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
      const due = remindersDue(view).filter((atMs) => atMs <= Date.now()).length;
      // Beside the waiting, so that no decision waits for a letter.
      if (due > reminders.over) sending.push(reminderScope.run(() => remind(batch, due, reminders, showState)));
      await condition(() => received.look, waitMs(view, reminders), { summary: 'a decision' });
    }
    received.look = false;
    view = view.state === 'waits' ? await reviewCouponBatch(batch, Date.now()) : await makeCouponCodes(batch, Date.now());
  }
  reminderScope.cancel();
  await Promise.all(sending);
  showState();
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: view.state }]);
  return { outcome: view.state, codes: view.made };
}

const remindersDue = ({ requestedAtMs }: BatchView): number[] => remindersAfterMs.map((afterMs) => requestedAtMs + afterMs);

/** Sends the latest of the reminders that are due, alone. One that cannot be sent, or need not be any more, ends nothing. */
async function remind(batch: CouponBatch, due: number, reminders: Reminders, tell: () => void): Promise<void> {
  reminders.over = due;
  try {
    if ((await reminderActivities().remindOfCouponBatch(batch, due, Date.now())) !== 'sent') return;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return;
  }
  reminders.sent += 1;
  tell();
}

function waitMs(view: BatchView, { over }: Reminders): number {
  const nextAtMs = Math.min(view.expiresAtMs, remindersDue(view)[over] ?? Infinity, Date.now() + longestWaitMs);
  return Math.max(nextAtMs - Date.now(), 1);
}

const isEnded = (state: BatchView['state']): state is Ending => state !== 'waits' && state !== 'making';

function describeState({ state, made, total, requestedAtMs, expiresAtMs }: BatchView, { sent }: Reminders): string {
  const coupons = formatCount(total, 'coupon', 'coupons');
  switch (state) {
    case 'waits':
      return `**${coupons}**, requested at ${formatTime(requestedAtMs)}; somebody has to decide before ${formatTime(expiresAtMs)}. ${formatCount(sent, 'reminder', 'reminders')} sent.`;
    case 'making':
      return `Approved; **${made.toLocaleString('en-US')} of ${formatCount(total, 'code', 'codes')}** made.`;
    case 'approved':
      return `Approved; **${formatCount(total, 'code', 'codes')}** made.`;
    case 'rejected':
      return `Rejected; of ${coupons} no code is made.`;
    case 'expired':
      return `Nobody decided before ${formatTime(expiresAtMs)}; of ${coupons} no code is made.`;
  }
}

const formatTime = (ms: number): string => new Date(ms).toISOString();
