import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { createCouponActivities, type CouponActivities } from '../../activities/coupons/reviewBatches';
import type { NewBatch } from '../../db/repositories/coupons/batches';
import { decideBatch } from '../../domain/coupons/decideBatch';
import type { EmailMessage } from '../../domain/emails/email';
import { transact } from '../../domain/transact';
import { look } from '../../workflows/contract';
import type { couponBatchApproval } from '../../workflows/couponBatchApproval';
import { systemCaller } from '../support/api';
import { seedCouponBatch } from '../support/seed/coupons';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'coupons';
const hour = 3_600_000;
const day = 24 * hour;
const admins = 'platform@institution.example';

/** When each email was accepted, in the time of the workflow that had it sent. */
const emails: { messageId: string; atMs: number }[] = [];
/** When the workflows looked at Postgres, in their own time. */
const looks: number[] = [];
const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }): CouponActivities => {
  const send = (email: EmailMessage) => mailer.send(email);
  const real = createCouponActivities(domain, { send }, admins);
  return {
    reviewCouponBatch: (batch, nowMs) => {
      looks.push(nowMs);
      return real.reviewCouponBatch(batch, nowMs);
    },
    makeCouponCodes: (batch, nowMs) => real.makeCouponCodes(batch, nowMs),
    remindOfCouponBatch: async (batch, nth, nowMs) => {
      const outcome = await real.remindOfCouponBatch(batch, nth, nowMs);
      if (outcome === 'sent') emails.push({ messageId: fixture.mailServer.accepted.at(-1)?.messageId ?? '', atMs: nowMs });
      return outcome;
    },
  };
} });
const { api, institution, sql, now } = fixture;

beforeEach(() => {
  emails.length = 0;
  looks.length = 0;
});

const after = (time: Date, ms: number) => new Date(time.getTime() + ms);
const decide = (id: string, decision: 'approved' | 'rejected', at: Date) =>
  transact(api.api.domain, systemCaller(institution.id, at), (tx) => decideBatch(tx, id, decision, null));
const statusOf = async (id: string) => (await sql<{ status: string }>('SELECT status FROM coupon_batches WHERE id = $1', [id]))[0]?.status;
const messageId = (id: string, nth: number) => `<${id}.reminder${nth}@${institution.loginDomain}>`;

/**
 * Signals a workflow to look, and waits for its end while no time is skipped: the test server knows nothing of a timer that
 * is cancelled as it fires.
 */
async function endedAtOnce(run: WorkflowHandleWithFirstExecutionRunId<typeof couponBatchApproval>) {
  await run.signal(look, {});
  await eventually('the end', async () => (await run.describe()).status.name === 'COMPLETED');
  return run.result();
}

/** A batch requested at a moment, and the workflow that waits for it. */
async function requested(at: Date, fields: Partial<NewBatch> = {}) {
  const id = await seedCouponBatch(api, institution, { expiry_date: after(at, 30 * day), ...fields }, at);
  const run = await fixture.environment.client.workflow.start<typeof couponBatchApproval>('couponBatchApproval', { taskQueue, workflowId: id, args: [{ batchId: id, institutionId: institution.id }] });
  return { id, run };
}

it('reminds after one day and after three, no more, and expires undecided on its date', async () => {
  const begun = await now();
  const { id, run } = await requested(begun);
  expect(await run.result()).toEqual({ outcome: 'expired', codes: 0 });
  expect(emails.map((email) => email.messageId)).toEqual([messageId(id, 1), messageId(id, 2)]);
  expect(fixture.mailServer.accepted.every(({ to }) => to === admins)).toBe(true);
  for (const [nth, days] of [1, 3].entries()) {
    const late = (emails[nth]?.atMs ?? 0) - begun.getTime() - days * day;
    expect([late >= 0, late < hour]).toEqual([true, true]);
  }
  expect(await statusOf(id)).toBe('expired');
  const late = (looks.at(-1) ?? 0) - begun.getTime() - 30 * day;
  expect([late >= 0, late < hour]).toEqual([true, true]);
  // Postgres is looked at once a day.
  expect(looks.length).toBeLessThan(30 + 3);
});

