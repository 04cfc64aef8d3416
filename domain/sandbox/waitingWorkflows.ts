import type { WaitingKind } from '../../db/repositories/sandbox/clock';
import {
  attemptExpiryWorkflowId,
  backlogWorkflowId,
  deliveryWorkflowId,
  developerInvitationWorkflowId,
  guardianInvitationWorkflowId,
} from '../outbox/workflows';

/** Returns the id of the workflow that waits for something about a row, by the row's kind, its id and the number of the occurrence. */
export const waitingWorkflowIds: Record<WaitingKind, (id: string, nth: number) => string> = {
  attempts: attemptExpiryWorkflowId,
  guardianInvitations: guardianInvitationWorkflowId,
  developerInvitations: developerInvitationWorkflowId,
  couponBatches: (id) => id,
  deliveries: deliveryWorkflowId,
  backlogs: backlogWorkflowId,
};
