import { formatDelay } from '../../../lib/span';
import { maxHeaderSize } from 'node:http';
import { count, days, figure, figuresIn, hours, kib, lengthOf, mib, minutes, seconds, textsIn, numberWord } from '../../support/figures';
import { deferralWaitsMs } from '../../../domain/emails/deferralSchedule';
import { defaultQuotas } from '../../../domain/quotas/quotas';
import { schedules } from '../../../workflows/contract';
import { erasedRows, fromEnvironment, orWarnings, timeOf } from './integrators';
import { howFarLogsGo } from './officers';

const kept = (kind: string): string => days(figure('domain/retention/periods.ts', `retentionMs.${kind}`));
const exportDays = days(figure('domain/exports/writeExport.ts', 'exportKeptMs'));
const window = hours(figure('domain/webhooks/retrySchedule.ts', 'deliveryWindowMs'));
const sessionHours = hours(figure('domain/signIn/limits.ts', 'sessionLifetimeMs'));
const toOpen = figuresIn('domain/webhooks/circuitBreaker.ts', /failuresToOpen: (\d+)/)[0] ?? 0;
const ownWorkflows = figuresIn('domain/webhooks/circuitBreaker.ts', /maxWorkflows: (\d+)/)[0] ?? 0;
const phase = (nth: number, name: string): number => figure('domain/webhooks/circuitBreaker.ts', `probePhases.${nth}.${name}`);
const disabledHours = hours(figure('domain/webhooks/disableEndpoint.ts', 'disableAfterMs'));
const heldDays = figure('db/repositories/webhooks/deliveryStatus.ts', 'maxHeldDays');
const answerKib = kib(figure('outbound/webhooks/exchange.ts', 'maxStoredBytes'));
const consoleHours = hours(figure('console/session.ts', 'sessionMs'));
const [longestToken = 0, usualToken = 0] = figuresIn('api/http/request/staffBodies.ts', /most: (\d+), usual: (\d+)/);
const [lockMs = 0, statementMs = 0, idleMs = 0] = figuresIn('db/sessionSettings.ts', /serviceSettings: SessionSettings = \{ lock_timeout: '(\d+)', statement_timeout: '(\d+)', idle_in_transaction_session_timeout: '(\d+)'/);
const migrationTries = figure('db/runMigrations.ts', 'migrationLockRetry.tries');
const migrationLockMs = figure('db/runMigrations.ts', 'migrationLockTimeoutMs');
const migrationPauses = Array.from({ length: migrationTries - 1 }, (_pause, index) =>
  Math.min((index + 1) * figure('db/runMigrations.ts', 'migrationLockRetry.pauseMs'), figure('db/runMigrations.ts', 'migrationLockRetry.longestPauseMs')));
const migrationTriesMs = migrationPauses.reduce((sum, ms) => sum + ms, migrationTries * migrationLockMs);
const bulkSeconds = fromEnvironment('BULK_WAIT_MS') / 1_000;
const claimSeconds = seconds(figure('db/repositories/webhooks/sending.ts', 'claimLeaseMs'));
const attemptSeconds = seconds(figure('outbound/webhooks/webhookClient.ts', 'exchangeTimeoutMs'));
const deadAfter = minutes(figure('domain/webhooks/reconcileDeliveries.ts', 'lostAfterMs'));
const temporalDays = (figuresIn('deploy/temporal/set-up-namespace.sh', /--retention (\d+)h/)[0] ?? 0) / 24;
const auditDays = figuresIn('db/migrations/1795996800000-audit.ts', /at < now\(\) - interval '(\d+) days'/)[0] ?? 0;
const throughputKib = kib(figure('api/http/response/minimumThroughput.ts', 'defaultThroughput.bytes'));
const uploadKib = kib(figure('api/http/request/multipart.ts', 'minimumBytes'));
const download = (name: string): number => figure('api/http/response/downloadLimits.ts', `defaultDownloadLimits.${name}`);
const place = (name: string): number => figure('activities/webhooks/attemptConcurrency.ts', name);
const guardianDays = days(figure('domain/guardians/invitation.ts', 'invitationLifetimeMs'));
const developerDays = days(figure('domain/developers/invitation.ts', 'invitationLifetimeMs'));
const endpoints = figure('domain/webhooks/createEndpoint.ts', 'maxEndpoints');
const activeKeys = figure('domain/keys/createKey.ts', 'maxActiveKeys');
const progressReports = count(figure('domain/alpha/recordProgress.ts', 'maxProgressReportsPerDay'));
const examFiles = count(figure('domain/exams/limits.ts', 'maxExamFiles'));
const weeks = figure('domain/retention/periods.ts', 'retentionMs.weeklyReports') / 7 / 86_400_000;
const argumentWeeks = figuresIn('workflows/weeklyGuardianReport.ts', /a time of the last (\d+) weeks/)[0] ?? 0;
const claims = figure('domain/signIn/claimLimit.ts', 'claimsPerPeriod.claims');
const codeTries = figure('domain/signIn/limits.ts', 'wrongTriesPerPeriod.tries');
const couponCharacters = figure('domain/coupons/codes.ts', 'length');
const bodyMib = mib(figure('api/http/request/jsonBody.ts', 'maxBodyBytes.withSchema'));
const [keyLeast = 0, keyMost = 0] = figuresIn('api/operations/keys/keys.schemas.ts', /rate_limit_per_min: wholeNumber\((\d+), (\d+)\)/);
const putOff = (nth: number): number => deferralWaitsMs[nth] ?? Number.NaN;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const history = (name: string): number => figure('bench/week/weekChecks.ts', `maxHistory.${name}`);
const lookedAt = count(figure('db/repositories/support/deliveries.ts', 'maxRowsScanned.listing'));
const listMost = figure('cli/list.ts', 'maxPages') * figure('cli/list.ts', 'maxPageSize');

const keyBytes = figuresIn('config/serviceKeys.ts', /key\.length !== (\d+)/)[0] ?? 0;
const resealed = count(figure('domain/secrets/reseal.ts', 'rowsPerChunk') * (1_000 / figure('workflows/reseal.ts', 'chunkPause')));
const backupDays = figuresIn('deploy/backup/base-backup.sh', /KEEP_DAYS:-(\d+)/)[0] ?? 0;
const everySecond = (...intervals: readonly number[]): string => (intervals.every((ms) => ms === 1_000) ? 'second' : 'other than a second');
/** Where Compose publishes a service. */
const published = (name: string): string => textsIn('docker-compose.yml', new RegExp(`${name.toUpperCase()}_PUBLISHED:-([\\d.:]+)\\}`)).join('');

const givenUpDays = numberWord(days(figure('workflows/emailBatch.ts', 'giveUpAfterMs')));
const atOnce = numberWord(figure('domain/emails/claimedEmail.ts', 'emailsPerBatch'));
const seats = numberWord(figure('domain/devices/limits.ts', 'seatsPerApp'));
const invitationRetry = numberWord(figuresIn('workflows/invitation.ts', /maximumInterval: '(\d+) minutes'/)[0] ?? 0);

/** Sentences for operators with the figures that the code has now, by their document. */
export const operatorFigures: Record<string, readonly string[]> = {
  'docs/security.md': [
    `Keys are ${figure('domain/keys/createKey.ts', 'secretLength')} random characters of ${lengthOf('domain/keys/createKey.ts', 'alphabet')}`,
    `valid for ${minutes(figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes, ${figure('domain/signIn/limits.ts', 'triesPerCode')} tries and one session; an account gets ${figure('domain/signIn/limits.ts', 'codesPerPeriod.codes')} an hour, and is locked for an hour after ${codeTries} wrong tries in a day`,
    `after ${numberWord(figure('console/signInAttempts.ts', 'limit.max'))} wrong ones`,
    `a client address, or an IPv6 network, has ${figuresIn('api/http/security/limitClientAddress.ts', /sign-in\/codes', (\d+)\]/)[0] ?? 0} requests for codes and ${figuresIn('api/http/security/limitClientAddress.ts', /sign-in\/sessions', (\d+)\]/)[0] ?? 0} tries a minute`,
    `A person has ${figure('domain/signIn/limits.ts', 'maxSessions')} sessions at most`,
    `personal tokens of ${figure('domain/staff/tokens.ts', 'tokenBytes')} random bytes, kept as hashes, for ${longestToken} days at most`,
    `is kept by the hash of its id, for ${consoleHours} hours`, `stays in the console for up to ${consoleHours} hours`,
    `${seats} seats in each app`, `tokens are ${figure('domain/signIn/sessions.ts', 'tokenBytes')} random bytes, kept as hashes, for ${sessionHours} hours`,
    `for ${guardianDays} or ${developerDays} days`, `| ${keyLeast} to ${count(keyMost)} a minute for each key, ${activeKeys} keys;`,
    `A client address has ${count(figure('api/http/security/limitClientAddress.ts', 'appCallsPerMinute'))} a minute at the apps' listener`,
    `has ${figure('api/http/security/limitConcurrency.ts', 'callsOfPerson.slots.call')} calls and ${figure('api/http/security/limitConcurrency.ts', 'callsOfPerson.slots.upload')} uploads in progress`,
    `| ${bodyMib} MiB, ${kib(figure('api/http/request/jsonBody.ts', 'maxBodyBytes.withoutSchema'))} KiB where none is wanted; ${figure('api/http/request/safeJson.ts', 'maxDepth')} levels, ${count(figure('api/http/request/safeJson.ts', 'maxValues'))} values; ${seconds(figure('api/http/request/deadlines.ts', 'defaultDeadlines.body'))} s to arrive`,
    `refused; ${figure('api/http/security/limitConcurrency.ts', 'largeBodies.slots.json')} large ones`,
    `| ${kib(maxHeaderSize)} KiB, ${seconds(figure('api/http/request/deadlines.ts', 'defaultDeadlines.headers'))} s; ${figure('api/listener.ts', 'maxPipelinedRequests')} requests ahead`,
    `${uploadKib} KiB in ${seconds(figure('api/http/request/upload.ts', 'defaultIdleMs'))} s at least; ${examFiles} files an exam, ${count(figure('domain/attempts/storeAttemptFile.ts', 'maxAttemptFiles'))} an attempt`,
    `| ${figuresIn('api/http/request/fields.ts', /limit: wholeNumber\(1, (\d+)\)/)[0] ?? 0} items a page`,
    `| ${figure('api/http/dispatch.ts', 'maxConcurrentFiles')} exports of an institution at a time; ${download('perProcess')} downloads of a process, ${download('perInstitution')} of an institution, ${download('perFile')} of a file, ${download('perReader')} of a file by one reader, ${download('maxWaiting')} waiting; who takes less than ${throughputKib} KiB a minute of an export, or ${kib(download('throughput.bytes'))} KiB in ${numberWord(minutes(download('throughput.withinMs')))} minutes of a file, is cut off, and a download ends ${minutes(download('graceMs'))} minutes after`,
    `${seconds(lockMs)} s for a lock, ${seconds(statementMs)} s for a statement, ${seconds(idleMs)} s idle`,
    `has ${figure('worker/institutionConcurrency.ts', 'slotsPerInstitution.emails')} of the ${fromEnvironment('WORKER_EMAIL_SLOTS')} slots; ${figure('domain/guardians/limitInvitationEmails.ts', 'invitationsPerPeriod.emails')} invitations an address and day; sign-in emails: ${figure('domain/signIn/codeEmails.ts', 'maxQueuedPerLoginEmail')} waiting of a login email, ${figure('worker/signIn/codeEmailSender.ts', 'maxConcurrentPerInstitution')} of a worker's ${figure('worker/signIn/codeEmailSender.ts', 'maxConcurrent')} slots for an institution, ${count(figure('domain/signIn/emailQueue.ts', 'maxQueued'))} waiting in all, each for ${minutes(2 * figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes at most`,
    `| ${endpoints} endpoints, ${attemptSeconds} s an attempt, ${figuresIn('outbound/webhooks/webhookClient.ts', /connectionsPerOrigin = (\d+)/)[0] ?? 0} connections an origin, ${ownWorkflows} retries with a workflow of their own, a circuit after ${toOpen} failures`,
    `${count(fromEnvironment('MAX_CONNECTIONS'))} connections of a listener`,
    `; ${defaultQuotas.attempt_bytes / 1024 ** 3} GiB an attempt, ${defaultQuotas.student_bytes / 1024 ** 3} GiB a student`,
    `less than ${100 / (figuresIn('outbound/files/freeSpace.ts', /minimumPart = 1 \/ (\d+)/)[0] ?? 0)} % or ${fromEnvironment('MINIMUM_FREE_BYTES') / 1024 ** 3} GiB free`,
    `; ${count(defaultQuotas.daily_new_addresses)} emails to new addresses`, `codes of ${couponCharacters} random characters`,
    `limits: ${progressReports} progress reports`, `port of ${figuresIn('domain/webhooks/addresses.ts', /port !== (\d+) && port < (\d+)/).join(' or from ')} on`,
    `answer ${kib(figure('outbound/webhooks/exchange.ts', 'maxResponseBytes'))} KiB are read and ${answerKib} KiB kept`, `ends within ${attemptSeconds} s`,
  ],
  'docs/operations/cli.md': [
    `looks through the newest ${count(figure('db/repositories/support/eventsAbout.ts', 'maxEventsScanned'))} events`, `It takes ${count(listMost)} items`, `says of up to ${figure('cli/commands/search.ts', 'maxTexts')} ids`,
    `a wait of ${numberWord(seconds(figure('cli/call.ts', 'announcedWaitMs')))} seconds or more`,
    `count up to ${count(figure('db/repositories/support/counts.ts', 'maxCount') + 1)} deliveries`,
    `the newest ${count(figure('db/repositories/support/endpoints.ts', 'maxDeadScanned'))} of the institution`,
    `failed attempts in a row, counted up to ${count(figure('db/repositories/support/outages.ts', 'maxOutageAttempts'))}`, `the exit code is ${figure('cli/errors.ts', 'exitCodes.refused')}`, `lists the oldest ${figure('domain/webhooks/missedEvents.ts', 'maxMissedListed')} events`,
    '| 0 | Done |',
    `| ${figure('cli/errors.ts', 'exitCodes.refused')} | The service refused`, `| ${figure('cli/errors.ts', 'exitCodes.usage')} | The command line is wrong`,
    `| ${figure('cli/errors.ts', 'exitCodes.unreachable')} | The service cannot be reached`,
    `| ${figure('cli/errors.ts', 'interruptExitCodes.SIGINT')} | Ctrl-C (${figure('cli/errors.ts', 'interruptExitCodes.SIGTERM')}: SIGTERM)`,
  ],
  'docs/operations/console.md': [
    ...howFarLogsGo, `exact below ${minutes(figure('lib/span.ts', 'exactBelowMs'))} minutes: ${formatDelay(158_000)})`,
    `signed in for ${consoleHours} hours`, `until its ${consoleHours} hours are over`,
    `more than ${minutes(figure('console/providerSignIn.ts', 'startedMs'))} minutes`,
    `valid for ${usualToken} days unless another number is given, at most for ${longestToken}`,
    `${capital(numberWord(figure('console/signInAttempts.ts', 'limit.max')))} wrong tokens`,
    ...['counted up to', 'how many there are, up to'].map((words) => `${words} ${count(figure('db/repositories/support/counts.ts', 'maxCount'))}`),
    `looked for ${lookedAt} deliveries at a time`,
    `the first ${answerKib} KiB`, `lists the oldest ${figure('domain/webhooks/missedEvents.ts', 'maxMissedListed')} with links`, `of the oldest ${count(figure('domain/webhooks/recoverDeliveries.ts', 'maxEventsCounted'))} events of the time`,
    `of up to ${figure('console/pages/replay.ts', 'againShown')} deliveries that were replayed again`, `pruned, after ${kept('events')} days`,
    `since when (for ${kept('events')} days)`,
    `newest ${count(figure('db/repositories/support/endpoints.ts', 'maxStatsAttempts'))} attempts`,
    `(${toOpen} failures in a row`,
    `new window of ${window} hours`,
    `| ${window} hours over |`,
    `failed ${figure('domain/webhooks/retrySchedule.ts', 'lastAttemptLeadMs') / 1_000} s before`,
    `| held for ${heldDays} days |`,
    `skips ${heldDays} days`,
    `What is held for ${heldDays} days`,
    `how many of its ${figure('lib/typeId.ts', 'suffixLength')} characters`,
    `looked for ${count(figure('db/repositories/support/eventsAbout.ts', 'maxEventsScanned'))} events at a time`,
    `at most ${figure('db/repositories/support/events.ts', 'maxEndpointsOfEvent')} endpoints, and reads at most ${count(figure('db/repositories/support/events.ts', 'maxChanges'))} changes`,
    `looked for ${count(figure('db/repositories/auditLog/auditLog.ts', 'maxCallsScanned'))} calls at a time`,
  ],
  'docs/operations/overview.md': [
    `over ${claims} accounts of an institution`,
    `none gets older than ${minutes(2 * figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes`,
    `histories for ${temporalDays} days`,
    `buckets of ${numberWord(figure('api/http/security/rateLimit.ts', 'windowSeconds') * 2 / 60)} minutes`,
    `bodies of ${bodyMib} MiB`,
    `and for ${minutes(figure('api/http/request/deadlines.ts', 'defaultDeadlines.request'))} minutes, waits for an answer for at least ${bulkSeconds + 5} s (a bulk call takes up to ${bulkSeconds} s), and closes idle connections to the API before ${seconds(figure('api/listener.ts', 'keepAliveTimeout'))} s`,
    `others after ${claimSeconds} s`,
    `at most ${seconds(figure('config/shutdown.ts', 'abortGraceMs') + figure('config/shutdown.ts', 'closeTimeoutMs'))} s later the process has ended`,
    `(\`stop_grace_period\`, ${textsIn('docker-compose.yml', /&service\n[\s\S]*?stop_grace_period: (\d+)s/).join('')} s)`,
    `A bulk call takes up to ${bulkSeconds} s, an attempt up to ${attemptSeconds} s: with less than ${fromEnvironment('SHUTDOWN_TIMEOUT_MS') / 1_000} s in all`,
    ...['api', 'platform', 'apps', 'temporal_ui', 'mailpit'].map((name) => `| ${published(name)} |`),
    `admin-tools\` ${textsIn('docker-compose.yml', /temporalio\/server:([\d.]+)/).join('')}:`,
    `Comma list of \`<id>:<base64 of ${keyBytes} bytes>\``,
    `base64 of ${keyBytes} bytes: signatures`,
    `at least ${figure('config/settings.ts', 'minTokenLength')} characters`,
    `once in ${seconds(figure('worker/gauges.ts', 'gaugesEveryMs'))} s (those that begin with \`postgres_\` once a minute) and for ${seconds(figure('worker/start.ts', 'gaugesTimeoutMs'))} s at most`,
    `within ${figuresIn('config/logger.ts', /forMs: (\d+)/)[0] ?? 0} ms; a warning`,
    `the lines of its last ${figuresIn('config/logger.ts', /forMs: (\d+)/)[0] ?? 0} ms`,
    `Counts stop at ${count(figure('db/repositories/metrics/gauges.ts', 'maxCounted'))}`,
  ],
  'docs/operations/tracing.md': [`a statement that took ${figure('lib/tracing.ts', 'shownFromMs')} ms or more`, `gives its last spans ${numberWord(figure('config/tracingSdk.ts', 'flushWithinMs') / 1_000)} second`],
  'docs/operations/scaling.md': [
    `at most ${window} hours and the pauses`,
    `one a call that changes something | ${auditDays} days from the end of their month`,
    `one an attempt | ${kept('deliveries')} days`,
    `| ${kept('events')} days and to the end of their day`,
    `an invitation | ${temporalDays} days after its end`,
    `uses over ${Math.round(100 * (figuresIn('docs/operations/alerts.yml', /institution-api"\}\[10m\]\)\) > ([\d.]+)/)[0] ?? 0))} % of a core for 10 minutes, \`rate`,
    `Over ${Math.round(100 * (figuresIn('docs/operations/alerts.yml', /postgres_max_connections\) > ([\d.]+)/)[0] ?? 0))} % of Postgres's connections`,
    `Events wait for over ${(figuresIn('docs/operations/alerts.yml', /webhook_event_queue_age_seconds\) > ([\d.]+)\n {8}for: 10m/)[0] ?? 0)} s though`,
  ],
  'docs/operations/upgrading.md': [
    `their attempts are kept for ${kept('deliveries')} days`,
    `\`APP_PORT\` (${fromEnvironment('APP_PORT')}), under the same paths`,
    `waits for a lock ${seconds(migrationLockMs)} s at a time`,
    `It waits up to ${numberWord(minutes(figure('worker/deployMain.ts', 'registrationMs')))} minutes`,
    `or took longer than ${figure('test/upgrade/options.ts', 'numbers.slowest') === 1_000 ? 'a second' : ''};`,
    `may take ${numberWord(figure('test/upgrade/main.ts', 'statementsPerCall'))} times as long`,
  ],
  'docs/adding-an-endpoint.md': [`waits for a lock ${seconds(migrationLockMs)} s at a time, up to ${migrationTries} times`],
  'docs/operations/runbook.md': [
    ...howFarLogsGo, `${figure('domain/signIn/limits.ts', 'codesPerPeriod.codes')} codes were asked for in this hour`, `${capital(numberWord(codeTries))} wrong codes within a day`,
    `wait up to ${seconds(migrationLockMs)} s (${seconds(2 * migrationLockMs)} s for a foreign key, which locks two tables; ${numberWord(figure('db/migrations/briefLocks.ts', 'lockTries'))} times ${figure('db/migrations/briefLocks.ts', 'lockTimeoutMs')} ms for partitions)`,
    `gives up after ${migrationTries} tries, about ${Math.round(migrationTriesMs / 60_000)} minutes`,
    `Each minute ${claims} more accounts`,
    `still lists them for ${temporalDays} days`,
    `The buffer of a process, ${count(figure('domain/disclosures/disclosureLog.ts', 'defaultCapacity'))} reads,`,
    `above ${textsIn('docs/operations/alerts.yml', /nodejs_eventloop_lag_p99_seconds\{.*\}\) > ([\d.]+)/).join('')};`,
    `more than ${deadAfter} minutes late`,
    `after ${window} hours a delivery is dead`,
    `end after ${seconds(statementMs)} s, waits for a lock after ${seconds(lockMs)} s, idle transactions after ${seconds(idleMs)} s`,
    `answers 500 after ${bulkSeconds} s`,
    `keep their deadline: ${window} hours from creation`,
    `get the full ${window} hours`,
    `never attempted is dead ${window} hours after its creation`,
    `was not mailed within ${minutes(figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes`,
    `Once ${count(figure('domain/signIn/emailQueue.ts', 'maxQueued'))} codes wait`,
    `had claimed is released after ${claimSeconds} s`,
    `the ${window} hours of each`,
    `its event for ${kept('events')} days`,
    `\`open\` (${toOpen} failures in a row)`,
    `after ${heldDays} days it is dead`, `kept for ${auditDays} days`,
    `(kept for ${kept('seats')} days)`,
    `are tried for ${givenUpDays} days from`,
    `gives a person ${seats} seats`,
    `${givenUpDays} days of a mail server that was away`,
    `lasts ${sessionHours} hours`,
    `more than ${kept('weeklyReportLetters')} days have passed`,
    // The longest of what is kept for as long.
  ],
  'docs/testing.md': [
    `ends ${figuresIn('test/command/keepStack.ts', /idleMinutes = (\d+)/)[0] ?? 0} minutes after`,
    `The image's Node ${textsIn('test/command/node24.ts', /version = '(\d+)\./).join('')}, fetched`,
    `more than ${seconds(figure('test/support/jest/pace.js', 'limits.fileMs'))} s, or`,
    `also take ${figure('test/support/jest/pace.js', 'limits.fileToMedian')} times`,
    `name the ${numberWord(figuresIn('test/support/jest/closingLines.js', /files\.slice\(0, (\d+)\)/)[0] ?? 0)} slowest files`,
    `looks every ${figuresIn('test/support/eventually.ts', /setTimeout\(resolve, (\d+)\)/)[0] ?? 0} ms`, `up to ${figure('test/command/secondRun.ts', 'maxFiles')} files that failed`,
  ],
  'docs/operations/temporal-cloud.md': [
    `with a retention of ${temporalDays} days`,
    `looks at the files every ${everySecond(figure('worker/temporalConnection.ts', 'renewEveryMs'), figure('outbound/temporal/credentials.ts', 'checkEveryMs'))}.`,
    `${numberWord(minutes(figure('outbound/temporal/renewedConnection.ts', 'retiredCloseMs')))} minutes later`,
  ],
  'docs/operations/keys.md': [
    `\`<id>:<base64 of ${keyBytes} bytes>\``,
    `An id has 1 to ${figuresIn('config/serviceKeys.ts', /\{1,(\d+)\}/)[0] ?? 0} letters`,
    `for ${minutes(figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes; of enrolment codes, for ${days(figure('domain/signIn/enrolmentCode.ts', 'enrolmentCodeLifetimeMs'))} days | The code`,
    `for ${figure('domain/files/fileUrls.ts', 'fileUrlSeconds') / 3_600} hour | The URL`,
    `for ${guardianDays} and ${developerDays} days | The link`,
    `at most ${resealed} rows a second`,
    `has signed: ${figure('domain/files/fileUrls.ts', 'fileUrlSeconds') / 3_600} hour for file URLs`,
  ],
  'docs/operations/backup.md': [
    `keep versions that are no longer current for ${backupDays} days`,
    `histories of ${temporalDays} days`,
    `keeps removed files for ${backupDays} days`,
    `is in them for ${backupDays + 1} days at most`,
    `older than ${backupDays} days`,
    `keep their ${window} hours from`,
    `Are closed ${numberWord(minutes(figure('domain/provisioning/batch.ts', 'batchLifetimeMs')))} minutes after`,
  ],
  'docs/operations/week.md': [
    `events of over ${kept('events')} and deliveries of over ${kept('deliveries')} days`,
    `| ${figure('bench/week/weekChecks.ts', 'maxMemoryRise') * 100} % more; of the worker ${figure('bench/week/weekChecks.ts', 'mbPerWaitingWorkflow')} MB more`,
    `| ${count(history('events'))} events and ${history('kilobytes') / 1_024} MB`,
  ],
  'docs/operations/workflows.md': [
    ...['archives', 'erasures'].map((queue) => `\`WORKER_${queue.slice(0, -1).toUpperCase()}_SLOTS\`, ${figure('worker/institutionConcurrency.ts', `slotsPerInstitution.${queue}`)} of them of one institution`),
    `One institution runs at most ${numberWord(figure('worker/institutionConcurrency.ts', 'slotsPerInstitution.emails'))}`,
    `at most ${fromEnvironment('WORKER_ATTEMPT_SLOTS')} attempts for workflows at once: at most ${place('maxPerInstitution')} of one institution; of one endpoint ${place('maxPerEndpoint.unknown')} until its first answer is known, then ${place('maxPerEndpoint.quick')} if that took less than ${seconds(place('slowThresholdMs'))} s, else ${place('maxPerEndpoint.slow')}. Endpoints not known to be quick have ${place('maxNotQuick')} of the ${place('maxTotal')} together`,
    `to the sender ${seconds(figure('activities/webhooks/retryDelivery.ts', 'recheckAfterMs'))} s later`,
    `a probe are retried after ${seconds(Math.max(figure('activities/webhooks/retryDelivery.ts', 'recheckAfterMs'), figure('activities/webhooks/backlog.ts', 'probeRetryMs')))} s`,
    ...schedules.map(({ scheduleId, calendar }) => `\`${scheduleId}\` ${'dayOfWeek' in calendar ? 'on Mondays' : 'daily'} at ${timeOf(scheduleId)} UTC`),
    `failed for ${orWarnings} % of the ${disabledHours} hours after`,
    `table by table, at most ${resealed} rows a second`,
    `it fails after ${figuresIn('workflows/reseal.ts', /scheduleToCloseTimeout: '(\d+) minutes'/)[0] ?? 0} minutes`,
    `tried for ${numberWord(figuresIn('workflows/endpointNotice.ts', /scheduleToCloseTimeout: '(\d+) days'/)[0] ?? 0)} days`,
    `${atOnce} at a time`,
    `After ${givenUpDays} days it gives up`,
    `${capital(givenUpDays)} days were not enough`,
    `at most the ${atOnce} emails`,
    `${numberWord(figuresIn('workflows/emailBatch.ts', /maximumInterval: '(\d+) minutes'/)[0] ?? 0)} minutes once that works`,
    `${invitationRetry} minutes once that works`,
    `one day and ${numberWord(figuresIn('workflows/couponBatchApproval.ts', /remindersAfterMs = \[dayMs, (\d+) \* dayMs\]/)[0] ?? 0)} days after the request`,
    `given up after ${numberWord(figuresIn('workflows/couponBatchApproval.ts', /scheduleToCloseTimeout: '(\d+) days'/)[0] ?? 0)} days`,
    // The end of a batch's life, and the next look of a worker.
    `within about ${numberWord(Math.ceil((figure('domain/provisioning/batch.ts', 'batchLifetimeMs') + figure('worker/abandonedBatches.ts', 'pollIntervalMs')) / 60_000))} minutes`,
    `tried for ${figuresIn('workflows/housekeeping.ts', /scheduleToCloseTimeout: '(\d+) minutes'/)[0] ?? 0} minutes`,
    `At most ${ownWorkflows} are open`,
    `| ${window} hours of failures |`,
    `more than ${ownWorkflows} are being retried`,
    `(${toOpen} failures in a row) it tries the oldest delivery every ${seconds(phase(0, 'every'))} s for ${minutes(phase(0, 'until'))} min, every ${seconds(phase(1, 'every'))} s for an hour, then every ${minutes(phase(2, 'every'))} min;`,
    `those whose ${window} hours are over or that were held for ${heldDays} days, and disables an endpoint that has failed for ${disabledHours} hours`,
    `after ${disabledHours} hours without a success (pauses not counted) and at least ${figure('domain/webhooks/disableEndpoint.ts', 'minAttemptsToDisable')} attempts in the last ${hours(figure('domain/webhooks/disableEndpoint.ts', 'dayMs'))},`,
    `oldest first, ${figure('domain/webhooks/replayDeadChunk.ts', 'chunkSize')} in a transaction`,
    `that has none, ${figure('domain/webhooks/recoverChunk.ts', 'chunkSize')} in a transaction`,
    `after ${minutes(putOff(0))} min, ${minutes(putOff(1))} min, ${minutes(putOff(2))} min and so on to ${hours(putOff(8))} h, ${numberWord(deferralWaitsMs.length + 1)} times in all`,
    `what is due, ${figure('domain/attempts/abandonDueAttempts.ts', 'abandonChunk')} in a transaction`,
    `a reminder ${days(figure('workflows/guardianInvitation.ts', 'reminderAfterMs'))} days later`,
    `(${guardianDays} days), when a newer one has taken its place, or when the link`,
    `(${developerDays} days), when a newer one has taken its place, or when they`,
    `creates the codes, ${figure('domain/coupons/createCodes.ts', 'codesPerTransaction')} in a transaction`,
    `${figure('domain/licenses/expireDueLicenses.ts', 'expiryChunk')} a second at most for one institution`,
    `${figure('domain/reports/writeWeeklyReports.ts', 'reportChunk')} students a second`,
    `a time of the last ${argumentWeeks} weeks.`,
    `Give a time of the last ${argumentWeeks} weeks`,
    `those that ended more than ${kept('events')} days ago are dropped`,
    `days that ended more than ${kept('events')} days ago, one institution after another, ${count(figure('domain/retention/pruneOldEvents.ts', 'eventChunk'))} events a second`,
    `older than ${kept('deliveries')} days`, `of deliveries, which have a week, after ${kept('deliveries')} days`, `deleted more than ${kept('deliveries')} days ago`,
    `${count(figure('domain/retention/pruneOldDeliveries.ts', 'deliveryChunk'))} a second at most`,
    `unused rows ${kept('sessions')} days after their end`,
    `emails of weekly reports ${kept('weeklyReportLetters')} days after the last of the week, and reports after ${weeks} weeks; seats of devices ${kept('seats')} days after their end; progress reports of Alpha Learning after ${kept('alphaProgress')} days`,
    `at most ${erasedRows} rows in a transaction or ${figure('domain/sandbox/eraseSandbox.ts', 'filesPerChunk')} files at a time`,
    `emails that sandboxes kept after ${kept('sandboxEmails')} days`,
    `statistics of webhook endpoints after ${kept('endpointStatistics')} days`,
    `sign-ins after ${kept('signIns')} days`,
    `enrolment codes ${kept('enrolmentCodes')} days after their expiry`,
    `archives of [exports](../export.md) after ${exportDays} days`,
    `deletes it after ${exportDays} days`,
    `recordings ${figure('domain/retention/institutionPeriods.ts', 'retentionBounds.recording_days.default')} days after their submission was graded or voided, details ${figure('domain/retention/institutionPeriods.ts', 'retentionBounds.proctoring_days.default')} days after`,
    `at most ${figure('domain/retention/eraseSuspended.ts', 'peoplePerRun')} of an institution, each a \`personErasure\``,
    `read-only for ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days, terminates`,
    `Running for ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days`,
    `at most ${figure('domain/retention/removeOldTraces.ts', 'attemptsWithRecordings')} attempts for recordings and ${figure('domain/retention/removeOldTraces.ts', 'attemptsWithDetails')} for details`,
  ],
};
