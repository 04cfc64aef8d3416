import type { InvitedGuardianRow } from '../../db/repositories/guardians/invitations';
import type { GuardianInvitation } from './invitation';

/** What ends an invitation. */
export type FinalGuardianInvitationState = 'verified' | 'expired' | 'replaced' | 'deleted';

/** The state of an invitation; while it is `paused` (institution or student suspended) no email is sent. */
export type GuardianInvitationState = 'open' | 'paused' | FinalGuardianInvitationState;

/** Returns the state of one invitation of a link at `now`. */
export function invitationState(to: InvitedGuardianRow | undefined, { invitation }: Pick<GuardianInvitation, 'invitation'>, now: Date): GuardianInvitationState {
  if (to === undefined) return 'deleted';
  if (to.invitation !== invitation) return 'replaced';
  if (to.verified_at !== null) return 'verified';
  if (to.expires_at <= now) return 'expired';
  return to.institution_status === 'approved' && to.student_status !== 'suspended' ? 'open' : 'paused';
}
