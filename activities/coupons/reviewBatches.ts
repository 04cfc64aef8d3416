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
import { createEmailSender } from '../emails/emailSender';
import { sendEmail } from '../emails/sendEmail';
import { activityNow, activityTime, clockAhead, type ActivityTime } from '../activityNow';

type CouponBatch = WorkflowArguments['couponBatchApproval'];

/** The state of a batch after an activity. */
export interface BatchView {
  /** `waits` for a decision; `making`: approved, and codes are missing. The other states are final. */
  state: 'waits' | 'making' | 'approved' | 'rejected' | 'expired';
  made: number;
  total: number;
  requestedAtMs: number;
  expiresAtMs: number;
  /** How far the clock of a sandbox is ahead, by which the times are; absent if it is not. */
  clockOffsetMs?: number;
}

/** The activities of a coupon batch's workflow. `nowMs` is the workflow's time. All are idempotent. */
export interface CouponActivities {
  /** Reads the state of a batch, and ends an expired one; non-retryable `UnknownBatch` for an unknown id. */
  reviewCouponBatch(batch: CouponBatch, nowMs: number): Promise<BatchView>;
  /** Creates the missing codes of an approved batch, one transaction after the other, for at most a minute. */
  makeCouponCodes(batch: CouponBatch, nowMs: number): Promise<BatchView>;
  /**
   * Emails the platform's admins, unless the batch is decided or they have no mailbox; `refused` if the mail server
   * permanently refuses the email. Fails with the mailer's error if a retry may succeed.
   */
  remindOfCouponBatch(batch: CouponBatch, reminder: number, nowMs: number): Promise<'sent' | 'refused' | 'decided' | 'nobody'>;
}

/** Maximum time in which one activity creates codes, in ms. */
const maxRunMs = 60_000;

function toBatchView(row: BatchRow | undefined, time: ActivityTime): BatchView {
  if (row === undefined) throw ApplicationFailure.nonRetryable('No such batch', nonRetryable.unknownBatch);
  const { status, decision, codes_made: made, total_coupons: total, created_at, expiry_date } = row;
  const undone = decision === 'approved' ? 'making' : 'waits';
  return { state: status === 'pending' ? undone : status, made, total, requestedAtMs: created_at.getTime(), expiresAtMs: expiry_date.getTime(), ...clockAhead(time) };
}

/** Returns the activities of coupon batches; `adminEmail` is the mailbox of the platform's admins, null if they have none. */
export function createCouponActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, adminEmail: string | null): CouponActivities {
  const sender = createEmailSender(domain, mailer);
  const runStep = async ({ batchId, institutionId }: CouponBatch, nowMs: number, step: (tx: Transaction, batchId: string) => Promise<BatchRow | undefined>) => {
    const time = await activityTime(domain.database.sql, institutionId, nowMs);
    return toBatchView(await transact(domain, { institutionId, now: time.now }, (tx) => step(tx, batchId)), time);
  };

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
      const waiting = await findWaitingBatch(institutionScope(domain.database, institutionId), batchId, await activityNow(domain.database.sql, institutionId, nowMs));
      if (waiting === undefined) return 'decided';
      if (adminEmail === null) return 'nobody';
      return sendEmail(sender, reminderEmail(waiting, reminder, adminEmail), { institutionId, kind: 'coupon_reminder', recipient: { kind: 'platform', id: 'platform' } });
    },
  };
}
