import type { InvitedToRow } from '../../db/repositories/guardians/invitations';
import type { Invitation } from './invitation';

/** What ends an invitation. */
export type InvitationEnding = 'verified' | 'expired' | 'replaced' | 'deleted';

/** How it stands with an invitation; while it is `paused` (institution or student suspended) no letters of it go out. */
export type InvitationState = 'open' | 'paused' | InvitationEnding;

/** The state of one invitation of a link, read as of a moment. */
export function invitationState(to: InvitedToRow | undefined, { invitation }: Pick<Invitation, 'invitation'>, now: Date): InvitationState {
  if (to === undefined) return 'deleted';
  if (to.invitation !== invitation) return 'replaced';
  if (to.verified_at !== null) return 'verified';
  if (to.expires_at <= now) return 'expired';
  return to.institution_status === 'approved' && to.student_status !== 'suspended' ? 'open' : 'paused';
}
