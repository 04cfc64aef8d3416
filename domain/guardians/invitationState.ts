import type { InvitedGuardianRow } from '../../db/repositories/guardians/invitations';
import type { GuardianInvitation } from './invitation';

/** What ends an invitation. */
export type FinalGuardianInvitationState = 'verified' | 'expired' | 'replaced' | 'deleted';

/** How it stands with an invitation; while it is `paused` (institution or student suspended) no letters of it go out. */
export type GuardianInvitationState = 'open' | 'paused' | FinalGuardianInvitationState;

/** The state of one invitation of a link, read as of a moment. */
export function invitationState(to: InvitedGuardianRow | undefined, { invitation }: Pick<GuardianInvitation, 'invitation'>, now: Date): GuardianInvitationState {
  if (to === undefined) return 'deleted';
  if (to.invitation !== invitation) return 'replaced';
  if (to.verified_at !== null) return 'verified';
  if (to.expires_at <= now) return 'expired';
  return to.institution_status === 'approved' && to.student_status !== 'suspended' ? 'open' : 'paused';
}
