import { Foundation1795132800000 } from './1795132800000-foundation';
import { Recovery1795305600000 } from './1795305600000-recovery';
import { Replays1795392000000 } from './1795392000000-replays';
import { Retention1795478400000 } from './1795478400000-retention';
import { Exams1795564800000 } from './1795564800000-exams';
import { Submissions1795651200000 } from './1795651200000-submissions';
import { Money1795737600000 } from './1795737600000-money';
import { Guardians1795824000000 } from './1795824000000-guardians';
import { Alpha1795910400000 } from './1795910400000-alpha';
import { Audit1795996800000 } from './1795996800000-audit';
import { Devices1796083200000 } from './1796083200000-devices';
import { Developers1796169600000 } from './1796169600000-developers';
import { ProgressKept1796256000000 } from './1796256000000-progress-kept';
import { SpendRefs1796342400000 } from './1796342400000-spend-refs';
import { SteadyWalks1796428800000 } from './1796428800000-steady-walks';
import { RestsInChunks1796601600000 } from './1796601600000-rests-in-chunks';
import { ResentAttempts1796688000000 } from './1796688000000-resent-attempts';
import { WorkflowEpochs1796774400000 } from './1796774400000-workflow-epochs';
import { SignInEmails1796774500000 } from './1796774500000-sign-in-emails';
import { SignInShares1796860800000 } from './1796860800000-sign-in-shares';
import { QueueByInstitution1796947200000 } from './1796947200000-queue-by-institution';
import { UniqueStudentIds1797033600000 } from './1797033600000-unique-student-ids';
import { Cursors1797120000000 } from './1797120000000-cursors';
import { IdempotencyKeys1797206400000 } from './1797206400000-idempotency-keys';
import { Sandbox1797292800000 } from './1797292800000-sandbox';
import { Clock1797379200000 } from './1797379200000-clock';
import { EndpointSending1797465600000 } from './1797465600000-endpoint-sending';
import { FindingDeliveries1797552000000 } from './1797552000000-finding-deliveries';
import { EndpointWarningsAndLimits1797638400000 } from './1797638400000-endpoint-warnings-and-limits';
import { EndpointStatistics1797724800000 } from './1797724800000-endpoint-statistics';
import { DeliveryEnds1797811200000 } from './1797811200000-delivery-ends';
import { Erasures1797984000000 } from './1797984000000-erasures';
import { Staff1798070400000 } from './1798070400000-staff';
import { AccountProtection1798156800000 } from './1798156800000-account-protection';
import { SignInHistory1798156800001 } from './1798156800001-sign-in-history';
import { Quotas1798243200000 } from './1798243200000-quotas';
import { Disclosures1798329600000 } from './1798329600000-disclosures';
import { Offboarding1798502400000 } from './1798502400000-offboarding';
import { SuspendedPeople1798506000000 } from './1798506000000-suspended-people';
import { LargeTables1798592400000 } from './1798592400000-large-tables';
import { InstitutionKeys1799000000000 } from './1799000000000-institution-keys';
import { InstitutionIndexes1799000000001 } from './1799000000001-institution-indexes';
import { InstitutionReferences1799000000002 } from './1799000000002-institution-references';
import { RowCounts1799400000000 } from './1799400000000-row-counts';
import { RowsCounted1799400000001 } from './1799400000001-rows-counted';
import { FirstFailures1799500000000 } from './1799500000000-first-failures';
import { OpenDeliveries1799600000000 } from './1799600000000-open-deliveries';
import { DeliveryListing1799600000001 } from './1799600000001-delivery-listing';
import { Partitions1799700000000 } from './1799700000000-partitions';
import { HistoryPartitions1800100000000 } from './1800100000000-history-partitions';
import { AttemptEventPartitions1800100000001 } from './1800100000001-attempt-event-partitions';
import { AuditLogPartitions1800100000002 } from './1800100000002-audit-log-partitions';
import { WebhookAttemptPartitions1800100000003 } from './1800100000003-webhook-attempt-partitions';
import { DisclosurePartitions1800100000004 } from './1800100000004-disclosure-partitions';
import { ClockGenerations1800200000000 } from './1800200000000-clock-generations';
import { StatisticsGenerations1800200000001 } from './1800200000001-statistics-generations';
import { OpenWorkflows1800300000000 } from './1800300000000-open-workflows';
import { OpenWorkflowRows1800300000001 } from './1800300000001-open-workflow-rows';
import { TraceContexts1800300000002 } from './1800300000002-trace-contexts';
import { WorkerDeployments1800400000000 } from './1800400000000-worker-deployments';
import { RowFills1800500000000 } from './1800500000000-row-fills';
import { ClockPlans1800600000000 } from './1800600000000-clock-plans';
import { HistoryOfEndedDeliveries1800700000000 } from './1800700000000-history-of-ended-deliveries';
import { BulkCallKeys1800800000000 } from './1800800000000-bulk-call-keys';
import { HistoryWithoutOpenIndexes1800900000000 } from './1800900000000-history-without-open-indexes';
import { AccountLocks1801000000000 } from './1801000000000-account-locks';
import { ExamTitles1801000000001 } from './1801000000001-exam-titles';
import { DeliveriesOfBothTables1801100000000 } from './1801100000000-deliveries-of-both-tables';
import { DeliveryPartitions1801200000000 } from './1801200000000-delivery-partitions';
import { BulkCallOpening1801300000000 } from './1801300000000-bulk-call-opening';

