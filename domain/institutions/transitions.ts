import type { InstitutionStatus } from '../../db/entities/institution';

/** The statuses that an institution can change to from each status; a pending one cannot be suspended. */
export const institutionTransitions: Record<InstitutionStatus, readonly InstitutionStatus[]> = {
  pending: ['approved'],
  approved: ['suspended'],
  suspended: ['approved'],
};
