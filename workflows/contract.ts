import { defineSearchAttributeKey, SearchAttributeType, type Duration, type Priority, type SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineSignal, type Sinks } from '@temporalio/workflow';
import type { SignalArguments, WorkflowArguments } from '../domain/outbox/workflows';
import type { BatchReference } from '../domain/provisioning/batch';
import type { EndedWork } from '../lib/tracing';

/** Search attributes by which the Web UI finds workflows; `npm run migrate -- temporal` registers them, and a worker that may. */
export const searchAttributes = {
  institutionId: defineSearchAttributeKey('InstitutionId', SearchAttributeType.KEYWORD),
  endpointId: defineSearchAttributeKey('EndpointId', SearchAttributeType.KEYWORD),
  eventType: defineSearchAttributeKey('EventType', SearchAttributeType.KEYWORD),
  outcome: defineSearchAttributeKey('Outcome', SearchAttributeType.KEYWORD),
};

/** What the sandbox of workflows reports to its worker: runs of a recorded trace that have ended. */
export interface TraceSinks extends Sinks {
  traces: { ended(work: EndedWork): void };
}

/** Returns the task queue of activities that send emails, separate from all others; their first argument contains `institutionId`. */
export const emailsQueue = (taskQueue: string): string => `${taskQueue}-letters`;

/** Returns the task queue of activities that attempt deliveries: hanging receivers occupy slots for long, and must not delay other activities. */
export const webhooksQueue = (taskQueue: string): string => `${taskQueue}-webhooks`;

/** Returns the task queue of activities that write archives, which may take hours each; their first argument is, or contains, the institution. */
export const archivesQueue = (taskQueue: string): string => `${taskQueue}-archives`;

/** Returns the task queue of the chunks of erasures of people, of which a school may begin thousands at once; their first argument contains `institutionId`. */
export const erasuresQueue = (taskQueue: string): string => `${taskQueue}-erasures`;

/** How the Web UI shows a workflow from its start. */
interface StartDescription<Argument> {
  summary: (argument: Argument) => string;
  searchAttributes: (argument: Argument) => SearchAttributePair[];
}

const endpointAttributes = ({ institutionId, endpointId }: { institutionId: string; endpointId: string }): SearchAttributePair[] => [
  { key: searchAttributes.institutionId, value: institutionId },
  { key: searchAttributes.endpointId, value: endpointId },
];