/** Every migration, in order. */
export const migrations = [
  Foundation1795132800000, Recovery1795305600000, Replays1795392000000, Retention1795478400000, Exams1795564800000,
  Submissions1795651200000, Money1795737600000, Guardians1795824000000, Alpha1795910400000, Audit1795996800000,
  Devices1796083200000, Developers1796169600000, ProgressKept1796256000000, SpendRefs1796342400000, SteadyWalks1796428800000,
  RestsInChunks1796601600000, ResentAttempts1796688000000, WorkflowEpochs1796774400000, SignInEmails1796774500000,
  SignInShares1796860800000, QueueByInstitution1796947200000, UniqueStudentIds1797033600000, Cursors1797120000000,
  IdempotencyKeys1797206400000, Sandbox1797292800000, Clock1797379200000, EndpointSending1797465600000,
  FindingDeliveries1797552000000, EndpointWarningsAndLimits1797638400000, EndpointStatistics1797724800000,
  DeliveryEnds1797811200000, Erasures1797984000000, Staff1798070400000, AccountProtection1798156800000,
  SignInHistory1798156800001, Quotas1798243200000, Disclosures1798329600000, Offboarding1798502400000,
  SuspendedPeople1798506000000, LargeTables1798592400000, InstitutionKeys1799000000000, InstitutionIndexes1799000000001,
  InstitutionReferences1799000000002, RowCounts1799400000000, RowsCounted1799400000001, FirstFailures1799500000000,
  OpenDeliveries1799600000000, DeliveryListing1799600000001, Partitions1799700000000,
  HistoryPartitions1800100000000, AttemptEventPartitions1800100000001, AuditLogPartitions1800100000002,
  WebhookAttemptPartitions1800100000003, DisclosurePartitions1800100000004,
  ClockGenerations1800200000000, StatisticsGenerations1800200000001,
  OpenWorkflows1800300000000, OpenWorkflowRows1800300000001, TraceContexts1800300000002,
  WorkerDeployments1800400000000,
  RowFills1800500000000, ClockPlans1800600000000, HistoryOfEndedDeliveries1800700000000,
  BulkCallKeys1800800000000,
  HistoryWithoutOpenIndexes1800900000000,
  AccountLocks1801000000000, ExamTitles1801000000001,
  DeliveriesOfBothTables1801100000000, DeliveryPartitions1801200000000,
  BulkCallOpening1801300000000,
];
