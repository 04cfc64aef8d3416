import type { InvitedDeveloperRow } from '../../db/repositories/developers/invitations';
import { developerStatusAt } from './developerStatus';
import type { DeveloperInvitation } from './invitation';

/** What ends an invitation. */
export type FinalDeveloperInvitationState = 'accepted' | 'expired' | 'replaced' | 'revoked';

/** The state of an invitation; while it is `paused` (institution suspended) no email is sent. */
export type DeveloperInvitationState = 'open' | 'paused' | FinalDeveloperInvitationState;

/** Returns the state of one invitation of a developer at `now`. */
export function invitationState(to: InvitedDeveloperRow | undefined, { invitation }: Pick<DeveloperInvitation, 'invitation'>, now: Date): DeveloperInvitationState {
  if (to === undefined) return 'revoked';
  if (to.invitation !== invitation) return 'replaced';
  const status = developerStatusAt(to, now);
  if (status === 'revoked' || status === 'expired') return status;
  if (status !== 'invited') return 'accepted';
  return to.institution_status === 'approved' ? 'open' : 'paused';
}
