import type { ScheduleHandle } from '@temporalio/client';
import type { RunningWorker } from '../../worker/start';
import { SessionEntity } from '../../db/entities/session';
import { newId } from '../../domain/ids';
import { eventChunk } from '../../domain/retention/pruneOldEvents';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { schedules, type ScheduleDefinition } from '../../workflows/contract';
import type { deliveryRetention } from '../../workflows/deliveryRetention';
import type { eventRetention } from '../../workflows/eventRetention';
import type { housekeeping } from '../../workflows/housekeeping';
import type { institutionRetention } from '../../workflows/institutionRetention';
import type { RetentionProgress } from '../../workflows/retentionPass';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { seedFile } from '../support/seed/files';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { daysBefore } from '../support/time';
import { seedAuditLog } from '../support/seed/auditLog';
import { seedDisclosurePartition } from '../support/seed/disclosures';
import { seedTraces } from '../support/seed/traces';
import { seedEvents } from '../support/seed/events';
import { seedProgressReports } from '../support/seed/enrollments';
import { seedSeat } from '../support/seed/seats';
import { seedExam } from '../support/seed/exams';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { createResource } from '../support/resourceFactories';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { waitUntilPolling, startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;
let temporal: TemporalConnection;

const own = schedules.filter(({ scheduleId }) => scheduleId !== 'license-expiry-sweep');

beforeAll(async () => {
  api = await startTestApi();
  temporal = openTestTemporal(api.settings);
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

afterAll(async () => {
  await Promise.all(own.map(({ scheduleId }) => scheduleOf(scheduleId).delete().catch(() => undefined)));
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
});

const scheduleOf = (scheduleId: string): ScheduleHandle => temporal.client.schedule.getHandle(scheduleId);
const options = () => ({ workflowId: `retention-${newId('req')}`, taskQueue: api.settings.taskQueue });
const retainEvents = (before: RetentionProgress) => temporal.client.workflow.start<typeof eventRetention>('eventRetention', { ...options(), args: [before] });
const retainDeliveries = (before: RetentionProgress) =>
  temporal.client.workflow.start<typeof deliveryRetention>('deliveryRetention', { ...options(), args: [before] });
const tidyUp = (...args: Parameters<typeof housekeeping>) => temporal.client.workflow.start<typeof housekeeping>('housekeeping', { ...options(), args });

/** What the Web UI shows as the workflow's current details, and the outcome by which it is found. */
async function shown(workflowId: string): Promise<{ details: string; outcome: unknown }> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  const { currentDetails: details } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  const { typedSearchAttributes } = await handle.describe();
  return { details, outcome: typedSearchAttributes.getAll().find(({ key }) => key.name === 'Outcome')?.value };
}

const pass = (changes: Partial<RetentionProgress> = {}): RetentionProgress => ({
  nowMs: Date.now(), afterId: '', unfinished: null, removed: 0, kept: 0, institutions: 0, failed: [], ...changes,
});

/** A pass that begins right before this institution, and so comes to it alone: it is the newest. */
const passFor = ({ id }: TestInstitution, changes: Partial<RetentionProgress> = {}) => pass({ afterId: id.slice(0, -1), ...changes });

const eventsLeft = async ({ id }: TestInstitution) => (await api.api.domain.database.sql('SELECT 1 FROM events WHERE institution_id = $1', [id])).length;

it.each<ScheduleDefinition>(own)('$scheduleId runs daily, or on its day of the week, one run at a time', async ({ scheduleId, calendar, workflowType }) => {
  const { action, policies, info } = await eventually('the Schedule on our task queue', async () => {
    const description = await scheduleOf(scheduleId).describe().catch(() => undefined);
    return description?.action.taskQueue === api.settings.taskQueue && description;
  });
  const at = `${String(calendar.hour).padStart(2, '0')}:${String(calendar.minute).padStart(2, '0')}:00.000Z`;
  const [first, second] = info.nextActionTimes;
  expect([first, second].map((time) => time?.toISOString().slice(11))).toEqual([at, at]);
  expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBe((calendar.dayOfWeek === undefined ? 1 : 7) * 86_400_000);
  if (calendar.dayOfWeek !== undefined) expect(first?.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toUpperCase()).toBe(calendar.dayOfWeek);
  expect([policies.overlap, action.workflowType]).toEqual(['SKIP', workflowType]);
});

it('eventRetention, triggered, prunes the old events of every institution, in chunks, and says so in a sentence', async () => {
  const [institution, otherInstitution] = [await api.institution(), await api.institution()];
  const old = daysBefore(new Date(), 31);
  await seedEvents(api, institution, { createdAt: old, count: eventChunk + 3 });
  await seedEvents(api, otherInstitution, { createdAt: old });
  // An open delivery of a paused endpoint: nothing ends it meanwhile.
  const [stays] = await seedEvents(api, otherInstitution, { createdAt: daysBefore(new Date(), 32) });
  const endpointId = await seedEndpoint(api, otherInstitution, 'https://receiver.example/', { status: 'paused', pausedAt: new Date() });
  await seedDelivery(api, otherInstitution, endpointId, { eventId: stays ?? '', status: 'held' });
  const young = [await eventsLeft(institution) - eventChunk - 3, await eventsLeft(otherInstitution) - 2];

  const schedule = scheduleOf('event-retention');
  await schedule.trigger();
  const { action } = await eventually('the triggered run', async () => (await schedule.describe()).info.recentActions.at(-1));
  const handle = temporal.client.workflow.getHandle(action.workflow.workflowId);
  expect(await handle.result()).toEqual({ removed: eventChunk + 4, kept: 1, institutions: 2 });
  const { details, outcome } = await shown(handle.workflowId);
  expect(details).toMatch(/^5,004 events older than 30 days at \S+Z pruned in 2 institutions; kept because still to be sent: 1\.$/);
  expect(outcome).toBe('done');
  expect([await eventsLeft(institution), await eventsLeft(otherInstitution) - 1]).toEqual(young);
});

it('a pass goes on where the run before it stopped, within an institution too', async () => {
  const institution = await api.institution();
  const [first, second] = [daysBefore(new Date(), 40), daysBefore(new Date(), 31)];
  const [behind = ''] = await seedEvents(api, institution, { createdAt: first });
  await seedEvents(api, institution, { createdAt: second });
  const before = passFor(institution, {
    removed: 1_198, kept: 2, institutions: 2, unfinished: { institutionId: institution.id, after: { createdAtMs: first.getTime(), id: behind } },
  });
  const retention = await retainEvents(before);
  expect(await retention.result()).toEqual({ removed: 1_199, kept: 2, institutions: 3 });
  expect(await api.api.domain.database.sql('SELECT 1 FROM events WHERE id = $1', [behind])).toHaveLength(1);
  await recordHistory('eventRetention', retention);
});

it('a pass goes by the time it started with, not by the time it is', async () => {
  const institution = await api.institution();
  await seedEvents(api, institution, { createdAt: daysBefore(new Date(), 31) });
  const retention = await retainEvents(passFor(institution, { nowMs: Date.now() - 2 * 86_400_000 }));
  expect(await retention.result()).toEqual({ removed: 0, kept: 0, institutions: 0 });
});

it('with institutions given up a pass ends as failed, with what it did do', async () => {
  const retention = await retainDeliveries(pass({ afterId: 'zzz', removed: 7, institutions: 1, failed: ['ins_poisoned'] }));
  await expect(retention.result()).rejects.toMatchObject({
    cause: { type: 'SweepIncomplete', message: expect.stringMatching(/^7 deliveries older than 90 days at \S+ deleted in 1 institution; 1 institution failed\.$/) },
  });
  expect((await shown(retention.workflowId)).outcome).toBe('incomplete');
});

it('deliveryRetention deletes the old deliveries that have ended and says so', async () => {
  const institution = await api.institution();
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/', { status: 'paused', pausedAt: new Date() });
  const createdAt = daysBefore(new Date(), 98);
  for (const status of ['delivered', 'dead', 'held'] as const) await seedDelivery(api, institution, endpointId, { status, createdAt });
  const retention = await retainDeliveries(passFor(institution));
  expect(await retention.result()).toEqual({ removed: 2, kept: 0, institutions: 1 });
  const { details, outcome } = await shown(retention.workflowId);
  expect(details).toMatch(/^2 deliveries older than 90 days at \S+Z deleted in 1 institution\.$/);
  expect(outcome).toBe('done');
  await recordHistory('deliveryRetention', retention);
});

it('housekeeping deletes what was over long ago and says so', async () => {
  const institution = await api.institution();
  const long = daysBefore(new Date(), 31);
  const id = newId('sess');
  const session = { id, institutionId: institution.id, userId: institution.adminId, kind: 'faculty' as const, tokenHash: Buffer.from(id) };
  await api.api.domain.database.manager.insert(SessionEntity, { ...session, createdAt: long, expiresAt: long, endedAt: null });
  const examId = await seedExam(api, institution);
  await api.api.domain.database.sql(
    "INSERT INTO exam_notices (exam_id, number, institution_id, created_at, gathered_at, ended_at) VALUES ($1, 1, $2, $3, $3, $3)",
    [examId, institution.id, long],
  );
  for (const [week, ended] of [['2024-11-11', null], ['2026-07-06', daysBefore(new Date(), 91)]]) {
    await api.api.domain.database.sql('INSERT INTO weekly_report_runs (institution_id, week, created_at, ended_at) VALUES ($1, $2::date, $2::date, $3)', [institution.id, week, ended]);
    await api.api.domain.database.sql("INSERT INTO weekly_report_letters (institution_id, week, guardian_id, status) VALUES ($1, $2, $3, 'sent')", [institution.id, week, institution.adminId]);
  }
  await seedAuditLog(api, institution, { at: daysBefore(new Date(), 432), count: 2 });
  await seedSeat(api, institution, { userId: institution.adminId, endedAt: daysBefore(new Date(), 91) });
  await seedProgressReports(api, await createResource.enrollment(api, institution), { createdAt: daysBefore(new Date(), 401) });
  const { sql } = api.api.domain.database;
  await sql("INSERT INTO sign_ins (id, institution_id, user_id, at, result) VALUES ($1, $2, $3, $4, 'signed_in'), ($5, $2, $3, now(), 'signed_in')", [
    newId('sgn'), institution.id, institution.adminId, daysBefore(new Date(), 366), newId('sgn'),
  ]);
  await sql("INSERT INTO enrolment_codes (id, institution_id, user_id, code_hmac, created_at, expires_at) VALUES ($1, $2, $3, '', $4, $4)", [newId('enc'), institution.id, institution.adminId, long]);
  await sql("INSERT INTO mailbox_changes (id, institution_id, user_id, email_sealed, code_hmac, created_at, expires_at) VALUES ($1, $2, $3, 'sealed', '', $4, $4)", [
    newId('mbx'), institution.id, institution.adminId, long,
  ]);
  await sql("INSERT INTO account_claims (institution_id, user_id, client_address, claimed_at) VALUES ($1, $2, '203.0.113.7', $3)", [institution.id, institution.adminId, long]);
  await seedDisclosurePartition(api, daysBefore(new Date(), 400));
  const file = await seedFile(api, institution, { status: 'removed' });
  const tidied = await tidyUp();
  expect(await tidied.result()).toEqual({ sessions: 1, signInCodes: 0, provisioningBatches: 0, examNotices: 1, weeklyReportLetters: 1, weeklyReports: 1, auditLog: 2, seats: 1, alphaProgress: 1, idempotencyKeys: 0, sandboxEmails: 0, endpointStatistics: 0, signIns: 1, enrolmentCodes: 1, mailboxChanges: 1, accountClaims: 1, disclosures: 1, personExports: 0, rowCounts: expect.any(Number), files: 1 });
  await expect(api.api.domain.files.open(file.id)).rejects.toThrow('ENOENT');
  const { details, outcome } = await shown(tidied.workflowId);
  expect(details).toMatch(/^1 session, 0 sign-in codes, 0 bulk calls, 1 notice of an exam, 1 week of report emails, 1 week of reports, 2 audit log entries, 1 seat, 1 progress report, 0 idempotency keys, 0 emails of sandboxes, 0 hours of endpoint statistics, 1 sign-in, 1 enrolment code, 1 change of a mailbox, 1 claim of an account, 1 month of disclosures, 0 exports of people and 1 file deleted that had expired at \S+Z\.( (1 institution's|\d+ institutions') counts compared with their rows\.)?$/);
  expect(outcome).toBe('done');
  await recordHistory('housekeeping.kindsOf0110', tidied);
});

it('housekeeping goes on where the run before it stopped', async () => {
  const before = { nowMs: Date.now(), removed: { sessions: 10_000, signInCodes: 3 }, done: ['sessions' as const, 'signInCodes' as const] };
  const tidied = await tidyUp(before);
  expect(await tidied.result()).toEqual({ ...before.removed, provisioningBatches: 0, examNotices: 0, weeklyReportLetters: 0, weeklyReports: 0, auditLog: 0, seats: 0, alphaProgress: 0, idempotencyKeys: 0, sandboxEmails: 0, endpointStatistics: 0, signIns: 0, enrolmentCodes: 0, mailboxChanges: 0, accountClaims: 0, disclosures: 0, personExports: 0, rowCounts: expect.any(Number), files: 0 });
});

it('institutionRetention removes what an institution no longer keeps of its exams, erases people who are suspended for too long, and says so', async () => {
  const institution = await api.institution();
  const examId = await seedExam(api, institution);
  await seedTraces(api, institution, { examId, gradedAt: daysBefore(new Date(), 181), endedAt: daysBefore(new Date(), 366) });
  const suspended = await createResource.student(api, institution);
  await api.call('POST', `/students/${suspended}/suspend`, { key: institution.apiKey });
  await api.api.domain.database.sql('UPDATE users SET suspended_at = $2 WHERE id = $1', [suspended, daysBefore(new Date(), 731)]);
  await api.platform('PUT', `/institutions/${institution.id}/retention`, { body: { suspended_days: 730 } });
  const retention = await temporal.client.workflow.start<typeof institutionRetention>('institutionRetention', { ...options(), args: [passFor(institution)] });
  expect(await retention.result()).toEqual({ removed: 3, kept: 0, institutions: 1, erased: 1 });
  expect((await api.call('GET', `/students/${suspended}`, { key: institution.apiKey })).data.full_name).toBe('Erased student');
  const { details, outcome } = await shown(retention.workflowId);
  expect(details).toMatch(/^3 recordings and proctoring details that were no longer to be kept at \S+Z removed in 1 institution; 1 suspended person erased in 1 institution\.$/);
  expect(outcome).toBe('done');
  await recordHistory('institutionRetention.suspendedPeople', retention);
});

it.each([
  ['nothing', {}], ['a time alone', { nowMs: Date.now() }], ['a number', 1], ['null', null],
  ['a time that no clock shows', { nowMs: 1e300, afterId: '', unfinished: null, removed: 0, kept: 0, institutions: 0, failed: [], done: [], expired: 0 }],
])('what no run before handed on fails what runs by the clock at once, instead of failing its tasks indefinitely: %s', async (_what, argument) => {
  const given = schedules.map(({ workflowType }) => ({ workflowType, args: workflowType === 'weeklyGuardianReport' ? [undefined, argument] : [argument] }));
  const failures = given.map(async ({ workflowType, args }) => {
    const run = await temporal.client.workflow.start(workflowType, { ...options(), args });
    return run.result().catch((error: unknown) => error);
  });
  for (const failure of await Promise.all(failures)) expect(failure).toMatchObject({ cause: { type: 'NotProgress' } });
});
