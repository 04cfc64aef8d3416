import type { UserStatus } from '../../db/entities/user';

/** The states a student may go to from each state (section States, Student). */
export const studentTransitions: Record<UserStatus, readonly UserStatus[]> = {
  pending: ['active', 'suspended'],
  active: ['suspended'],
  suspended: ['active', 'pending'],
};

/** Whether the state table has this step; staying where one is is no step. */
export function canTransition(from: UserStatus, to: UserStatus): boolean {
  return studentTransitions[from].includes(to);
}

/** Where reactivation leads: `active` for who ever signed in, `pending` otherwise. */
function afterReactivation(firstSignedInAt: Date | null): UserStatus {
  return firstSignedInAt === null ? 'pending' : 'active';
}

/** What an integrator may ask a student's status to become. */
export const wantedStatuses = ['active', 'suspended'] as const;
export type WantedStatus = (typeof wantedStatuses)[number];

/** Where a wanted status leads a student: `active` reactivates a suspended one and leaves anyone else as they are. */
export function resolveStatus(wanted: WantedStatus, { status, first_signed_in_at }: { status: UserStatus; first_signed_in_at: Date | null }): UserStatus {
  if (wanted === 'suspended') return 'suspended';
  return status === 'suspended' ? afterReactivation(first_signed_in_at) : status;
}
