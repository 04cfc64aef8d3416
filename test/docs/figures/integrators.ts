import { environmentSchema } from '../../../config/settings';
import { schedules } from '../../../workflows/contract';
import { count, days, figure, figuresIn, hours, kib, mib, minutes, seconds, textsIn, numberWord } from '../../support/figures';

/** A whole number of the environment's defaults. */
export const fromEnvironment = (name: string): number => Number(environmentSchema.describe().keys[name].flags.default);

const guardianInvitation = days(figure('domain/guardians/invitation.ts', 'invitationLifetimeMs'));
const sessionHours = hours(figure('domain/signIn/limits.ts', 'sessionLifetimeMs'));
const window = hours(figure('domain/webhooks/retrySchedule.ts', 'deliveryWindowMs'));
const kept = (kind: string): string => days(figure('domain/retention/periods.ts', `retentionMs.${kind}`));
const enrolling = (name: string): string => count(figure('domain/alpha/enrollStudents.ts', `enrollmentLimits.${name}`));
const progressReports = count(figure('domain/alpha/recordProgress.ts', 'maxProgressReportsPerDay'));
const uploadMib = mib(fromEnvironment('MAX_UPLOAD_BYTES'));
const [pageMost = 0, pageUsual = 0] = figuresIn('api/http/request/fields.ts', /limit: wholeNumber\(1, (\d+)\)\.default\((\d+)\)/);
const attemptSeconds = seconds(figure('outbound/webhooks/webhookClient.ts', 'exchangeTimeoutMs'));
const endpoints = count(figure('domain/webhooks/createEndpoint.ts', 'maxEndpoints'));
const createdAnHour = count(figure('domain/webhooks/createEndpoint.ts', 'maxCreatedPerHour'));
const download = (name: string): number => figure('api/http/response/downloadLimits.ts', `defaultDownloadLimits.${name}`);
const toOpen = figuresIn('domain/webhooks/circuitBreaker.ts', /failuresToOpen: (\d+)/)[0] ?? 0;
const phase = (nth: number, name: string): number => figure('domain/webhooks/circuitBreaker.ts', `probePhases.${nth}.${name}`);
const disabledHours = hours(figure('domain/webhooks/disableEndpoint.ts', 'disableAfterMs'));
const warningPercents = [0, 1, 2].map((nth) => figure('db/repositories/webhooks/warningPercents.ts', `warningPercents.${nth}`));
const listed = (values: readonly number[]): string => `${values.slice(0, -1).join(', ')} and ${values.at(-1) ?? ''}`;
/** The thresholds of warnings, as sentences list them. */
const warnedHours = warningPercents.map((percent) => Math.round(Number(disabledHours) * percent) / 100);
const warnings = listed(warningPercents);
export const orWarnings = warnings.replace(' and ', ' or ');
const attemptsToDisable = count(figure('domain/webhooks/disableEndpoint.ts', 'minAttemptsToDisable'));
const heldDays = count(figure('db/repositories/webhooks/deliveryStatus.ts', 'maxHeldDays'));
const answerKib = kib(figure('outbound/webhooks/exchange.ts', 'maxStoredBytes'));
const maxGuardians = count(figure('domain/guardians/inviteGuardian.ts', 'maxGuardians'));
const remindedOfCoupons = `one day and ${numberWord(figuresIn('workflows/couponBatchApproval.ts', /remindersAfterMs = \[dayMs, (\d+) \* dayMs\]/)[0] ?? 0)} days after the request`;
const undecided = count(figure('domain/coupons/requestBatch.ts', 'maxUndecided'));
const curricula = count(figure('domain/alpha/curricula.ts', 'maxOwnCurricula'));
const examFiles = count(figure('domain/exams/limits.ts', 'maxExamFiles'));
const afterwards = hours(figure('domain/attempts/timeRules.ts', 'graceAfterEndMs'));
const refLength = count(figuresIn('api/operations/merits/merits.schemas.ts', /ref: text\((\d+)\)/)[0] ?? 0);
const lookAfter = seconds(fromEnvironment('BULK_WAIT_MS') + 5_000);
const bulkSeconds = seconds(fromEnvironment('BULK_WAIT_MS'));
const developerDays = days(figure('domain/developers/invitation.ts', 'invitationLifetimeMs'));
const retryUnits = (ms: number): string => (ms < 60_000 ? `${ms / 1_000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`);
const retryWaits = Array.from({ length: 10 }, (_, nth) => retryUnits(figure('domain/webhooks/retrySchedule.ts', `retryWaitsMs.${nth}`)));
const grace = (name: string): number => figure('domain/webhooks/rotateSecret.ts', `graceHours.${name}`);
const headerLimit = (name: string): number => figure('domain/webhooks/customHeaders.ts', `headerLimits.${name}`);
const [leaderboardMost = 0, leaderboardUsual = 0] = figuresIn('api/operations/alpha/alphaStudents.operations.ts', /limit: wholeNumber\(1, (\d+)\)\.default\((\d+)\)/);
const mostPoints = figure('domain/alpha/awardPoints.ts', 'maxPoints');
const [badgeSmall = 0, badgeLarge = 0] = figuresIn('domain/alpha/badges.ts', /points >= (\d+),\n[^\n]*points >= ([\d_]+)/);
const activeKeys = count(figure('domain/keys/createKey.ts', 'maxActiveKeys'));
const sandboxAllowance = count(figure('domain/sandbox/furnishSandbox.ts', 'sandboxAllowanceCents'));
const sandboxEmails = count(figure('db/repositories/sandbox/emails.ts', 'keptEmails'));
export const erasedRows = count(figure('domain/sandbox/eraseSandbox.ts', 'rowsPerTransaction'));
const rosterSync = 'docs/examples/roster-sync/sync.ts';
const interrupted = figuresIn('test/docs/rosterSync.test.ts', /inBothNights = \{ cuts: (\d+), kills: (\d+) \}/);
const coupon = (name: string): string => count(figure('api/operations/coupons/coupons.schemas.ts', `bounds.${name}`));

