import { createReportActivities } from '../../activities/reports/reports';
import { createKeyedSemaphore } from '../../lib/keyedSemaphore';
import { newId } from '../../domain/ids';
import { lastWholeWeek } from '../../domain/reports/week';
import { searchAttributes } from '../../workflows/contract';
import type { ReportProgress, weeklyGuardianReport } from '../../workflows/weeklyGuardianReport';
import type { weeklyReportLetters } from '../../workflows/weeklyReportLetters';
import type { TestInstitution } from '../support/api';
import { recordHistory } from '../support/histories';
import { seedStudents } from '../support/seed/students';
import { seedEnrollments } from '../support/seed/enrollments';
import { reportWeek, reportEmailsOf, writeReportWeek } from '../support/weeklyReports';
import { seedGuardians } from '../support/seed/guardians';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'weekly-reports';
const hourMs = 3_600_000;

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }) => createReportActivities(domain, mailer, createKeyedSemaphore(1, 10_000)) });
const { api } = fixture;

const sql = (text: string, values: unknown[] = [fixture.institution.id]) => fixture.sql(text, values);

/** Students of an institution with a guardian each, whose mailbox begins with the student's id. */
async function guarded(institution: TestInstitution, count: number): Promise<string[]> {
  const ids = await seedStudents(api, institution, count, newId('stu').slice(-8));
  await seedEnrollments(api, institution, ids);
  await seedGuardians(api, institution, ids);
  return ids;
}

/** The emails of a week that is written. */
async function emails(count: number) {
  await guarded(fixture.institution, count);
  await writeReportWeek(api, fixture.institution);
  const workflowId = `${fixture.institution.id}:reports:${reportWeek}`;
  return fixture.environment.client.workflow.start<typeof weeklyReportLetters>('weeklyReportLetters', { taskQueue, workflowId, args: [{ institutionId: fixture.institution.id, week: reportWeek }] });
}

const rows = async () => (await reportEmailsOf(api, fixture.institution)).map(({ status, tries, error }) => [status, tries, error]);

it('waits for a mail server that is away for hours without counting anybody as tried, and sends each email once when it is back', async () => {
  await fixture.mailServer.close();
  const workflow = await emails(12);
  await fixture.environment.sleep('6 hours');
  const { raw } = await workflow.describe();
  expect(raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo?.type).toBe('MailServerAway');
  expect(await rows()).toEqual(Array(12).fill(['waiting', 0, null]));
  await fixture.mailServer.open();
  expect(await workflow.result()).toEqual({ outcome: 'done', total: 12, sent: 12, refused: 0, skipped: 0 });
  expect([fixture.mailServer.accepted.length, new Set(fixture.mailServer.accepted.map(({ to }) => to)).size]).toEqual([12, 12]);
});

it('retries recipients that the server defers, and notifies the others meanwhile', async () => {
  fixture.mailServer.replyCode = (to, nth) => (to.includes('000001') && nth <= 2 ? 451 : to.includes('000002') ? 550 : 250);
  const workflow = await emails(3);
  expect(await workflow.result()).toEqual({ outcome: 'done', total: 3, sent: 2, refused: 1, skipped: 0 });
  expect((await rows()).map(([status, tries]) => [status, tries])).toEqual([['sent', 2], ['refused', 0], ['sent', 0]]);
  await recordHistory('weeklyReportLetters.putOff', workflow);
});

it('gives up after three days of a mail server that is away', async () => {
  await fixture.mailServer.close();
  const workflow = await emails(1);
  const result = await workflow.result();
  await fixture.mailServer.open();
  expect(result).toEqual({ outcome: 'gave_up', total: 1, sent: 0, refused: 0, skipped: 1 });
  const { startTime, closeTime, typedSearchAttributes } = await workflow.describe();
  expect(Math.abs((closeTime?.getTime() ?? 0) - startTime.getTime() - 72 * hourMs)).toBeLessThan(hourMs);
  expect([await rows(), typedSearchAttributes.get(searchAttributes.outcome)]).toEqual([[['skipped', 0, 'Not sent within three days']], 'gave_up']);
});

it('waits while the institution is suspended meanwhile, and goes on when it is approved again', async () => {
  const ids = await guarded(fixture.institution, 2);
  await writeReportWeek(api, fixture.institution);
  await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1");
  const workflow = await emails(0);
  await fixture.environment.sleep('5 hours');
  expect([(await workflow.describe()).status.name, fixture.mailServer.accepted]).toEqual(['RUNNING', []]);
  // Meanwhile one of them is no guardian of the student any more.
  await sql('DELETE FROM guardian_links WHERE id = $1', [`gdn_${ids[0]}`]);
  await sql("UPDATE institutions SET status = 'approved', suspended_at = NULL WHERE id = $1");
  expect(await workflow.result()).toEqual({ outcome: 'done', total: 2, sent: 1, refused: 0, skipped: 1 });
  expect(fixture.mailServer.accepted.map(({ to }) => to)).toEqual([`${ids[1]}@mail.example`]);
});

const ours = (nowMs: number): ReportProgress => ({ nowMs, afterId: fixture.institution.id.slice(0, -1), unfinished: null, institutions: 0, failed: [], reports: 0, letters: 0, inactive: 0 });

const pass = (before: ReportProgress) =>
  fixture.environment.client.workflow.start<typeof weeklyGuardianReport>('weeklyGuardianReport', { taskQueue, workflowId: `weekly-${newId('req')}`, args: [{ nowMs: before.nowMs }, before] });

it('an institution that cannot be done keeps none of the others from its reports; the pass ends as failed and says so', async () => {
  const [poisoned, otherInstitution] = [await api.institution(), await api.institution()];
  for (const institution of [fixture.institution, poisoned, otherInstitution]) await guarded(institution, 2);
  await sql("UPDATE institutions SET time_zone = 'Nowhere/Land' WHERE id = $1", [poisoned.id]);
  const nowMs = await fixture.environment.currentTimeMs();
  const failing = await pass(ours(nowMs));
  await expect(failing.result()).rejects.toMatchObject({
    cause: { type: 'SweepIncomplete', message: `4 reports of the last week as of ${new Date(nowMs).toISOString()} written in 2 institutions, for 4 guardians; 1 institution failed.` },
  });
  expect((await failing.describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('incomplete');
  await sql("UPDATE institutions SET time_zone = 'UTC' WHERE id = $1", [poisoned.id]);
});

it('a worker that comes to a pass more than a week late writes the week that was the last when the pass was started', async () => {
  await guarded(fixture.institution, 1);
  const startedMs = await fixture.environment.currentTimeMs();
  const args: Parameters<typeof weeklyGuardianReport> = [];
  const late = await fixture.environment.client.workflow.start<typeof weeklyGuardianReport>('weeklyGuardianReport', {
    taskQueue, workflowId: `late-${newId('req')}`, startDelay: '9 days', args,
  });
  await late.result();
  const { closeTime } = await late.describe();
  expect((closeTime?.getTime() ?? 0) - startedMs).toBeGreaterThanOrEqual(9 * 24 * hourMs);
  expect(await sql('SELECT week::text AS week FROM weekly_reports WHERE institution_id = $1')).toEqual([{ week: lastWholeWeek('UTC', new Date(startedMs)).monday }]);
});
