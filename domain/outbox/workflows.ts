/** The workflows that a rule may owe, by type, with what each is told: ids and counters only. */
export interface WorkflowArguments {
  webhookDelivery: { deliveryId: string; institutionId: string; endpointId: string; eventType: string; cycle: number };
  endpointBacklog: { endpointId: string; institutionId: string; run: number };
  endpointDisabledNotice: { endpointId: string; institutionId: string };
  bulkReplay: { replayId: string; institutionId: string; endpointId: string; sinceMs: number; untilMs: number; matched: number };
  /** With the submission that a notice asks for again; an announcement's has none. */
  examNotification: { examId: string; institutionId: string; notice: number; submissionId?: string };
  attemptExpiry: { examId: string; institutionId: string; run: number };
  /** The letters of one institution's week, named by its Monday. */
  weeklyReportLetters: { institutionId: string; week: string };
  guardianInvitation: { linkId: string; institutionId: string; invitation: number };
  developerInvitation: { developerId: string; institutionId: string; invitation: number };
  /** Its workflow id is the batch's own. */
  couponBatchApproval: { batchId: string; institutionId: string };
}

/** The signals that a rule may owe, by name, with what each carries. A request says how many attempts it saw; those of version 0.5.0 do not. */
export interface SignalArguments {
  retryNow: { attempts?: number };
  cancel: Record<string, never>;
  look: Record<string, never>;
  attempt: { deliveryId: string; attempts?: number };
}

/** One row of the ordered outbox: what Temporal is still to be told. */
export interface OutboxEntry {
  kind: 'start' | 'signal';
  name: string;
  workflowId: string;
  argument: object;
}

/**
 * The ids under which a workflow may have been started, the oldest first: its own, and the same in each epoch that began with
 * the restore of a backup. A restored database counts occurrences anew, and Temporal still knows those that it has forgotten.
 */
export function possibleWorkflowIds(workflowId: string, epochs: readonly string[]): string[] {
  return [workflowId, ...epochs.map((epoch) => `${workflowId}@${epoch}`)];
}

/** The id under which a workflow is started now. */
export function currentWorkflowId(workflowId: string, epochs: readonly string[]): string {
  const epoch = epochs.at(-1);
  return epoch === undefined ? workflowId : `${workflowId}@${epoch}`;
}

/** The workflow id of one replay cycle of a delivery: the delivery's own id, then `whd_…:2` and so on. */
export function deliveryWorkflowId(deliveryId: string, cycle: number): string {
  return cycle === 1 ? deliveryId : `${deliveryId}:${cycle}`;
}

/** The workflow id of one run of an endpoint's backlog: `we_…:<run>`. */
export function backlogWorkflowId(endpointId: string, run: number): string {
  return `${endpointId}:${run}`;
}

/** The workflow id of one notice of an exam: `exm_…:<notice>`. */
export function examNoticeWorkflowId(examId: string, notice: number): string {
  return `${examId}:${notice}`;
}

/** The workflow id of the letters of a week: `ins_…:reports:<Monday>`. */
export function reportEmailsWorkflowId(institutionId: string, week: string): string {
  return `${institutionId}:reports:${week}`;
}

/** The workflow id of one run of what waits for an exam's attempts to expire: `exm_…:attempts:<run>`. */
export function attemptExpiryWorkflowId(examId: string, run: number): string {
  return `${examId}:attempts:${run}`;
}

/** The workflow id of one invitation of a guardian link: `gdn_…:<invitation>`. */
export function guardianInvitationWorkflowId(linkId: string, invitation: number): string {
  return `${linkId}:${invitation}`;
}

/** The workflow id of one invitation of a developer: `dev_…:<invitation>`. */
export function developerInvitationWorkflowId(developerId: string, invitation: number): string {
  return `${developerId}:${invitation}`;
}
