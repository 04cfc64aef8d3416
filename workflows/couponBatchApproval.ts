import {
  ActivityFailure, CancellationScope, condition, continueAsNew, isCancellation, proxyActivities, setCurrentDetails, setHandler, sleep, upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BatchView, CouponActivities } from '../activities/coupons/reviewBatches';
import type { WorkflowArguments } from '../domain/owed/workflows';
import { look, nonRetryable, searchAttributes } from './contract';
import { counted } from './counted';
import { isLong } from './runLength';

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

const { remindOfCouponBatch } = proxyActivities<CouponActivities>({
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
  const reminding = new CancellationScope();
  let view = await reviewCouponBatch(batch, Date.now());
  const tell = (): void => setCurrentDetails(sentence(view, reminders));

  // Beside the waiting, so that no decision waits for a letter.
  const reminded = reminding.run(() => remind(batch, view, reminders, tell)).catch(unlessCancelled);
  while (!isEnding(view.state)) {
    tell();
    if (isLong()) return continueAsNew<typeof couponBatchApproval>(batch, reminders);
    if (view.state === 'waits') await condition(() => heard.look, waitMs(view), { summary: 'a decision' });
    heard.look = false;
    view = view.state === 'waits' ? await reviewCouponBatch(batch, Date.now()) : await makeCouponCodes(batch, Date.now());
  }
  reminding.cancel();
  await reminded;
  tell();
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: view.state }]);
  return { outcome: view.state, codes: view.made };
}

/** Sends each reminder when it is due; of several that are, the latest alone. One that cannot be sent is left. */
async function remind(batch: CouponBatch, { state, requestedAtMs }: BatchView, reminders: Reminders, tell: () => void): Promise<void> {
  if (state !== 'waits') return;
  const dueAtMs = remindersAfterMs.map((afterMs) => requestedAtMs + afterMs);
  for (;;) {
    const nextAtMs = dueAtMs[reminders.over];
    if (nextAtMs === undefined) return;
    if (nextAtMs > Date.now()) await sleep(nextAtMs - Date.now(), { summary: 'a reminder' });
    reminders.over = dueAtMs.filter((atMs) => atMs <= Date.now()).length;
    const outcome = await remindOfCouponBatch(batch, reminders.over, Date.now()).catch(unlessCancelled);
    if (outcome === 'sent') reminders.sent += 1;
    tell();
  }
}

/** A letter that could not be sent, or that need not be any more, ends nothing. */
function unlessCancelled(error: unknown): undefined {
  if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
  return undefined;
}

const waitMs = ({ expiresAtMs }: BatchView): number => Math.min(Math.max(expiresAtMs - Date.now(), 1), longestWaitMs);

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
