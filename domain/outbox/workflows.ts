/** The workflows that rules start, by type, with their arguments: ids and counters only. */
export interface WorkflowArguments {
  webhookDelivery: { deliveryId: string; institutionId: string; endpointId: string; eventType: string; cycle: number };
  endpointBacklog: { endpointId: string; institutionId: string; run: number };
  endpointDisabledNotice: { endpointId: string; institutionId: string };
  /** `atMs` is when the failing endpoint will be disabled, or when it recovered; `percent` is the last threshold warned of. */
  endpointHealthNotice: { kind: 'failing' | 'recovered'; endpointId: string; institutionId: string; percent: number; failingSinceMs: number; atMs: number };
  bulkReplay: {
    replayId: string; institutionId: string; endpointId: string; sinceMs: number; untilMs: number; matched: number;
    /** Exact types; absent for all. */
    eventTypes?: readonly string[];
    /** Status codes, or classes such as `5xx`; absent for all. */
    responseCodes?: readonly string[];
  };
  /** The events after `sinceMs` and up to `untilMs`; with types or prefixes if it is narrowed to them. */
  endpointRecovery: { recoveryId: string; institutionId: string; endpointId: string; sinceMs: number; untilMs: number; matched: number; eventTypes?: readonly string[] };
  /** With the submission of a resubmission notice; absent for an announcement. */
  examNotification: { examId: string; institutionId: string; notice: number; submissionId?: string };
  attemptExpiry: { examId: string; institutionId: string; run: number };
  /** The emails of one institution's week, named by its Monday. */
  weeklyReportLetters: { institutionId: string; week: string };
  guardianInvitation: { linkId: string; institutionId: string; invitation: number };
  developerInvitation: { developerId: string; institutionId: string; invitation: number };
  /** Its workflow id is the batch's own. */
  couponBatchApproval: { batchId: string; institutionId: string };
  /** The skipped time of a sandbox's clock, by that clock, and how far the clock was ahead then, which the first ones do not say. */
  sandboxClockAdvance: { institutionId: string; fromMs: number; toMs: number; offsetMs?: number };
  sandboxReset: { institutionId: string; reset: number };
  personErasure: { personId: string; institutionId: string; number: number };
  institutionOffboarding: { institutionId: string; number: number };
  personExport: { exportId: string; institutionId: string };
}

/** The signals that rules send, by name, with their arguments. A request contains the number of attempts it is based on; those of version 0.5.0 do not. */
export interface SignalArguments {
  retryNow: { attempts?: number };
  cancel: Record<string, never>;
  look: Record<string, never>;
  attempt: { deliveryId: string; attempts?: number };
}

/** One row of the ordered outbox: a start or signal to be sent to Temporal. */
export interface OutboxEntry {
  kind: 'start' | 'signal';
  name: string;
  workflowId: string;
  argument: object;
}

/**
 * Returns the ids under which a workflow may have been started, the oldest first: its own, and the same in each epoch that
 * began with the restore of a backup. A restored database counts from an earlier number, while Temporal still has the later workflows.
 */
export function possibleWorkflowIds(workflowId: string, epochs: readonly string[]): string[] {
  return [workflowId, ...epochs.map((epoch) => `${workflowId}@${epoch}`)];
}

/** Returns the id under which a workflow is started now. */
export function currentWorkflowId(workflowId: string, epochs: readonly string[]): string {
  const epoch = epochs.at(-1);
  return epoch === undefined ? workflowId : `${workflowId}@${epoch}`;
}

/** Returns the workflow id of one replay cycle of a delivery: the delivery's own id, then `whd_…:2` and so on. */
export function deliveryWorkflowId(deliveryId: string, cycle: number): string {
  return cycle === 1 ? deliveryId : `${deliveryId}:${cycle}`;
}

/** Returns the workflow id of one run of an endpoint's backlog: `we_…:<run>`. */
export function backlogWorkflowId(endpointId: string, run: number): string {
  return `${endpointId}:${run}`;
}

/** Returns the workflow id of one notice of an endpoint's health: `we_…:failing:<since>:<percent>` or `we_…:recovered:<at>`. */
export function endpointNoticeWorkflowId({ kind, endpointId, percent, failingSinceMs, atMs }: WorkflowArguments['endpointHealthNotice']): string {
  return `${endpointId}:${kind}:${kind === 'failing' ? `${failingSinceMs}:${percent}` : atMs}`;
}

/** Returns the workflow id of one notice of an exam: `exm_…:<notice>`. */
export function examNoticeWorkflowId(examId: string, notice: number): string {
  return `${examId}:${notice}`;
}

/**
 * Returns the workflow id of the emails of a week: `ins_…:reports:<Monday>`. A sandbox that was reset may come to the same week
 * again: then the number of its resets follows.
 */
export function reportEmailsWorkflowId(institutionId: string, week: string, resets: number): string {
  return `${institutionId}:reports:${week}${resets === 0 ? '' : `:${resets}`}`;
}

/** Returns the workflow id of one reset of a sandbox: `ins_…:reset:<reset>`. */
export function sandboxResetWorkflowId(institutionId: string, reset: number): string {
  return `${institutionId}:reset:${reset}`;
}

/** Returns the workflow id of one erasure of a person: `erase_<person>:<number>`. */
export function erasureWorkflowId(personId: string, number: number): string {
  return `erase_${personId}:${number}`;
}

/** Returns the workflow id of one export of a person's data: `export_<person>:<number>`. */
export function exportWorkflowId(personId: string, number: number): string {
  return `export_${personId}:${number}`;
}

/** Returns the workflow id of one offboarding of an institution: `offboard_<institution>:<number>`. */
export function offboardingWorkflowId(institutionId: string, number: number): string {
  return `offboard_${institutionId}:${number}`;
}

/** Returns the workflow id of one run that expires an exam's attempts: `exm_…:attempts:<run>`. */
export function attemptExpiryWorkflowId(examId: string, run: number): string {
  return `${examId}:attempts:${run}`;
}

/** Returns the workflow id of one invitation of a guardian link: `gdn_…:<invitation>`. */
export function guardianInvitationWorkflowId(linkId: string, invitation: number): string {
  return `${linkId}:${invitation}`;
}

/** Returns the workflow id of one advance of a sandbox's clock, which leaves it `offsetMs` ahead: `ins_…:clock:<resets>:<seconds>`. */
export function clockAdvanceWorkflowId(institutionId: string, resets: number, offsetMs: number): string {
  return `${institutionId}:clock:${resets}:${offsetMs / 1_000}`;
}

/** Returns the workflow id of one invitation of a developer: `dev_…:<invitation>`. */
export function developerInvitationWorkflowId(developerId: string, invitation: number): string {
  return `${developerId}:${invitation}`;
}
