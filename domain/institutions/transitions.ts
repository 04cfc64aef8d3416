import type { InstitutionStatus } from '../../db/entities/institution';

/** The states an institution may go to from each state; one never approved has nothing to suspend. */
export const institutionTransitions: Record<InstitutionStatus, readonly InstitutionStatus[]> = {
  pending: ['approved'],
  approved: ['suspended'],
  suspended: ['approved'],
};
