import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { InvitationActivities } from '../activities/guardians/invite';
import type { InvitationEmailKind } from '../domain/guardians/invitationEmail';
import type { FinalGuardianInvitationState } from '../domain/guardians/invitationState';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { runInvitation, readStatusOptions, sendEmailOptions, formatTime, type InvitationResult, type EmailTimes } from './invitation';

type InvitationRun = WorkflowArguments['guardianInvitation'];

/** Time after the first email at which a guardian who has not signed in is reminded. */
const reminderAfterMs = 3 * 24 * 3_600_000;

const { lookAtInvitation } = proxyActivities<InvitationActivities>(readStatusOptions);
const sendWithTimeout = (ms: number) => proxyActivities<InvitationActivities>(sendEmailOptions(ms)).sendInvitation;

const endingTexts: Record<FinalGuardianInvitationState, string> = {
  verified: 'The guardian has signed in.',
  expired: 'It has expired; it can be sent again.',
  replaced: 'A newer invitation has replaced it.',
  deleted: 'The link was deleted.',
};

/**
 * Sends the invitation of a guardian, reminds them after three days, and ends when they have signed in, when the invitation
 * has expired or was replaced by a newer one, or when the link is deleted. While institution or student are suspended, its
 * emails wait.
 */
export async function guardianInvitation(run: InvitationRun, before: EmailTimes<InvitationEmailKind> = {}): Promise<InvitationResult<FinalGuardianInvitationState>> {
  const done = { ...before };
  const result = await runInvitation(
    {
      subject: `Invitation ${run.invitation} of \`${run.linkId}\``,
      readStatus: () => lookAtInvitation(run, Date.now()),
      send: (kind, withinMs) => sendWithTimeout(withinMs)(run, kind, Date.now()),
      emails: [
        { kind: 'invitation', afterMs: 0 },
        { kind: 'reminder', afterMs: reminderAfterMs },
      ],
      endingTexts,
      waitReasons: { open: 'the guardian to sign in', paused: 'institution and student to be active again' },
      pausedText: 'the institution or the student is suspended',
      sentText: ({ invitation = 0, reminder = invitation + reminderAfterMs }) =>
        `is with the guardian: email at ${formatTime(invitation)}, reminder at ${formatTime(reminder)}`,
    },
    done,
  );
  return result ?? continueAsNew<typeof guardianInvitation>(run, done);
}
