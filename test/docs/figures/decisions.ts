import { keepAliveOptions, responseTimeoutMs } from '../../../db/responseTimeout';
import { capitalized } from '../../../lib/capitalized';
import { count, days, figure, figuresIn, hours, kib, mib, minutes, seconds, numberWord } from '../../support/figures';
import { fromEnvironment, timeOf } from './integrators';

const first = (file: string, pattern: RegExp): number => figuresIn(file, pattern)[0] ?? Number.NaN;
const kept = (kind: string): string => days(figure('domain/retention/periods.ts', `retentionMs.${kind}`));
const window = hours(figure('domain/webhooks/retrySchedule.ts', 'deliveryWindowMs'));
const members = count(figure('domain/groups/limits.ts', 'maxMembers'));
const [pageMost = 0, pageUsual = 0] = figuresIn('api/http/request/fields.ts', /limit: wholeNumber\(1, (\d+)\)\.default\((\d+)\)/);
const [lockMs = 0, statementMs = 0, idleMs = 0] = figuresIn('db/sessionSettings.ts', /serviceSettings: SessionSettings = \{ lock_timeout: '(\d+)', statement_timeout: '(\d+)', idle_in_transaction_session_timeout: '(\d+)'/);
const attemptSeconds = seconds(figure('outbound/webhooks/webhookClient.ts', 'exchangeTimeoutMs'));
const limits = (name: string): string => count(figure('worker/sender/endpointConcurrency.ts', name));
const extension = (name: string): number => figure('domain/licenses/limits.ts', `extensionDays.${name}`);
const grace = (name: string): number => figure('domain/webhooks/rotateSecret.ts', `graceHours.${name}`);
const signIn = (name: string): number => figure('domain/signIn/limits.ts', name);
const claim = seconds(figure('db/repositories/webhooks/sending.ts', 'claimLeaseMs'));
const uploadKib = kib(figure('api/http/request/multipart.ts', 'minimumBytes'));

/** Sentences of the records of decisions with the figures that the code has now; what was measured stays as it was. */
export const decisionFigures: Record<string, readonly string[]> = {
  'docs/decisions/0004-validation.md': [`at most ${mib(figure('api/http/request/jsonBody.ts', 'maxBodyBytes.withSchema'))} MiB`],
  'docs/decisions/0006-lists.md': [`is ${pageUsual} unless given, ${pageMost} at most`],
  'docs/decisions/0007-rate-limit.md': [`lives for ${numberWord(figure('api/http/security/rateLimit.ts', 'windowSeconds') * 2 / 60)} minutes`],
  'docs/decisions/0008-data-mapper.md': [
    `end after ${seconds(statementMs)} s, waits for locks after ${seconds(lockMs)} s, idle transactions after ${seconds(idleMs)} s`,
    `${numberWord(figure('db/transaction.ts', 'maxAttempts'))} times in all`,
  ],
  'docs/decisions/0009-event-clock.md': [`at most ${count(figure('domain/transact.ts', 'maxEventsPerTransaction'))} events`],
  'docs/decisions/0012-first-attempt-without-workflow.md': [`a lease of ${claim} s`, `sent again after ${claim} s`],
  'docs/decisions/0013-endpoint-concurrency.md': [`${limits('initialLimit')} slots to begin with`, `up to ${limits('maxLimit')}`, `has ${limits('maxInProcess')} slots`, `the ${limits('maxRemembered')} used last`],
  'docs/decisions/0014-retry-schedule.md': [
    `for up to ${window} hours`,
    `±${figure('domain/webhooks/retrySchedule.ts', 'jitter') * 100} % jitter; then one last attempt that begins ${seconds(figure('domain/webhooks/retrySchedule.ts', 'lastAttemptLeadMs'))} s before the deadline, ${window} hours`,
    `complete within ${attemptSeconds} s`,
    `At most ${kib(figure('outbound/webhooks/exchange.ts', 'maxResponseBytes'))} KiB of an answer are read, ${kib(figure('outbound/webhooks/exchange.ts', 'maxStoredBytes'))} KiB kept`,
  ],
  'docs/decisions/0015-pause-delete-replay.md': [
    `The ${window} hours of a delivery`,
    `leave after ${kept('deliveries')} days`,
    `at most ${figure('domain/webhooks/createEndpoint.ts', 'maxCreatedPerHour')} endpoints an hour`,
  ],
  'docs/decisions/0016-webhook-addresses.md': [`on port ${figuresIn('domain/webhooks/addresses.ts', /port !== (\d+) && port < (\d+)/).join(' or ')} to 65535`],
  'docs/decisions/0017-signatures.md': [`(${grace('min')} to ${grace('max')} hours, ${grace('default')} by default)`],
  'docs/decisions/0021-bulk-provisioning.md': [
    `Up to ${first('api/operations/students/bulk.schemas.ts', /\.max\((\d+)\)/)} students`,
    `waits at most ${fromEnvironment('BULK_WAIT_MS') / 1_000} s`,
    `younger than ${numberWord(minutes(figure('domain/provisioning/batch.ts', 'batchLifetimeMs')))} minutes`,
    `looks every ${seconds(figure('worker/abandonedBatches.ts', 'pollIntervalMs'))} s`,
    `A chunk is ${figure('domain/provisioning/batch.ts', 'rowsPerChunk')} rows`,
    `may take ${first('workflows/contract.ts', /taskTimeout: '(\d+) seconds'/)} s`,
  ],
  'docs/decisions/0022-licenses.md': [
    `(${extension('min')} to ${extension('max')})`,
    `at most ${count(figure('domain/licenses/limits.ts', 'maxExpiryDays'))} days`,
    `within the next ${figure('domain/licenses/limits.ts', 'expiringSoonDays')} days`,
    `daily at ${timeOf('license-expiry-sweep')} UTC`,
  ],
  'docs/decisions/0023-institution-config.md': [
    `from ${figuresIn('api/operations/exams/policies.schemas.ts', /max_interactions: wholeNumber\((\d+), ([\d_]+)\)/).map(count).join(' to ')}`,
    `at most ${kib(figure('api/operations/institutions/institutions.schemas.ts', 'lmsBounds.bytes'))} KiB serialised and ${figure('api/operations/institutions/institutions.schemas.ts', 'lmsBounds.levels')} levels`,
  ],
  'docs/decisions/0024-institutions-keys-sign-in.md': [`after ${minutes(signIn('codeLifetimeMs'))} minutes or ${signIn('triesPerCode')} wrong tries`, `full step of ${figure('api/operations/signIn/rejectSignIn.ts', 'responseStepMs')} ms`],
  'docs/decisions/0029-bulk-replay-test-portal.md': [
    `takes ${first('domain/webhooks/replayDeadChunk.ts', /chunkSize = (\d+)/)} at a time`,
    `has ${window} hours from the moment`,
    `**${capitalized(numberWord(60_000 / figure('domain/webhooks/replayDeadDeliveries.ts', 'minReplayIntervalMs')))} replay a minute`,
    `**${capitalized(numberWord(figure('domain/webhooks/pingEndpoint.ts', 'maxConcurrentTests')))} tests of an endpoint`,
    `a ${first('workflows/bulkReplay.ts', /chunkPause = '(\d+) second'/) === 1 ? 'second' : 'longer time'} passes between chunks`,
    `waits up to ${attemptSeconds} s for its receiver`,
    `answered without details after ${seconds(figure('outbound/temporal/workflowViewer.ts', 'detailsWithinMs'))} s`,
  ],
  'docs/decisions/0061-recovery.md': [
    `reads ${count(figure('domain/webhooks/recoverChunk.ts', 'maxEventsScanned'))} events at most and writes ${figure('domain/webhooks/recoverChunk.ts', 'chunkSize')} deliveries at most`,
    `**The ${window} hours begin with the recovery.**`,
    `**${capitalized(numberWord(60_000 / figure('domain/webhooks/recoverDeliveries.ts', 'minRecoveryIntervalMs')))} a minute and endpoint`,
    `The count is bounded:** ${count(figure('domain/webhooks/recoverDeliveries.ts', 'maxEventsCounted'))} events`,
  ],
  'docs/decisions/0030-circuits-and-backlogs.md': [
    `At most ${first('domain/webhooks/circuitBreaker.ts', /maxWorkflows: (\d+)/)} deliveries of an endpoint`,
    `${first('domain/webhooks/circuitBreaker.ts', /failuresToOpen: (\d+)/)} failures in a row`,
    `at most ${figure('activities/webhooks/attemptConcurrency.ts', 'maxPerInstitution')} attempts`,
    `${hours(figure('domain/webhooks/disableEndpoint.ts', 'disableAfterMs'))} hours of failures`,
  ],
  'docs/decisions/0031-generic-plans.md': [`a pool of ${numberWord(figure('worker/loops.ts', 'senderConnections'))} connections`, `opens ${numberWord(figure('worker/loops.ts', 'senderConnections'))} connections more`],
  'docs/decisions/0062-endpoint-limits-and-warnings.md': [
    `n / ${first('db/migrations/1797638400000-endpoint-warnings-and-limits.ts', /rate_limit \/ (\d+) \+ 1/)} + 1 may be taken`,
    `at most every ${figure('worker/sender/limitedClaims.ts', 'minClaimIntervalMs')} ms`,
    `for ${seconds(figure('activities/webhooks/retryDelivery.ts', 'recheckAfterMs'))} s later`,
  ],
  'docs/decisions/0032-retention.md': [`kept for ${kept('events')} days, deliveries with their attempts for ${kept('deliveries')}`, `bulk calls for ${kept('provisioningBatches')} days`],
  'docs/decisions/0033-console.md': [`of ${hours(figure('console/session.ts', 'sessionMs'))} hours`],
  'docs/decisions/0034-faculty-and-groups.md': [`takes up to ${members} ids`, `at most ${members} members`],
  'docs/decisions/0035-files.md': [
    `up to ${mib(fromEnvironment('MAX_UPLOAD_BYTES'))} MiB`,
    `A body has ${seconds(figure('api/http/request/deadlines.ts', 'defaultDeadlines.body'))} s; an upload has ${numberWord(minutes(figure('api/http/request/deadlines.ts', 'defaultDeadlines.request')))} minutes`,
    `${seconds(figure('api/http/request/upload.ts', 'defaultIdleMs'))} s without ${uploadKib} KiB`,
  ],
  'docs/decisions/0036-exam-notices.md': [`than ${numberWord(days(figure('workflows/emailBatch.ts', 'giveUpAfterMs')))} days after`],
  'docs/decisions/0037-exams.md': [`At most ${figure('domain/exams/limits.ts', 'maxExamFiles')} uploaded files`, `\`timeout_ms\` is ${count(figure('domain/exams/limits.ts', 'codeSpecBounds.timeoutMs.default'))}`],
  'docs/decisions/0038-attempts.md': [
    `until ${hours(figure('domain/attempts/timeRules.ts', 'graceAfterEndMs'))} hours after`,
    `At most ${count(figure('domain/attempts/feedTypes.ts', 'feedBounds.attempt'))} events and ${count(figure('domain/attempts/storeAttemptFile.ts', 'maxAttemptFiles'))} files an attempt`,
  ],
  'docs/decisions/0040-csv-export.md': [`chunks of ${count(figure('domain/exams/exportScores.ts', 'chunkRows'))}`, `Up to ${count(figure('db/repositories/exams/scores.ts', 'maxSortedMemberships'))} memberships`],
  'docs/decisions/0041-concurrency-limits.md': [
    `${figure('api/http/security/limitConcurrency.ts', 'largeBodies.slots.json')} large JSON bodies (over ${kib(figure('api/http/security/limitConcurrency.ts', 'unlimitedBelowBytes'))} KiB), ${figure('api/http/security/limitConcurrency.ts', 'largeBodies.slots.upload')} uploads and ${figure('api/http/dispatch.ts', 'maxConcurrentFiles')} exports`,
    `up to ${seconds(figure('api/http/security/limitConcurrency.ts', 'largeBodies.acquireTimeoutMs'))} s`,
    `${figure('api/http/security/limitConcurrency.ts', 'callsOfPerson.slots.call')} calls and ${figure('api/http/security/limitConcurrency.ts', 'callsOfPerson.slots.upload')} uploads in progress`,
    `${figure('api/listener.ts', 'maxPipelinedRequests')} may wait`,
  ],
  'docs/decisions/0043-coupons.md': [`made ${figure('domain/coupons/createCodes.ts', 'codesPerTransaction')} in a transaction`, `${figure('domain/coupons/requestBatch.ts', 'maxUndecided')} of an institution wait`, `${numberWord(figure('domain/coupons/requestBatch.ts', 'maxYears'))} years away`],
  'docs/decisions/0044-guardians.md': [
    `again ${numberWord(minutes(figure('domain/guardians/resendInvitation.ts', 'resendAfterMs')))} minutes after`,
    `reminds ${days(figure('workflows/guardianInvitation.ts', 'reminderAfterMs'))} days after`,
    `that ${days(figure('domain/guardians/invitation.ts', 'invitationLifetimeMs'))} days are over`,
    `the newest ${figure('domain/guardians/readFollowed.ts', 'maxVersionsPerExam')} versions`,
  ],
  'docs/decisions/0045-alpha.md': [
    `bounded, ${count(figure('domain/alpha/recordProgress.ts', 'maxProgressReportsPerDay'))} a student and day`,
    `after ${kept('alphaProgress')} days`,
    `from ${figure('domain/alpha/mastery.ts', 'masteryThreshold')} on`,
    `end at ${count(figure('domain/alpha/recordProgress.ts', 'maxMinutesPerDay'))}`,
  ],
  'docs/decisions/0046-weekly-reports.md': [`on Mondays at ${timeOf('weekly-guardian-report')} UTC`, `emails for ${kept('weeklyReportLetters')} days`, `one statement for ${figure('domain/reports/writeWeeklyReports.ts', 'reportChunk')} students`],
  'docs/decisions/0048-audit-log.md': [`over ${first('db/migrations/1795996800000-audit.ts', /at < now\(\) - interval '(\d+) days'/)} days old`],
  'docs/decisions/0049-devices.md': [`The ${figure('domain/devices/limits.ts', 'activationsPerLicense')} seen last`, `kept for ${kept('seats')} days`],
  'docs/decisions/0050-developers.md': [`valid for ${days(figure('domain/developers/invitation.ts', 'invitationLifetimeMs'))} days`],
  'docs/decisions/0051-command-line.md': [`ends at ${count(figure('cli/list.ts', 'maxPages') * figure('cli/list.ts', 'maxPageSize'))} items`],
  'docs/decisions/0091-silent-postgres.md': [
    `has said nothing for ${seconds(responseTimeoutMs)} s**: ${seconds(responseTimeoutMs - statementMs)} s longer than its own timeout`,
    `probes begin after ${seconds(keepAliveOptions.keepAliveInitialDelayMillis)} s`,
    `For the first ${seconds(responseTimeoutMs)} s`,
    `waits longer than ${seconds(responseTimeoutMs)} s`,
  ],
};