/** How the Web UI shows every workflow that rules start. */
export const startDescriptions: { [Name in keyof WorkflowArguments]: StartDescription<WorkflowArguments[Name]> } = {
  webhookDelivery: {
    summary: ({ eventType, endpointId }) => `Retry ${eventType} to ${endpointId}`,
    searchAttributes: ({ institutionId, endpointId, eventType }) => [
      { key: searchAttributes.institutionId, value: institutionId },
      { key: searchAttributes.endpointId, value: endpointId },
      { key: searchAttributes.eventType, value: eventType },
    ],
  },
  endpointBacklog: {
    summary: ({ endpointId }) => `Wait for ${endpointId} to accept deliveries again`,
    searchAttributes: endpointAttributes,
  },
  endpointDisabledNotice: {
    summary: ({ endpointId }) => `Notify the institution's admin that ${endpointId} was disabled`,
    searchAttributes: endpointAttributes,
  },
  endpointHealthNotice: {
    summary: ({ kind, endpointId }) => `Notify the institution's admin that ${endpointId} ${kind === 'failing' ? 'is failing' : 'has recovered'}`,
    searchAttributes: endpointAttributes,
  },
  bulkReplay: {
    summary: ({ endpointId, matched }) => `Replay ${matched} dead ${matched === 1 ? 'delivery' : 'deliveries'} to ${endpointId}`,
    searchAttributes: endpointAttributes,
  },
  endpointRecovery: {
    summary: ({ endpointId, matched }) => `Recover ${matched} ${matched === 1 ? 'event' : 'events'} that ${endpointId} missed`,
    searchAttributes: endpointAttributes,
  },
  examNotification: {
    summary: ({ examId, submissionId }) =>
      submissionId === undefined ? `Notify students and guardians of ${examId}` : `Request a resubmission of ${submissionId}, exam ${examId}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  weeklyReportLetters: {
    summary: ({ week }) => `Send the weekly reports of ${week}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  attemptExpiry: {
    summary: ({ examId }) => `Wait for attempts at ${examId} to expire`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  guardianInvitation: {
    summary: ({ linkId, invitation }) => `Invite a guardian: ${linkId}, invitation ${invitation}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  developerInvitation: {
    summary: ({ developerId, invitation }) => `Invite a developer: ${developerId}, invitation ${invitation}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  sandboxClockAdvance: {
    summary: ({ institutionId, toMs }) => `Do what fell due in the sandbox ${institutionId} until ${new Date(toMs).toISOString()}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  couponBatchApproval: {
    summary: ({ batchId }) => `Wait for a decision on ${batchId}, then create its codes`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  personExport: {
    summary: ({ exportId }) => `Export the data of a person: ${exportId}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  sandboxReset: {
    summary: ({ institutionId, reset }) => `Erase the data of the sandbox ${institutionId}, reset ${reset}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  personErasure: {
    summary: ({ personId }) => `Erase ${personId}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  institutionOffboarding: {
    summary: ({ institutionId }) => `Keep ${institutionId} read-only for 30 days, then erase it`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
};

/** Where a task queue has a backlog, the lowest goes first: what a call waits for, what is of one person or delivery, what an institution asks for in bulk, sweeps. */
export const priorities = { awaited: 1, usual: 3, bulk: 4, sweep: 5 } as const;

const startPriorities: Record<keyof WorkflowArguments, keyof typeof priorities> = {
  webhookDelivery: 'usual',
  endpointBacklog: 'usual',
  endpointDisabledNotice: 'usual',
  endpointHealthNotice: 'usual',
  examNotification: 'usual',
  attemptExpiry: 'usual',
  guardianInvitation: 'usual',
  developerInvitation: 'usual',
  couponBatchApproval: 'usual',
  sandboxReset: 'usual',
  bulkReplay: 'bulk',
  endpointRecovery: 'bulk',
  weeklyReportLetters: 'bulk',
  sandboxClockAdvance: 'bulk',
  personExport: 'bulk',
  personErasure: 'bulk',
  institutionOffboarding: 'bulk',
};

/** Returns the priority of a workflow that rules start, and of its activities; among equals institutions alternate. */
export const startPriority = (name: keyof WorkflowArguments, institutionId: string): Priority => ({ priorityKey: priorities[startPriorities[name]], fairnessKey: institutionId });

/** How a bulk provisioning is started; its call waits, so another worker takes over from a killed one after 3 s. */
export const provisioningStart = {
  summary: ({ total }) => `Provision ${total} students`,
  searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  priority: ({ institutionId }) => ({ priorityKey: priorities.awaited, fairnessKey: institutionId }),
  taskTimeout: '3 seconds',
} satisfies StartDescription<BatchReference> & { priority: (batch: BatchReference) => Priority; taskTimeout: Duration };

/** What a reseal seals with: the newest key of every process. */
export interface ResealArgument {
  keyId: string;
}

/** The id of the reseal: one at a time runs. */
export const resealWorkflowId = 'reseal';

/** How the Web UI shows a reseal, which an operator starts. */
export const resealStart = {
  summary: ({ keyId }) => `Seal every value under the key ${keyId}`,
  searchAttributes: () => [],
} satisfies StartDescription<ResealArgument>;

/** Which fill a workflow does: the name that its migration gave it. */
export interface FillArgument {
  name: string;
}

/** Returns the workflow id of a fill: one of each name runs. */
export const fillWorkflowId = (name: string): string => `fill_${name}`;

/** How the Web UI shows a fill, which workers start. */
export const fillStart = {
  summary: ({ name }) => `Fill rows from before an upgrade: ${name}`,
  searchAttributes: () => [],
} satisfies StartDescription<FillArgument>;

/** `retryNow`: attempt immediately, outside the schedule, unless more than the request's `attempts` were made. */
export const retryNow = defineSignal<[SignalArguments['retryNow']]>('retryNow');
/** `cancel`: the delivery was cancelled, or transferred to its endpoint's backlog; read its state and end. */
export const cancel = defineSignal<[Record<string, never>]>('cancel');
/** `look`: the awaited state has changed, or is due earlier; read it again. */
export const look = defineSignal<[Record<string, never>]>('look');
/** `attempt`: attempt one delivery of the backlog immediately, outside the schedule, unless more than the request's `attempts` were made. */
export const attempt = defineSignal<[SignalArguments['attempt']]>('attempt');

/** Failure types that retries cannot fix. */
export const nonRetryable = { unknownDelivery: 'UnknownDelivery', unknownBatch: 'UnknownBatch', sweepIncomplete: 'SweepIncomplete', notATime: 'NotATime', notProgress: 'NotProgress' } as const;

/** The progress of a workflow that counts: rows done, stores searched, deliveries replayed or recovered, or recipients notified, refused or skipped, out of all. */
export const workflowProgress = defineQuery<{ done: number; total: number }>('progress');

/** The workflows that answer the query `progress`. */
export const workflowsWithProgress: ReadonlySet<string> = new Set([
  'bulkProvisioning', 'bulkReplay', 'endpointRecovery', 'examNotification', 'institutionOffboarding', 'personErasure', 'weeklyReportLetters', 'reseal', 'rowFill',
] satisfies (keyof WorkflowArguments | 'bulkProvisioning' | 'reseal' | 'rowFill')[]);

/** A workflow that runs on a schedule. */
export interface ScheduleDefinition {
  scheduleId: string;
  workflowType: string;
  /** In UTC; without a day, every day. */
  calendar: { dayOfWeek?: 'MONDAY'; hour: number; minute: number };
  summary: string;
}

/** The workflows that run on a Schedule each. A change of one raises `schedulesVersion` in `outbound/temporal/schedules.ts`. */
export const schedules = [
  {
    scheduleId: 'license-expiry-sweep',
    workflowType: 'licenseExpirySweep',
    calendar: { hour: 2, minute: 0 },
    summary: 'Expire overdue licenses',
  },
  {
    scheduleId: 'event-retention',
    workflowType: 'eventRetention',
    calendar: { hour: 3, minute: 0 },
    summary: 'Prune events older than 30 days',
  },
  {
    scheduleId: 'delivery-retention',
    workflowType: 'deliveryRetention',
    calendar: { hour: 3, minute: 30 },
    summary: 'Delete ended deliveries older than 90 days',
  },
  {
    scheduleId: 'institution-retention',
    workflowType: 'institutionRetention',
    // Before housekeeping, which deletes the files of removed recordings.
    calendar: { hour: 3, minute: 45 },
    summary: 'Remove recordings and proctoring details that institutions no longer keep',
  },
  {
    scheduleId: 'weekly-guardian-report',
    workflowType: 'weeklyGuardianReport',
    // By then Monday has begun in every time zone.
    calendar: { dayOfWeek: 'MONDAY', hour: 12, minute: 10 },
    summary: 'Write the reports of the last week and send them to guardians',
  },
  {
    scheduleId: 'housekeeping',
    workflowType: 'housekeeping',
    calendar: { hour: 4, minute: 0 },
    summary: 'Delete expired sessions, sign-in codes, bulk calls, notices and reports, and removed files',
  },
] as const satisfies readonly ScheduleDefinition[];
