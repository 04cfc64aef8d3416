import type { InvitedToRow } from '../../db/repositories/guardianInvitations';
import { momentText, portalLink } from '../invitations/letterParts';
import { escapeHtml, oneLine, type Letter } from '../letter';
import type { SecretBox } from '../secrets/secretBox';
import { invitationToken } from './invitation';

/** The letters of an invitation: the first, and the one that reminds of it. */
export type InvitationLetterKind = 'invitation' | 'reminder';

/** The letter that invites a guardian, or reminds them: to what, by which link, until when (section Guardian link). */
export function invitationLetter(secrets: Pick<SecretBox, 'open' | 'fingerprint'>, to: InvitedToRow, kind: InvitationLetterKind, portalUrl: string): Letter {
  const student = to.student_full_name ?? to.student_email;
  const accepted = to.accepted_at !== null;
  const link = portalLink(portalUrl, accepted ? undefined : invitationToken(secrets, { linkId: to.id, invitation: to.invitation }));
  const greeting = oneLine(to.guardian_name === null ? 'Hello,' : `Hello ${to.guardian_name},`);
  const opening = oneLine(openings[kind](to.institution_name, student));
  const way = accepted
    ? 'You have accepted the invitation. What is left is to sign in once, with this address and the code that you get by mail:'
    : 'Accept the invitation here, then sign in with this address and the code that you get by mail:';
  const closing = `It can be done until ${momentText(to.expires_at, to.time_zone)}. If you are not whom this is for, you need not do anything.`;
  return {
    to: secrets.open(to.guardian_email_sealed),
    subject: oneLine(subjects[kind](to.institution_name, student)),
    text: [greeting, opening, way, `    ${link}`, closing].join('\n\n'),
    html: [greeting, opening, way]
      .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
      .concat(`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`, `<p>${escapeHtml(closing)}</p>`)
      .join('\n'),
    messageId: `<${to.id}.${to.invitation}.${kind}@${to.login_domain}>`,
  };
}

const subjects: Record<InvitationLetterKind, (institution: string, student: string) => string> = {
  invitation: (institution, student) => `Invitation to follow ${student} at ${institution}`,
  reminder: (institution, student) => `Reminder: follow ${student} at ${institution}`,
};

const openings: Record<InvitationLetterKind, (institution: string, student: string) => string> = {
  invitation: (institution, student) =>
    `${institution} invites you to follow ${student} as a guardian: their exams, grades and submissions, and reports of their week.`,
  reminder: (institution, student) => `${institution} has invited you to follow ${student} as a guardian, and you have not signed in yet.`,
};
