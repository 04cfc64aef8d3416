import type { OffboardingNotice } from '../../db/repositories/offboarding/notice';
import { formatDateTimeWithUtc, paragraphsBody, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';

/** Returns the email to the admin of an institution that leaves: what to do first and with which login, what holds now, and when the data is erased. */
export function offboardingEmail({ to, number, erase_after, institution_id, institution_name, login_domain, time_zone, admin_login_email }: OffboardingNotice & { to: string }): EmailMessage {
  const name = toPlainName(institution_name);
  const paragraphs = [
    `Please download the archive with all data of ${name}: sign in to the portal as ${admin_login_email}. It is ready once it has been written, which may take hours.`,
    `The operators of the platform have ended the use of the service by ${name}. From now on its data can be read and exported, but not changed.`,
    `Will be erased: everything of ${name}, with every account, after ${formatDateTimeWithUtc(erase_after, time_zone)}. This cannot be undone.`,
    'If this is a mistake, ask the operators of the platform to cancel it before.',
  ];
  return {
    to,
    subject: `${name} leaves the service: download your data`,
    ...paragraphsBody(paragraphs),
    messageId: `<offboarding.${institution_id}.${number}@${login_domain}>`,
  };
}
