import type { InvitedDeveloperRow } from '../../db/repositories/developerInvitations';
import { momentText, portalLink } from '../invitations/letterParts';
import { escapeHtml, oneLine, type Letter } from '../letter';
import type { SecretBox } from '../secrets/secretBox';
import { invitationToken } from './invitation';

/** The letter that invites a developer: to what, by which link, until when (section Authentication, 4). */
export function invitationLetter(secrets: Pick<SecretBox, 'open' | 'fingerprint'>, to: InvitedDeveloperRow, portalUrl: string): Letter {
  const link = portalLink(portalUrl, invitationToken(secrets, { developerId: to.id, invitation: to.invitation }));
  const paragraphs = [
    oneLine(to.full_name === null ? 'Hello,' : `Hello ${to.full_name},`),
    oneLine(`${to.institution_name} invites you as a developer: you manage its API keys, webhook endpoints and deliveries.`),
    'Accept the invitation here, then sign in with this address and the code that you get by mail:',
  ];
  const closing = `It can be done until ${momentText(to.expires_at, to.time_zone)}. If you are not whom this is for, you need not do anything.`;
  return {
    to: secrets.open(to.email_sealed),
    subject: oneLine(`Invitation to develop for ${to.institution_name}`),
    text: [...paragraphs, `    ${link}`, closing].join('\n\n'),
    html: paragraphs
      .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
      .concat(`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`, `<p>${escapeHtml(closing)}</p>`)
      .join('\n'),
    messageId: `<${to.id}.${to.invitation}.invitation@${to.login_domain}>`,
  };
}
