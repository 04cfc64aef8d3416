import { reminderEmail } from '../../../domain/coupons/reminderEmail';
import type { WaitingBatch } from '../../../db/repositories/coupons/batches';
import { mailFixture, linesOf } from '../../support/mailFixture';

const { sendAndReceive } = mailFixture();

const batch: WaitingBatch = {
  id: 'cpb_1', name: 'Science\u2028 <fair>', total_coupons: 10_000, value_cents: 500, expiry_date: new Date('2027-01-01T00:00:00Z'), status: 'pending',
  decision: null, decided_at: null, reason: null, codes_made: 0, redeemed_count: 0, created_at: new Date('2026-11-20T09:30:00Z'),
  updated_at: new Date('2026-11-20T09:30:00Z'), institution_id: 'ins_1', institution_name: 'Smith & =?Jones\r\nBcc: x@y.example', login_domain: 'north.example',
};

it('says whose batch waits, for how much, and how to decide; names of customers stay text on one line', async () => {
  const mail = await sendAndReceive(reminderEmail(batch, 2, 'platform@institution.example'));
  expect(mail.to?.map(({ address }) => address)).toEqual(['platform@institution.example']);
  expect([mail.bcc, mail.cc]).toEqual([undefined, undefined]);
  expect(mail.subject).toBe('Coupons of Smith & = ?Jones Bcc: x at y example are waiting for a decision');
  expect(mail.messageId).toBe('<cpb_1.reminder2@north.example>');
  expect(linesOf(mail).filter((line) => line !== '')).toEqual([
    'Please approve or reject the coupons that Smith & = ?Jones Bcc: x at y example (ins_1) has requested. The request expires at 2027-01-01T00:00:00.000Z.',
    'Batch: cpb_1, Science  <fair>',
    'Coupons: 10,000 of 500 cents each, 5,000,000 cents in all',
    'Requested: 2026-11-20T09:30:00.000Z',
    'To approve, with the platform\'s token: POST /platform/v1/institutions/ins_1/coupon-batches/cpb_1/approve',
    'To reject, with the platform\'s token: POST /platform/v1/institutions/ins_1/coupon-batches/cpb_1/reject',
  ]);
  expect(mail.html).toContain('Science  &lt;fair&gt;');
});
