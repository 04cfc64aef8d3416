import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { InvitationActivities } from '../activities/guardians/invite';
import type { InvitationLetterKind } from '../domain/guardians/invitationEmail';
import type { InvitationEnding } from '../domain/guardians/invitationState';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { carryInvitation, looking, sendingWithin, timeText, type InvitationResult, type LettersDone } from './invitation';

type InvitationRun = WorkflowArguments['guardianInvitation'];

/** A guardian who has not signed in so long after the first letter is reminded. */
const remindedAfterMs = 3 * 24 * 3_600_000;

const { lookAtInvitation } = proxyActivities<InvitationActivities>(looking);
const sendWithin = (ms: number) => proxyActivities<InvitationActivities>(sendingWithin(ms)).sendInvitation;

const endings: Record<InvitationEnding, string> = {
  verified: 'The guardian has signed in.',
  expired: 'It has expired; it can be sent again.',
  replaced: 'A newer invitation has taken its place.',
  deleted: 'The link was deleted.',
};

/**
 * Sends the invitation of a guardian, reminds them after three days, and ends when they have signed in, when the invitation
 * has expired or a newer one has taken its place, or when the link is deleted. While institution or student are suspended,
 * its letters wait.
 */
export async function guardianInvitation(run: InvitationRun, before: LettersDone<InvitationLetterKind> = {}): Promise<InvitationResult<InvitationEnding>> {
  const done = { ...before };
  const result = await carryInvitation(
    {
      subject: `Invitation ${run.invitation} of \`${run.linkId}\``,
      look: () => lookAtInvitation(run, Date.now()),
      send: (kind, withinMs) => sendWithin(withinMs)(run, kind, Date.now()),
      letters: [
        { kind: 'invitation', afterMs: 0 },
        { kind: 'reminder', afterMs: remindedAfterMs },
      ],
      endings,
      waits: { open: 'the guardian to sign in', paused: 'institution and student to be active again' },
      paused: 'the institution or the student is suspended',
      sent: ({ invitation = 0, reminder = invitation + remindedAfterMs }) =>
        `is with the guardian: letter at ${timeText(invitation)}, reminder at ${timeText(reminder)}`,
    },
    done,
  );
  return result ?? continueAsNew<typeof guardianInvitation>(run, done);
}
