import type { UserStatus } from '../../db/entities/user';

/** The statuses that a student can change to from each status (section States, Student). */
export const studentTransitions: Record<UserStatus, readonly UserStatus[]> = {
  pending: ['active', 'suspended'],
  active: ['suspended'],
  suspended: ['active', 'pending'],
};

/** Returns the status after reactivation: `active` if the student ever signed in, `pending` otherwise. */
function afterReactivation(firstSignedInAt: Date | null): UserStatus {
  return firstSignedInAt === null ? 'pending' : 'active';
}

/** The statuses that an integrator can set. */
export const wantedStatuses = ['active', 'suspended'] as const;
export type WantedStatus = (typeof wantedStatuses)[number];

/** Returns the status that a request leads to: `active` reactivates a suspended student and leaves others unchanged. */
export function resolveStatus(wanted: WantedStatus, { status, first_signed_in_at }: { status: UserStatus; first_signed_in_at: Date | null }): UserStatus {
  if (wanted === 'suspended') return 'suspended';
  return status === 'suspended' ? afterReactivation(first_signed_in_at) : status;
}
