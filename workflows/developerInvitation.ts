import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { DeveloperInvitationActivities } from '../activities/developers/invite';
import type { DeveloperInvitationEnding } from '../domain/developers/invitationState';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { carryInvitation, looking, sendingWithin, timeText, type InvitationResult, type LettersDone } from './invitation';

type InvitationRun = WorkflowArguments['developerInvitation'];

const { lookAtDeveloperInvitation } = proxyActivities<DeveloperInvitationActivities>(looking);
const sendWithin = (ms: number) => proxyActivities<DeveloperInvitationActivities>(sendingWithin(ms)).sendDeveloperInvitation;

const endings: Record<DeveloperInvitationEnding, string> = {
  accepted: 'The developer has accepted it.',
  expired: 'It has expired; it can be sent again.',
  replaced: 'A newer invitation has taken its place.',
  revoked: 'The developer was revoked.',
};

/**
 * Sends the invitation of a developer, and ends when they have accepted it, when it has expired, when a newer one has taken
 * its place, or when they are revoked. While the institution is suspended, its letter waits.
 */
export async function developerInvitation(run: InvitationRun, before: LettersDone<'invitation'> = {}): Promise<InvitationResult<DeveloperInvitationEnding>> {
  const done = { ...before };
  const result = await carryInvitation(
    {
      subject: `Invitation ${run.invitation} of \`${run.developerId}\``,
      look: () => lookAtDeveloperInvitation(run, Date.now()),
      send: (_kind, withinMs) => sendWithin(withinMs)(run, Date.now()),
      letters: [{ kind: 'invitation', afterMs: 0 }],
      endings,
      waits: { open: 'the developer to accept', paused: 'the institution to be approved again' },
      paused: 'the institution is suspended',
      sent: ({ invitation = 0 }) => `is with the developer: letter at ${timeText(invitation)}`,
    },
    done,
  );
  return result ?? continueAsNew<typeof developerInvitation>(run, done);
}