it('approved after two days, it has sent one reminder and makes the codes', async () => {
  const begun = await now();
  const { id, run } = await requested(begun);
  await fixture.environment.sleep(2.25 * day);
  await decide(id, 'approved', after(begun, 2.25 * day));
  expect(await endedAtOnce(run)).toEqual({ outcome: 'approved', codes: 3 });
  expect(emails.map((email) => email.messageId)).toEqual([messageId(id, 1)]);
  expect(await statusOf(id)).toBe('approved');
  expect(await historyText(run)).not.toContain(admins);
  await recordHistory('couponBatchApproval.reminded', run);
});

it('rejected within a day, it has sent no reminder and makes no code', async () => {
  const begun = await now();
  const { id, run } = await requested(begun);
  await fixture.environment.sleep(hour);
  await decide(id, 'rejected', after(begun, hour));
  expect(await endedAtOnce(run)).toEqual({ outcome: 'rejected', codes: 0 });
  expect(emails).toEqual([]);
});

it('a decision without a signal is seen within a day', async () => {
  const begun = await now();
  const { id, run } = await requested(begun);
  await fixture.environment.sleep(12 * hour);
  await decide(id, 'approved', after(begun, 12 * hour));
  expect(await run.result()).toEqual({ outcome: 'approved', codes: 3 });
  expect((looks.at(-1) ?? 0) - begun.getTime()).toBeLessThan(day + hour);
  // Decided before it was due: the email is not sent.
  expect(emails).toEqual([]);
});

it('a workflow that begins late sends the latest of the reminders that are due, alone', async () => {
  const { id, run } = await requested(after(await now(), -4 * day), { expiry_date: after(await now(), 10 * day) });
  expect((await run.result()).outcome).toBe('expired');
  expect(emails.map((email) => email.messageId)).toEqual([messageId(id, 2)]);
});

it('a batch that expires before a reminder is due sends none', async () => {
  const begun = await now();
  const { run } = await requested(begun, { expiry_date: after(begun, 20 * hour) });
  expect((await run.result()).outcome).toBe('expired');
  expect(emails).toEqual([]);
});

it('a reminder that the mail server refuses permanently is not tried again, and the next one comes on its day', async () => {
  const namedBefore = fixture.mailServer.recipientCounts.get(admins) ?? 0;
  fixture.mailServer.replyCode = () => 550;
  const { id, run } = await requested(await now());
  await fixture.environment.sleep(2.25 * day);
  expect((fixture.mailServer.recipientCounts.get(admins) ?? 0) - namedBefore).toBe(1);
  fixture.mailServer.replyCode = () => 250;
  expect((await run.result()).outcome).toBe('expired');
  expect(emails.map((email) => email.messageId)).toEqual([messageId(id, 2)]);
  expect((fixture.mailServer.recipientCounts.get(admins) ?? 0) - namedBefore).toBe(2);
});

it('a mail server that is away for days holds no decision up, and the reminder that is due next comes', async () => {
  const begun = await now();
  await fixture.mailServer.close();
  const { id, run } = await requested(begun);
  const other = await requested(begun);
  await fixture.environment.sleep(2.25 * day);
  await decide(id, 'approved', after(begun, 2.25 * day));
  expect(await endedAtOnce(run)).toEqual({ outcome: 'approved', codes: 3 });
  expect((looks.at(-1) ?? 0) - begun.getTime()).toBeLessThan(2.25 * day + hour);
  await fixture.mailServer.open();
  expect((await other.run.result()).outcome).toBe('expired');
  expect(emails.map((email) => email.messageId).at(-1)).toBe(messageId(other.id, 2));
});
