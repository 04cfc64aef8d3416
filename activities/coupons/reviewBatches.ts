import { ApplicationFailure, Context } from '@temporalio/activity';
import { institutionScope } from '../../db/database';
import { findWaitingBatch, type BatchRow } from '../../db/repositories/coupons/batches';
import type { Domain, Transaction } from '../../domain/context';
import { createCodes } from '../../domain/coupons/createCodes';
import { reminderEmail } from '../../domain/coupons/reminderEmail';
import { expireBatchIfDue } from '../../domain/coupons/expireBatchIfDue';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { nonRetryable } from '../../workflows/contract';
import { withHeartbeats } from '../heartbeats';
import { sendEmail } from '../emails/sendEmail';
import { activityNow } from '../activityNow';

type CouponBatch = WorkflowArguments['couponBatchApproval'];

/** How a batch stands once an activity has done its share. */
export interface BatchView {
  /** `waits` for a decision; `making`: it is approved, and codes are missing. The others are its ends. */
  state: 'waits' | 'making' | 'approved' | 'rejected' | 'expired';
  made: number;
  total: number;
  requestedAtMs: number;
  expiresAtMs: number;
}

/** What a coupon batch's workflow calls. `nowMs` is the workflow's time. Each may be repeated. */
export interface CouponActivities {
  /** Reads how a batch stands, and ends one that has expired; non-retryable `UnknownBatch` when there is none. */
  reviewCouponBatch(batch: CouponBatch, nowMs: number): Promise<BatchView>;
  /** Makes the missing codes of an approved batch, one transaction after the other, for a minute at most. */
  makeCouponCodes(batch: CouponBatch, nowMs: number): Promise<BatchView>;
  /**
   * Writes to the platform's admins, unless the batch waits no more or they have no mailbox; `refused` when the mail server
   * never takes the letter. Raises the mailer's error when it may go later.
   */
  remindOfCouponBatch(batch: CouponBatch, reminder: number, nowMs: number): Promise<'sent' | 'refused' | 'decided' | 'nobody'>;
}

/** One activity makes codes for so many ms. */
const maxRunMs = 60_000;

function toBatchView(row: BatchRow | undefined): BatchView {
  if (row === undefined) throw ApplicationFailure.nonRetryable('No such batch', nonRetryable.unknownBatch);
  const { status, decision, codes_made: made, total_coupons: total, created_at, expiry_date } = row;
  const undone = decision === 'approved' ? 'making' : 'waits';
  return { state: status === 'pending' ? undone : status, made, total, requestedAtMs: created_at.getTime(), expiresAtMs: expiry_date.getTime() };
}

/** The activities of coupon batches over one domain, one mailer and the mailbox of the platform's admins; null where they have none. */
export function createCouponActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, adminEmail: string | null): CouponActivities {
  const runStep = async ({ batchId, institutionId }: CouponBatch, nowMs: number, step: (tx: Transaction, batchId: string) => Promise<BatchRow | undefined>) =>
    toBatchView(await transact(domain, { institutionId, now: activityNow(nowMs) }, (tx) => step(tx, batchId)));

  return {
    reviewCouponBatch: (batch, nowMs) => runStep(batch, nowMs, expireBatchIfDue),
    makeCouponCodes: (batch, nowMs) =>
      withHeartbeats(async () => {
        const { cancellationSignal } = Context.current();
        const begun = performance.now();
        let view = await runStep(batch, nowMs, createCodes);
        while (view.state === 'making' && performance.now() - begun < maxRunMs && !cancellationSignal.aborted) view = await runStep(batch, nowMs, createCodes);
        return view;
      }),
    remindOfCouponBatch: async ({ batchId, institutionId }, reminder, nowMs) => {
      const waiting = await findWaitingBatch(institutionScope(domain.database, institutionId), batchId, activityNow(nowMs));
      if (waiting === undefined) return 'decided';
      if (adminEmail === null) return 'nobody';
      return sendEmail(mailer, reminderEmail(waiting, reminder, adminEmail));
    },
  };
}
