import type { InvitedGuardianRow } from '../../db/repositories/guardians/invitations';
import { emailBody } from '../invitations/emailBody';
import { portalLink } from '../invitations/portalLink';
import { formatDateTime, toSingleLine, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import { toMessageId } from '../emails/messageId';
import { openEmail } from '../people/personalEmail';
import type { SecretBox } from '../secrets/secretBox';
import { invitationToken } from './invitation';

/** The emails of an invitation: the first, and its reminder. */
export type InvitationEmailKind = 'invitation' | 'reminder';

/** Returns the email that invites or reminds a guardian: what to do, until when, with which address to sign in, and to what (section Guardian link). */
export function invitationEmail(secrets: Pick<SecretBox, 'open' | 'fingerprint'>, invited: InvitedGuardianRow, kind: InvitationEmailKind, portalUrl: string): EmailMessage {
  const student = invited.student_full_name === null ? invited.student_email : toPlainName(invited.student_full_name);
  const institution = toPlainName(invited.institution_name);
  const accepted = invited.accepted_at !== null;
  const link = portalLink(portalUrl, accepted ? undefined : invitationToken(secrets, { linkId: invited.id, invitation: invited.invitation }));
  const to = openEmail(secrets, { institutionId: invited.institution_id, userId: invited.person_id }, invited.guardian_email_sealed);
  const until = formatDateTime(invited.expires_at, invited.time_zone);
  const opening = [
    invited.guardian_name === null ? 'Hello,' : `Hello ${toPlainName(invited.guardian_name)},`,
    accepted
      ? `Please sign in once by ${until}: open the link below and sign in as ${to} with the code that you get by email. You have already accepted the invitation.`
      : `Please accept the invitation of ${institution} by ${until}: open the link below, then sign in as ${to} with the code that you get by email.`,
  ];
  const closing = [purposes[kind](institution, student), 'If this is not meant for you, ignore this email.'];
  return {
    to,
    subject: toSingleLine(subjects[kind](institution, student)),
    ...emailBody(opening, link, closing),
    messageId: toMessageId([invited.id, invited.invitation, kind], invited.epoch, invited.login_domain),
  };
}

const subjects: Record<InvitationEmailKind, (institution: string, student: string) => string> = {
  invitation: (institution, student) => `Invitation to follow ${student} at ${institution}`,
  reminder: (institution, student) => `Reminder: follow ${student} at ${institution}`,
};

const purposes: Record<InvitationEmailKind, (institution: string, student: string) => string> = {
  invitation: (institution, student) =>
    `${institution} invites you to follow ${student} as a guardian: you see their exams, grades and submissions, and get a report of each week.`,
  reminder: (institution, student) => `${institution} has invited you to follow ${student} as a guardian, and you have not signed in yet.`,
};
