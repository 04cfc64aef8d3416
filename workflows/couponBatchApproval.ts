import {
  ActivityFailure, CancellationScope, condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BatchView, CouponActivities } from '../activities/coupons/reviewBatches';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { look, nonRetryable, searchAttributes } from './contract';
import { counted } from './formatCount';
import { onLettersQueue } from './onEmailsQueue';
import { isLong } from './shouldContinueAsNew';

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

const reminding = () =>
  proxyActivities<CouponActivities>({
    ...onLettersQueue(),
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
  const heard = { look: false };
  setHandler(look, () => {
    heard.look = true;
  });
  const reminders = { ...before };
  const letters = new CancellationScope();
  const sending: Promise<void>[] = [];
  let view = await reviewCouponBatch(batch, Date.now());
  const tell = (): void => setCurrentDetails(sentence(view, reminders));

  while (!isEnding(view.state)) {
    tell();
    if (isLong()) return continueAsNew<typeof couponBatchApproval>(batch, reminders);
    if (view.state === 'waits') {
      const due = remindersDue(view).filter((atMs) => atMs <= Date.now()).length;
      // Beside the waiting, so that no decision waits for a letter.
      if (due > reminders.over) sending.push(letters.run(() => remind(batch, due, reminders, tell)));
      await condition(() => heard.look, waitMs(view, reminders), { summary: 'a decision' });
    }
    heard.look = false;
    view = view.state === 'waits' ? await reviewCouponBatch(batch, Date.now()) : await makeCouponCodes(batch, Date.now());
  }
  letters.cancel();
  await Promise.all(sending);
  tell();
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: view.state }]);
  return { outcome: view.state, codes: view.made };
}

const remindersDue = ({ requestedAtMs }: BatchView): number[] => remindersAfterMs.map((afterMs) => requestedAtMs + afterMs);

/** Sends the latest of the reminders that are due, alone. One that cannot be sent, or need not be any more, ends nothing. */
async function remind(batch: CouponBatch, due: number, reminders: Reminders, tell: () => void): Promise<void> {
  reminders.over = due;
  try {
    if ((await reminding().remindOfCouponBatch(batch, due, Date.now())) !== 'sent') return;
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

const isEnding = (state: BatchView['state']): state is Ending => state !== 'waits' && state !== 'making';

function sentence({ state, made, total, requestedAtMs, expiresAtMs }: BatchView, { sent }: Reminders): string {
  const coupons = counted(total, 'coupon', 'coupons');
  switch (state) {
    case 'waits':
      return `**${coupons}**, requested at ${time(requestedAtMs)}; somebody has to decide before ${time(expiresAtMs)}. ${counted(sent, 'reminder', 'reminders')} sent.`;
    case 'making':
      return `Approved; **${made.toLocaleString('en-US')} of ${counted(total, 'code', 'codes')}** made.`;
    case 'approved':
      return `Approved; **${counted(total, 'code', 'codes')}** made.`;
    case 'rejected':
      return `Rejected; of ${coupons} no code is made.`;
    case 'expired':
      return `Nobody decided before ${time(expiresAtMs)}; of ${coupons} no code is made.`;
  }
}

const time = (ms: number): string => new Date(ms).toISOString();
