import type { UserStatus } from '../../db/entities/user';

/** The states a student may go to from each state (section States, Student). */
export const studentTransitions: Record<UserStatus, readonly UserStatus[]> = {
  pending: ['active', 'suspended'],
  active: ['suspended'],
  suspended: ['active', 'pending'],
};

/** Whether the state table has this step; staying where one is is no step. */
export function mayTurn(from: UserStatus, to: UserStatus): boolean {
  return studentTransitions[from].includes(to);
}

/** Where reactivation leads: `active` for who ever signed in, `pending` otherwise. */
export function afterReactivation(firstSignedInAt: Date | null): UserStatus {
  return firstSignedInAt === null ? 'pending' : 'active';
}
