import { defineSearchAttributeKey, SearchAttributeType, type Duration, type SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { SignalArguments, WorkflowArguments } from '../domain/outbox/workflows';
import type { BatchReference } from '../domain/provisioning/batch';

/** Search attributes by which the Web UI finds workflows; registered when the worker starts. */
export const searchAttributes = {
  institutionId: defineSearchAttributeKey('InstitutionId', SearchAttributeType.KEYWORD),
  endpointId: defineSearchAttributeKey('EndpointId', SearchAttributeType.KEYWORD),
  eventType: defineSearchAttributeKey('EventType', SearchAttributeType.KEYWORD),
  outcome: defineSearchAttributeKey('Outcome', SearchAttributeType.KEYWORD),
};

/** The task queue of the activities that send letters, beside that of everything else; they are told `institutionId` first. */
export const emailsQueue = (taskQueue: string): string => `${taskQueue}-letters`;

/** The task queue of the activities that attempt deliveries: receivers that hang hold their places long, and nothing else is to wait for those. */
export const webhooksQueue = (taskQueue: string): string => `${taskQueue}-webhooks`;

/** What an operator sees of a workflow before it has done anything. */
interface StartDescription<Argument> {
  summary: (argument: Argument) => string;
  searchAttributes: (argument: Argument) => SearchAttributePair[];
}

const endpointAttributes = ({ institutionId, endpointId }: { institutionId: string; endpointId: string }): SearchAttributePair[] => [
  { key: searchAttributes.institutionId, value: institutionId },
  { key: searchAttributes.endpointId, value: endpointId },
];

/** Every workflow that a rule may owe: how it introduces itself in the Web UI. */
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
    summary: ({ endpointId }) => `Wait for ${endpointId} to take deliveries again`,
    searchAttributes: endpointAttributes,
  },
  endpointDisabledNotice: {
    summary: ({ endpointId }) => `Tell the institution's admin that ${endpointId} was disabled`,
    searchAttributes: endpointAttributes,
  },
  bulkReplay: {
    summary: ({ endpointId, matched }) => `Replay ${matched} dead deliveries to ${endpointId}`,
    searchAttributes: endpointAttributes,
  },
  examNotification: {
    summary: ({ examId, submissionId }) =>
      submissionId === undefined ? `Tell students and guardians of ${examId}` : `Ask for ${submissionId} again, of ${examId}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  weeklyReportLetters: {
    summary: ({ week }) => `Send the weekly reports of ${week}`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
  attemptExpiry: {
    summary: ({ examId }) => `Wait for attempts at ${examId} to run out of time`,
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
  couponBatchApproval: {
    summary: ({ batchId }) => `Wait for a decision on ${batchId}, then make its codes`,
    searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  },
};

/** How a bulk provisioning introduces itself; its call waits, so what a killed worker held is taken up after 3 s. */
export const provisioningStart = {
  summary: ({ total }) => `Provision ${total} students`,
  searchAttributes: ({ institutionId }) => [{ key: searchAttributes.institutionId, value: institutionId }],
  taskTimeout: '3 seconds',
} satisfies StartDescription<BatchReference> & { taskTimeout: Duration };

/** `retryNow`: attempt at once, outside the schedule, unless more than the `attempts` that the request saw were made. */
export const retryNow = defineSignal<[SignalArguments['retryNow']]>('retryNow');
/** `cancel`: the delivery was given up, or handed to its endpoint's backlog; read the truth and end. */
export const cancel = defineSignal<[Record<string, never>]>('cancel');
/** `look`: what is waited for has changed, or falls due earlier than was thought; read the truth. */
export const look = defineSignal<[Record<string, never>]>('look');
/** `attempt`: attempt one delivery of the backlog at once, outside the schedule, unless more than the `attempts` that the request saw were made. */
export const attempt = defineSignal<[SignalArguments['attempt']]>('attempt');

/** Failure types that no retry mends. */
export const nonRetryable = { unknownDelivery: 'UnknownDelivery', unknownBatch: 'UnknownBatch', sweepIncomplete: 'SweepIncomplete', notATime: 'NotATime', notProgress: 'NotProgress' } as const;

/** How far a workflow is that counts: rows done, deliveries replayed, recipients told, refused or no longer to be told, of all. */
export const workflowProgress = defineQuery<{ done: number; total: number }>('progress');

/** The workflows that count. */
export const workflowsWithProgress: ReadonlySet<string> = new Set(['bulkProvisioning', 'bulkReplay', 'examNotification', 'weeklyReportLetters'] satisfies (keyof WorkflowArguments | 'bulkProvisioning')[]);

/** What runs by the clock. */
export interface ScheduleDefinition {
  scheduleId: string;
  workflowType: string;
  /** In UTC; without a day, every day. */
  calendar: { dayOfWeek?: 'MONDAY'; hour: number; minute: number };
  summary: string;
}

/** What runs by the clock: a Schedule each, kept by every worker that starts. */
export const schedules = [
  {
    scheduleId: 'license-expiry-sweep',
    workflowType: 'licenseExpirySweep',
    calendar: { hour: 2, minute: 0 },
    summary: 'Expire the licenses whose time has passed',
  },
  {
    scheduleId: 'event-retention',
    workflowType: 'eventRetention',
    calendar: { hour: 3, minute: 0 },
    summary: 'Prune the events that are older than 30 days',
  },
  {
    scheduleId: 'delivery-retention',
    workflowType: 'deliveryRetention',
    calendar: { hour: 3, minute: 30 },
    summary: 'Delete the ended deliveries that are older than 90 days',
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
    summary: 'Delete sessions, sign-in codes, bulk calls, notices and reports that were over long ago, and files that are removed',
  },
] as const satisfies readonly ScheduleDefinition[];