/** Of the service: the oldest Node of its older line, and its newer line. */
const [node = '', newerNode = ''] = textsIn('package.json', /"node": "\^(\d+\.\d+)\.0 \|\| \^(\d+)\.0\.0"/);
const [olderNode = ''] = node.split('.');
/** Of the client. */
const nodeMajor = textsIn('clients/typescript/package.json', /"node": ">=(\d+)\./).join('');
const go = textsIn('local/temporal/go.mod', /^go (\d+\.\d+)/m).join('');

/** When a Schedule runs, as documents write it. */
export function timeOf(id: string): string {
  const found = schedules.find(({ scheduleId }) => scheduleId === id);
  if (found === undefined) throw new Error(`There is no Schedule ${id}`);
  return [found.calendar.hour, found.calendar.minute].map((part) => String(part).padStart(2, '0')).join(':');
}
const retentionBound = (period: string, bound: string): number => figure('domain/retention/institutionPeriods.ts', `retentionBounds.${period}.${bound}`);
const reportsAt = timeOf('weekly-guardian-report');

/** Sentences for integrators with the figures that the code has now, by their document. */
export const integratorFigures: Record<string, readonly string[]> = {
  'docs/README.md': [`from any source, ${figuresIn('api/operations/students/bulk.schemas.ts', /\.max\((\d+)\)/)[0] ?? ''} in a call`],
  'docs/sandbox.md': [
    `a jump over ${disabledHours} hours disables an endpoint that fails where it has ${attemptsToDisable} deliveries or more that are being retried`,
    `A reminder to the platform ${remindedOfCoupons}`,
    `disabled only with ${attemptsToDisable} attempts in ${hours(figure('domain/webhooks/disableEndpoint.ts', 'dayMs'))} hours. Past ${warnedHours[0] ?? 0} hours \`endpoint.failing\``,
    `the same holds at ${listed(warnedHours.slice(1))} hours`,
    `At ${disabledHours} hours the endpoint is disabled`,
    `An institution can have ${activeKeys} active live keys and ${activeKeys} active test keys.`,
    `an allowance of ${sandboxAllowance} cents`,
    `the newest ${sandboxEmails}, for ${kept('sandboxEmails')} days`,
    `at most ${erasedRows} rows in a transaction`,
    `less than ${numberWord(figure('test/docs/schoolYear.test.ts', 'maxDurationMs') / 60_000)} minutes`,
    `at most ${days(figure('domain/sandbox/advanceClock.ts', 'maxAdvanceSeconds') * 1_000)} days, and the clock is at most ${days(figure('domain/sandbox/advanceClock.ts', 'maxOffsetMs'))} days ahead`,
    `held for ${heldDays} days is`,
  ],
  'README.md': [
    `An institution leaves](docs/offboarding.md): ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days read-only`,
    `an archive of everything, kept for ${days(figure('domain/exports/writeExport.ts', 'exportKeptMs'))} days`,
    `\`PORT\` ${fromEnvironment('PORT')}, \`PLATFORM_PORT\` ${fromEnvironment('PLATFORM_PORT')}, \`WORKER_PORT\` ${fromEnvironment('WORKER_PORT')}, \`APP_PORT\` ${fromEnvironment('APP_PORT')}, \`TEMPORAL_UI_PORT\` ${figuresIn('local/options.ts', /TEMPORAL_UI_PORT: port\.default\((\d+)\)/)[0] ?? 0}`,
    `on Node ${newerNode} or ${olderNode}:`,
    `Node ${newerNode}, or ${node} and later of ${olderNode},`,
    `from source with Go ${go} (about 5 minutes`,
    `Helm ${textsIn('test/support/helm/go.mod', /helm\.sh\/helm\/v3 v([\d.]+)/).join('')} | Built once from source with Go ${go} (about 3 minutes)`,
    `from source with Go ${go} (about a minute)`,
    `${figure('local/runDemo.ts', 'studentCount')} students in a group`,
    `with TLS in front of port ${fromEnvironment('PORT')}`,
  ],
  'clients/typescript/README.md': [`| \`tries\` | ${figure('clients/typescript/src/clientOptions.ts', 'defaults.tries')} |`, `| \`answerWithinMs\` | ${count(figure('clients/typescript/src/clientOptions.ts', 'defaults.answerWithinMs'))} |`, `| \`deadlineMs\` | ${count(figure('clients/typescript/src/clientOptions.ts', 'defaults.deadlineMs'))} |`,
    `its key, 1 to ${figure('api/http/request/idempotencyKey.ts', 'maxIdempotencyKeyLength')} visible ASCII characters`, `\`leaseMs\` is over (${count(figure('clients/typescript/src/webhooks/receiveWebhook.ts', 'defaults.leaseMs'))}: a minute)`, `on Node ${nodeMajor} or later`, `runs it on Node ${nodeMajor},`,
    `\`answerWithinMs\` (${seconds(figure('clients/typescript/src/webhooks/receiveWebhook.ts', 'defaults.answerWithinMs'))} s; the service waits for ${attemptSeconds})`,
    `It may be up to ${seconds(figure('clients/typescript/src/webhooks/receiveWebhook.ts', 'serviceWaitsMs'))} s.`],
  'clients/python/README.md': [`give \`answer_within=8\` (${figuresIn('clients/python/src/institution/webhooks.py', /SERVICE_WAITS_SECONDS = (\d+)/)[0] ?? ''} at most)`, `its key, 1 to ${figure('api/http/request/idempotencyKey.ts', 'maxIdempotencyKeyLength')} visible`,
    `\`lease_seconds\` is over (${figuresIn('clients/python/src/institution/webhooks.py', /LEASE_SECONDS = (\d+)/)[0] ?? ''})`],
  'docs/alpha.md': [
    `the last ${figure('domain/alpha/readAlphaStudent.ts', 'drillDownLimits.days')} days`,
    `Enrolls up to ${enrolling('students')} students`,
    `${curricula} at most. A curriculum has 1 to ${count(figure('domain/alpha/concepts.ts', 'conceptBounds.concepts'))} concepts`,
    `is ${enrolling('minutes.min')} to ${enrolling('minutes.max')}, ${enrolling('minutes.default')} without it`,
    `0 to 100. From ${count(figure('domain/alpha/mastery.ts', 'masteryThreshold'))} on the concept`,
    `a limit of ${progressReports} progress reports per day`,
    `kept for ${kept('alphaProgress')} days`,
    `${count(figure('domain/alpha/recordProgress.ts', 'maxMinutesPerDay'))} at most in each enrollment`,
    `a balance of ${count(badgeSmall)} points`,
    `a balance of ${count(badgeLarge)} points`,
    `is -${mostPoints} to ${mostPoints} and not 0`,
    `up to ${count(figuresIn('api/operations/alpha/points.schemas.ts', /ref: text\((\d+)\)/)[0] ?? 0)} characters`,
    `is 1 to ${leaderboardMost}, ${leaderboardUsual} without it`,
  ],
  'docs/devices.md': [
    `A license keeps ${figure('domain/devices/limits.ts', 'activationsPerLicense')}`,
    `has ${numberWord(figure('domain/devices/limits.ts', 'seatsPerApp'))} seats in each app`,
    `is ${numberWord(figure('domain/devices/limits.ts', 'seatsPerApp'))} seats in each app`,
    `The ${sessionHours} hours of a session`, `gets ${figure('domain/signIn/limits.ts', 'codesPerPeriod.codes')} codes an hour`,
    `said for ${hours(figure('domain/signIn/limits.ts', 'signedOutGraceMs'))} hours after the end`,
  ],
  'docs/first-sign-in.md': [`A code has ${figure('domain/signIn/enrolmentCode.ts', 'codeLength')} characters, is valid for ${figure('domain/signIn/enrolmentCode.ts', 'enrolmentCodeLifetimeMs') / 86_400_000} days and for ${figure('domain/signIn/enrolmentCode.ts', 'triesPerEnrolmentCode')} tries`],
  'docs/licenses.md': [`A new license lasts ${figure('domain/licenses/limits.ts', 'licenseDays.default')} days`],
  'docs/errors.md': [
    `${curricula} curricula of an institution, ${undecided} undecided coupon batches, ${maxGuardians} guardians of a student, ${progressReports} progress reports`,
    `${endpoints} webhook endpoints exist, or ${createdAnHour} were created within an hour`,
    `up to ${figure('domain/students/uniqueStudentIds.ts', 'maxNamed')} that several students have`,
    `more than ${uploadMib} MiB`,
    `${count(figure('domain/keys/createKey.ts', 'maxActiveKeys'))} active keys exist`,
    `seconds (${figure('api/http/security/rateLimit.ts', 'retryAfterSeconds')}), then repeat`,
    `(${figure('domain/keys/createKey.ts', 'defaultRateLimitPerMin')} unless it was made with another)`,
  ],
  'docs/examples/roster-sync/README.md': [
    `up to ${figuresIn(rosterSync, /from \+= (\d+)/)[0] ?? ''} new ones a call`,
    `keeps a key for ${figuresIn('db/repositories/idempotency/idempotencyKeys.ts', /interval '(\d+) hours'/)[0] ?? ''} hours`,
    `older than ${hours(figure(rosterSync, 'keptMs'))} hours`, `names the first ${figure(rosterSync, 'named')} students`,
    `${numberWord(minutes(figure(rosterSync, 'overlapMs')))} minutes back`,
    `at least ${figuresIn(rosterSync, /active\.length >= (\d+) &&/)[0] ?? ''} such students`,
    `in ${interrupted[0] ?? ''} calls and kills the program at ${interrupted[1] ?? ''}`,
  ],
  'docs/exams.md': [
    `${count(figure('domain/groups/limits.ts', 'maxMembers'))} a call`, `gets ${figure('domain/signIn/limits.ts', 'codesPerPeriod.codes')} codes an hour`,
    `random ${figure('domain/exams/limits.ts', 'hiddenTests.keyBytes')}-byte key and a random ${figure('domain/exams/limits.ts', 'hiddenTests.ivBytes')}-byte IV`,
    `the ${figure('domain/secrets/aesGcm.ts', 'tagBytes')}-byte tag`,
    `up to ${uploadMib} MiB`,
    `An exam holds ${examFiles} files`,
    `Node ${nodeMajor} or later`,
  ],
  'docs/grading.md': [
    `until ${afterwards} hours after the attempt ended`,
    `at most ${download('perInstitution')} downloads of an institution and ${download('perFile')} of a file`,
    `less than ${kib(download('throughput.bytes'))} KiB in ${numberWord(minutes(download('throughput.withinMs')))} minutes, or lasts more than ${minutes(download('graceMs'))} minutes beyond`,
  ],
  'docs/disclosures.md': [
    `keeps up to ${count(figure('domain/disclosures/disclosureLog.ts', 'defaultCapacity'))} reads`,
    `An export has ${count(figuresIn('api/operations/auditLog/export.schemas.ts', /default\(([\d_]+)\)/)[0] ?? 0)} entries, or \`limit\`, up to ${count(figure('api/operations/auditLog/export.schemas.ts', 'maxExportedEntries'))}`,
  ],
  'docs/export.md': [`kept for ${days(figure('domain/exports/writeExport.ts', 'exportKeptMs'))} days`],
  'docs/offboarding.md': [
    `read-only for ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days, in which`,
    `## The ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days`,
    `After the ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days`,
    `takes at least ${numberWord(minutes(figure('domain/offboarding/periods.ts', 'minimumErasureMs')))}.`,
  ],
  'docs/retention.md': [
    `| ${retentionBound('recording_days', 'default')} | ${retentionBound('recording_days', 'min')} to ${count(retentionBound('recording_days', 'max'))} |`,
    `| ${retentionBound('proctoring_days', 'default')} | ${retentionBound('proctoring_days', 'min')} to ${count(retentionBound('proctoring_days', 'max'))} |`,
    `from the suspension; then they are [erased](erasure.md). Null: they are kept. 730, two years, are recommended | null | ${retentionBound('suspended_days', 'min')} to ${count(retentionBound('suspended_days', 'max'))} |`,
    `erasure of at most ${figure('domain/retention/eraseSuspended.ts', 'peoplePerRun')} suspended people`,
    `daily run, at ${timeOf('institution-retention')} UTC`,
  ],
  'docs/guardians.md': [
    `Each Monday, shortly after ${reportsAt} UTC`,
    `at most ${maxGuardians} guardians`,
    `after ${days(figure('workflows/guardianInvitation.ts', 'reminderAfterMs'))} days a second email`,
    `${guardianInvitation} days have passed`,
    `a new invitation, of ${guardianInvitation} days`,
    `within ${minutes(figure('domain/guardians/resendInvitation.ts', 'resendAfterMs'))} minutes of the last invitation`,
    `after ${figure('domain/guardians/limitInvitationEmails.ts', 'invitationsPerPeriod.emails')} invitations to one address within ${hours(figure('domain/guardians/limitInvitationEmails.ts', 'invitationsPerPeriod.periodMs'))} hours`,
    `\`limit\` is ${figure('api/operations/guardians/guardians.app.schemas.ts', 'maxStudentsPerPage')} unless given, and ${figure('api/operations/guardians/guardians.app.schemas.ts', 'maxStudentsPerPage')} at most`,
    `of one student the newest ${figure('domain/guardians/readFollowed.ts', 'maxVersionsPerExam')})`,
    `again after ${kept('weeklyReportLetters')} days`,
    `kept for ${figure('domain/retention/periods.ts', 'retentionMs.weeklyReports') / 7 / 86_400_000} weeks`,
    `a session of ${sessionHours} hours`,
  ],
  'docs/idempotency.md': [
    `1 to ${figure('api/http/request/idempotencyKey.ts', 'maxIdempotencyKeyLength')} visible ASCII characters`,
    `kept for ${figuresIn('db/repositories/idempotency/idempotencyKeys.ts', /interval '(\d+) hours'/)[0] ?? ''} hours`,
    `after ${seconds(figure('domain/idempotency/transactOnce.ts', 'maxWaitMs'))} s 409`,
    `waits for ${bulkSeconds} s as always`,
    `of more than ${kib(figure('db/repositories/idempotency/idempotencyKeys.ts', 'largeResponseBytes'))} KiB may take ${mib(figure('domain/idempotency/transactOnce.ts', 'maxLargeResponsesBytes'))} MiB in 24 hours`,
  ],
  'docs/merits.md': [
    `last ${figuresIn('api/operations/merits/merits.operations.ts', /last (\d+) moves/)[0] ?? ''} moves`,
    `is 1 to ${count(figure('domain/merits/limits.ts', 'maxMoveCents'))}`,
    `up to ${refLength} characters`,
    `(${coupon('coupons.min')} to ${coupon('coupons.max')}), \`value_cents\` (${coupon('valueCents.min')} to ${coupon('valueCents.max')})`,
    `in the next ${numberWord(figure('domain/coupons/requestBatch.ts', 'maxYears'))} years`,
    `while ${undecided} of yours wait`,
    `${remindedOfCoupons} a reminder goes to the platform`,
    `wait ${lookAfter} s and look`,
    `A code has ${figure('domain/coupons/codes.ts', 'length')} characters`,
    `begins with ${count(figuresIn('local/demoInstitution.ts', /allowance_cents: ([\d_]+)/)[0] ?? 0)} cents`,
  ],
  'docs/portal.md': [
    `for up to ${figure('domain/signIn/enrolmentCode.ts', 'maxEnrolmentCodes')}, makes a code of ${figure('domain/signIn/enrolmentCode.ts', 'codeLength')} characters`,
    `valid for ${days(figure('domain/signIn/enrolmentCode.ts', 'enrolmentCodeLifetimeMs'))} days and ${figure('domain/signIn/enrolmentCode.ts', 'triesPerEnrolmentCode')} tries`,
    `more than ${figure('domain/signIn/claimLimit.ts', 'claimsPerPeriod.claims')} accounts`,
    `wrongly ${numberWord(figure('domain/signIn/limits.ts', 'wrongTriesPerPeriod.tries'))} times in a day`,
    `has at most ${figure('domain/signIn/limits.ts', 'maxSessions')} sessions`,
    `its network, /64): ${figuresIn('api/http/security/limitClientAddress.ts', /sign-in\/codes', (\d+)\]/)[0] ?? 0} requests for codes, ${figuresIn('api/http/security/limitClientAddress.ts', /sign-in\/sessions', (\d+)\]/)[0] ?? 0} sign-ins and ${figuresIn('api/http/security/limitClientAddress.ts', /\/invitations\/accept', (\d+)\]/)[0] ?? 0} acceptances`,
    `\`APP_PORT\` (${fromEnvironment('APP_PORT')})`,
    `A client address has ${count(figure('api/http/security/limitClientAddress.ts', 'appCallsPerMinute'))} calls a minute there`,
    `by mail, for ${developerDays} days`,
    `not accepted; valid for ${developerDays} days`,
    `window of ${window} hours`,
    `within ${developerDays} days;`,
    `a session of ${sessionHours} hours`,
    `for ${developerDays} more days`,
  ],
  'docs/quickstart.md': [
    `Node ${nodeMajor} or later`,
    `\`npx --yes tsx quickstart.ts\` on Node ${nodeMajor},`,
    `repeats a call that got no answer (${numberWord(figure('clients/typescript/src/clientOptions.ts', 'defaults.tries'))} tries within ${numberWord(minutes(figure('clients/typescript/src/clientOptions.ts', 'defaults.deadlineMs')))} minutes)`,
    `at port ${figuresIn('local/apiAndWorker.ts', /exampleReceivers = '127\.0\.0\.1:(\d+)/)[0] ?? 0} of this machine`,
  ],
  'docs/syncing.md': [
    `(${pageUsual} by default, up to ${pageMost})`,
    `more than ${figure('domain/events/sinceBounds.ts', 'maxSinceMinutesAhead')} minutes ahead`,
    `Events are kept for ${kept('events')} days`,
    `your last request was more than ${kept('events')} days ago`,
    `\`page\` counts from 1, \`limit\` is ${pageUsual} unless given and ${pageMost} at most`,
    `wait until ${lookAfter} s have passed`,
    `In bulk, up to ${figuresIn('api/operations/students/bulk.schemas.ts', /\.max\((\d+)\)/)[0] ?? ''} at a time`,
    // A batch of a killed process ends with its life, at the next look of a worker; and half a minute more.
    `(${minutes(figure('domain/provisioning/batch.ts', 'batchLifetimeMs') + figure('worker/abandonedBatches.ts', 'pollIntervalMs') + 30_000)} minutes where the service`,
    `A call takes at most ${lookAfter} s`,
    `within ${minutes(figure('domain/provisioning/batch.ts', 'batchLifetimeMs') + figure('worker/abandonedBatches.ts', 'pollIntervalMs') + 30_000)} minutes; the rest`,
    `names up to ${figure('domain/students/uniqueStudentIds.ts', 'maxNamed')} of them`,
  ],
  'docs/webhooks.md': [
    `retried for ${window} hours`,
    `port ${figuresIn('domain/webhooks/addresses.ts', /port !== (\d+) && port < (\d+)/).join(' or ')} to 65535`,
    `older than ${numberWord(figure('clients/typescript/src/hasValidSignature.ts', 'toleranceSeconds') / 60)} minutes`,
    `An institution has ${endpoints} endpoints at most, and creates at most ${createdAnHour} an hour`,
    `the same ${attemptSeconds} seconds`,
    `An endpoint has at most ${count(headerLimit('headers'))}, with names of at most ${count(headerLimit('nameLength'))} characters, values of at most ${count(headerLimit('valueLength'))} visible ASCII characters, and ${kib(headerLimit('totalBytes'))} KiB in all`,
    `a value of ${figure('domain/webhooks/maskHeaderValues.ts', 'minMaskedLength')} or more characters`,
    `not retried for ${window} hours`,
    `within ${attemptSeconds} seconds means`,
    `| 2 to ${retryWaits.length + 1} | ${retryWaits.join(', ')} after`,
    `| ${retryWaits.length + 2} | ${seconds(figure('domain/webhooks/retrySchedule.ts', 'lastAttemptLeadMs'))} s before the deadline, which is ${window} h`,
    `may have more than ${retryWaits.length + 2} attempts.`,
    `After ${toOpen} failures in a row`,
    `every ${seconds(phase(0, 'every'))} s for ${minutes(phase(0, 'until'))} minutes, every ${seconds(phase(1, 'every'))} s for an hour, then every ${minutes(phase(2, 'every'))} minutes`,
    `The deadline is ${window} h after`,
    `2xx for ${disabledHours} hours, pauses not counted, with at least ${attemptsToDisable} attempts in the last ${hours(figure('domain/webhooks/disableEndpoint.ts', 'dayMs'))} hours`,
    `the last attempt (${seconds(figure('domain/webhooks/retrySchedule.ts', 'lastAttemptLeadMs'))} s before`,
    `From day ${kept('events')} on`,
    `for ${orWarnings} % of the time after which it is disabled`,
    `at ${warnings} % of the ${disabledHours} hours`,
    `At ${warnings} % of the way, after ${listed(warnedHours)} hours without`,
    `to disable the endpoint: ${attemptsToDisable} in the last ${hours(figure('domain/webhooks/disableEndpoint.ts', 'dayMs'))} hours`,
    `after ${disabledHours} hours (\`failing\`)`,
    `gets at most, ${count(figure('domain/webhooks/rateLimits.ts', 'rateLimits.min'))} to ${count(figure('domain/webhooks/rateLimits.ts', 'rateLimits.max'))};`,
    `the ${window} hours of retries`,
    `is \`dead\` ${window} hours after its creation`,
    `leaves no room waits ${seconds(figure('activities/webhooks/retryDelivery.ts', 'recheckAfterMs'))} s`,
    `failed ${toOpen} times in a row (its circuit is open), or`,
    `its ${window} hours are over, its endpoint was disabled, it was held for ${heldDays} days, or`,
    `the newest ${figure('db/repositories/webhooks/deliveries.ts', 'maxAttemptsShown')} attempts`,
    `the first ${answerKib} KiB`,
    `within ${attemptSeconds} s |`,
    `a new window of ${window} hours`,
    `events for ${kept('events')} days and deliveries with their attempts for ${kept('deliveries')}.`,
    `their ${window} hours are paused`,
  ],
  'docs/recovering.md': [
    `| Less than ${window} hours |`,
    `Deliveries whose ${window} hours are over`,
    `| ${disabledHours} hours |`,
    `| More than ${kept('events')} days |`,
    `Each has ${window} hours from then on`,
    `Events are kept for ${kept('events')} days; what`,
    `the oldest ${count(figure('domain/webhooks/recoverDeliveries.ts', 'maxEventsCounted'))} events of the range`,
  ],
  'docs/rotating-secrets.md': [
    `is ${grace('min')} to ${grace('max')}, and ${grace('default')} unless given`,
    `that is within ${window} hours.`,
  ],
  'docs/receivers.md': [`older than ${numberWord(figure('clients/typescript/src/hasValidSignature.ts', 'toleranceSeconds') / 60)} minutes`],
};
