import { institutionScope } from '../../../db/database';
import { claimRecipients, readNoticeSubject, type ClaimedRecipient, type NoticeSubject } from '../../../db/repositories/exams/noticeEmails';
import type { Domain } from '../../context';
import { emailsPerBatch, emailToSealedMailbox, type ClaimedEmail } from '../../emails/claimedEmail';
import { toMessageId } from '../../emails/messageId';
import type { WorkflowArguments } from '../../outbox/workflows';
import type { SecretBox } from '../../secrets/secretBox';
import { examEmail } from './examEmail';
import type { EmailRecipient } from './noticeEmailParts';
import { resubmissionEmail } from './resubmissionEmail';

type Notice = WorkflowArguments['examNotification'];

/** The next emails of a notice, empty if none is due, or why none may be sent now. */
export type ClaimedNoticeEmails =
  | { state: 'emails'; emails: ClaimedEmail[] }
  /** The exam is closed or deleted, so it is no longer announced. Resubmission requests of a closed exam are still sent. */
  | { state: 'exam_inactive' }
  /** The institution is not approved now. */
  | { state: 'institution_inactive' };

/**
 * Claims the next recipients and builds their emails from the current data. A student who is suspended, has no mailbox or
 * no longer sees the exam gets none, nor does a guardian whose remaining links are all to such students. A resubmission
 * email is skipped once the resubmission is no longer requested or has been submitted.
 */
export async function claimNoticeEmails({ database, secrets }: Pick<Domain, 'database' | 'secrets'>, notice: Notice, now: Date): Promise<ClaimedNoticeEmails> {
  const scope = institutionScope(database, notice.institutionId);
  const subject = await readNoticeSubject(scope, notice);
  if (subject === undefined) return { state: 'exam_inactive' };
  if (subject.institution_status !== 'approved') return { state: 'institution_inactive' };
  const claimed = await claimRecipients(scope, notice, now, emailsPerBatch);
  const emails = claimed.map((recipient) => ({
    recipientId: recipient.recipient_id,
    tries: recipient.tries,
    email: emailTo(recipient, subject, { ...notice, now }, secrets),
  }));
  return { state: 'emails', emails };
}

function emailTo({ recipient_id, kind, mailbox_sealed, mailbox_owner_id, students }: ClaimedRecipient, subject: NoticeSubject, { institutionId, notice, now }: Notice & { now: Date }, secrets: SecretBox): ClaimedEmail['email'] {
  if (mailbox_sealed === null || mailbox_owner_id === null || students === null) return 'nobody';
  return emailToSealedMailbox(secrets, { institutionId, userId: mailbox_owner_id, sealed: mailbox_sealed }, (to) => {
    const addressee: EmailRecipient = { to, kind, students, messageId: toMessageId([subject.id, notice, recipient_id], subject.epoch, subject.login_domain) };
    return subject.resubmission === null ? examEmail(subject, addressee, now) : resubmissionEmail(subject, subject.resubmission.feedback, addressee, now);
  });
}
