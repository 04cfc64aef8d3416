import type { WaitingBatch } from '../../db/repositories/coupons/batches';
import { paragraphsBody, toSingleLine, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';

const formatNumber = (count: number): string => count.toLocaleString('en-US');

/**
 * Returns the email that reminds the platform's admins of an undecided batch: deadline, institution and how to decide.
 * They decide with the platform's token, so it names no login email. `nth` numbers the reminders.
 */
export function reminderEmail(batch: WaitingBatch, nth: number, to: string): EmailMessage {
  const { id, institution_id, institution_name, login_domain, name, total_coupons, value_cents, created_at, expiry_date } = batch;
  const institution = toSingleLine(toPlainName(institution_name));
  const decide = `/platform/v1/institutions/${institution_id}/coupon-batches/${id}`;
  const paragraphs = [
    `Please approve or reject the coupons that ${institution} (${institution_id}) has requested. The request expires at ${expiry_date.toISOString()}.`,
    `Batch: ${id}, ${toSingleLine(toPlainName(name))}`,
    `Coupons: ${formatNumber(total_coupons)} of ${formatNumber(value_cents)} cents each, ${formatNumber(total_coupons * value_cents)} cents in all`,
    `Requested: ${created_at.toISOString()}`,
    `To approve, with the platform's token: POST ${decide}/approve`,
    `To reject, with the platform's token: POST ${decide}/reject`,
  ];
  return {
    to,
    subject: `Coupons of ${institution} are waiting for a decision`,
    ...paragraphsBody(paragraphs),
    messageId: `<${id}.reminder${nth}@${login_domain}>`,
  };
}
