import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';

/** What an email is sent for. */
export const emailKinds = [
  'sign_in_code', 'guardian_invitation', 'guardian_reminder', 'developer_invitation', 'exam_announcement', 'resubmission_request', 'weekly_report',
  'coupon_reminder', 'offboarding', 'endpoint_disabled', 'endpoint_failing', 'endpoint_recovered',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** Whom an email is sent to: a person, a link whose guardian is invited, or the platform's admins. */
export const emailRecipientKinds = ['student', 'faculty', 'guardian', 'guardian_link', 'developer', 'platform'] as const;
export type EmailRecipientKind = (typeof emailRecipientKinds)[number];

/** An email that a sandbox kept instead of sending it. */
export interface SandboxEmailRow {
  id: string;
  kind: EmailKind;
  recipient_kind: EmailRecipientKind;
  recipient_id: string;
  /** Subject, text and links. */
  email_sealed: string;
  created_at: Date;
}

/** The number of emails that a sandbox keeps: the newest ones. */
const keptEmails = 1_000;

const insert = statement(
  'sandbox_email_insert',
  `INSERT INTO sandbox_emails (id, institution_id, message_id, kind, recipient_kind, recipient_id, email_sealed, created_at)
   VALUES ($2, $1, $3, $4, $5, $6, $7, $8) ON CONFLICT (institution_id, message_id) DO NOTHING`,
);
const trim = statement(
  'sandbox_email_trim',
  `DELETE FROM sandbox_emails WHERE institution_id = $1 AND id IN (
     SELECT id FROM sandbox_emails WHERE institution_id = $1 ORDER BY created_at DESC, id DESC OFFSET ${keptEmails})`,
);

/** Writes an email of a sandbox once per message id, and deletes those beyond the newest 1,000. */
export async function insertSandboxEmail(sql: Sql, institutionId: string, row: SandboxEmailRow & { message_id: string }): Promise<void> {
  await sql(insert, [institutionId, row.id, row.message_id, row.kind, row.recipient_kind, row.recipient_id, row.email_sealed, row.created_at]);
  await sql(trim, [institutionId]);
}

/** One page of the emails that a sandbox kept, newest first. */
export function listSandboxEmails(scope: InstitutionScope, page: Page): Promise<PageOf<SandboxEmailRow>> {
  const conditions = [{ sql: 'm.institution_id = $', value: scope.institutionId }];
  const columns = 'm.id, m.kind, m.recipient_kind, m.recipient_id, m.email_sealed, m.created_at';
  return readPage(scope.sql, { columns, from: 'sandbox_emails m', key: 'm.id', conditions, order: newestFirst('m.created_at', 'm.id') }, page);
}

// By the clock of the sandbox, which may be ahead.
const deleteOld =
  `DELETE FROM sandbox_emails WHERE id IN (
     SELECT m.id FROM institutions i JOIN sandbox_emails m ON m.institution_id = i.id
      WHERE i.sandbox_of IS NOT NULL AND m.created_at < $1::timestamptz + i.clock_offset_ms * interval '1 millisecond' LIMIT $2)
   RETURNING id`;

/** Deletes emails of any sandbox that were kept before this moment; returns how many. */
export async function deleteSandboxEmailsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteOld, [before, limit])).length;
}
