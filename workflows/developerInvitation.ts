import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { DeveloperInvitationActivities } from '../activities/developers/invite';
import type { FinalDeveloperInvitationState } from '../domain/developers/invitationState';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { runInvitation, readStatusOptions, sendEmailOptions, formatTime, type InvitationResult, type EmailTimes } from './invitation';

type InvitationRun = WorkflowArguments['developerInvitation'];

const { lookAtDeveloperInvitation } = proxyActivities<DeveloperInvitationActivities>(readStatusOptions);
const sendWithTimeout = (ms: number) => proxyActivities<DeveloperInvitationActivities>(sendEmailOptions(ms)).sendDeveloperInvitation;

const endingTexts: Record<FinalDeveloperInvitationState, string> = {
  accepted: 'The developer has accepted it.',
  expired: 'It has expired; it can be sent again.',
  replaced: 'A newer invitation has replaced it.',
  revoked: 'The developer was revoked.',
};

/**
 * Sends the invitation of a developer, and ends when they have accepted it, when it has expired or was replaced by a newer
 * one, or when they are revoked. While the institution is suspended, its email waits.
 */
export async function developerInvitation(run: InvitationRun, before: EmailTimes<'invitation'> = {}): Promise<InvitationResult<FinalDeveloperInvitationState>> {
  const done = { ...before };
  const result = await runInvitation(
    {
      subject: `Invitation ${run.invitation} of \`${run.developerId}\``,
      readStatus: () => lookAtDeveloperInvitation(run, Date.now()),
      send: (_kind, withinMs) => sendWithTimeout(withinMs)(run, Date.now()),
      emails: [{ kind: 'invitation', afterMs: 0 }],
      endingTexts,
      waitReasons: { open: 'the developer to accept', paused: 'the institution to be approved again' },
      pausedText: 'the institution is suspended',
      sentText: ({ invitation = 0 }) => `is with the developer: email at ${formatTime(invitation)}`,
    },
    done,
  );
  return result ?? continueAsNew<typeof developerInvitation>(run, done);
}
