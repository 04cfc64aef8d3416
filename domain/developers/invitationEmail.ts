import type { InvitedDeveloperRow } from '../../db/repositories/developers/invitations';
import { emailBody } from '../invitations/emailBody';
import { portalLink } from '../invitations/portalLink';
import { formatDateTime, toSingleLine, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import { toMessageId } from '../emails/messageId';
import { openEmail } from '../people/personalEmail';
import type { SecretBox } from '../secrets/secretBox';
import { invitationToken } from './invitation';

/** Returns the email that invites a developer: how to accept, until when, with which address to sign in, and to what (section Authentication, 4). */
export function invitationEmail(secrets: Pick<SecretBox, 'open' | 'fingerprint'>, invited: InvitedDeveloperRow, portalUrl: string): EmailMessage {
  const link = portalLink(portalUrl, invitationToken(secrets, { developerId: invited.id, invitation: invited.invitation }));
  const to = openEmail(secrets, { institutionId: invited.institution_id, userId: invited.id }, invited.email_sealed);
  const institution = toPlainName(invited.institution_name);
  const until = formatDateTime(invited.expires_at, invited.time_zone);
  const opening = [
    invited.full_name === null ? 'Hello,' : `Hello ${toPlainName(invited.full_name)},`,
    `Please accept the invitation of ${institution} by ${until}: open the link below, then sign in as ${to} with the code that you get by email.`,
  ];
  const closing = [
    `${institution} invites you as a developer: you manage its API keys, webhook endpoints and deliveries.`,
    'If this is not meant for you, ignore this email.',
  ];
  return {
    to,
    subject: toSingleLine(`Invitation to develop for ${institution}`),
    ...emailBody(opening, link, closing),
    messageId: toMessageId([invited.id, invited.invitation, 'invitation'], invited.epoch, invited.login_domain),
  };
}
