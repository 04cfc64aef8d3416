import type { WorkflowHandle } from '@temporalio/client';
import { newId } from '../../domain/ids';
import { searchAttributes, workflowProgress } from '../../workflows/contract';
import type { ReportProgress, weeklyGuardianReport } from '../../workflows/weeklyGuardianReport';
import type { weeklyReportLetters } from '../../workflows/weeklyReportLetters';
import { eventually } from '../support/eventually';
import { seedGuardian, seedGuardians } from '../support/seed/guardians';
import { seedStudentWithEmail, seedStudents } from '../support/seed/students';
import { reportTime, reportWeek, reportEmailsOf } from '../support/weeklyReports';
import { seedEnrollments, seedLearningDay } from '../support/seed/enrollments';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const emailWorkflowOf = (week: string) => fixture.temporal.client.workflow.getHandle<typeof weeklyReportLetters>(`${institution.id}:reports:${week}`);
const sentEmails = async (week: string) => (await api.stack.mail.messages()).filter(({ messageId }) => messageId?.startsWith(`<rep.${week}.`) === true && messageId.endsWith(`@${institution.loginDomain}>`));

/** A pass that begins right before this institution, and so comes to it alone: it is the newest. */
const ours = (nowMs: number): ReportProgress => ({ nowMs, afterId: institution.id.slice(0, -1), unfinished: null, institutions: 0, failed: [], reports: 0, letters: 0, inactive: 0 });
const start = (...args: Parameters<typeof weeklyGuardianReport>) =>
  fixture.temporal.client.workflow.start<typeof weeklyGuardianReport>('weeklyGuardianReport', { workflowId: `weekly-${newId('req')}`, taskQueue: api.settings.taskQueue, args });
const passOver = (nowMs = reportTime.getTime()) => start({ nowMs }, ours(nowMs));

const detailsOf = async (handle: Pick<WorkflowHandle, 'query'>) => (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
const outcomeOf = async (handle: Pick<WorkflowHandle, 'describe'>) => (await handle.describe()).typedSearchAttributes.get(searchAttributes.outcome);

async function guarded(count: number): Promise<string[]> {
  const ids = await seedStudents(api, institution, count, newId('stu').slice(-8));
  await seedEnrollments(api, institution, ids);
  await seedLearningDay(api, institution, ids, reportWeek, 30);
  await seedGuardians(api, institution, ids);
  return ids;
}

it('writes the reports and sends one email to each guardian, and both read like sentences in the Web UI', async () => {
  await guarded(23);
  const studentId = await seedStudentWithEmail(api, institution, null, 'Plantagenet');
  await seedEnrollments(api, institution, [studentId]);
  await seedGuardian(api, institution, studentId, 'sensitive.guardian@mail.example');

  const pass = await passOver();
  expect(await pass.result()).toEqual({ reports: 24, letters: 24, institutions: 1, inactive: 0 });
  expect([await detailsOf(pass), await outcomeOf(pass)]).toEqual([
    '24 reports of the last week as of 2026-11-16T12:10:00.000Z written in 1 institution, for 24 guardians.', 'done',
  ]);

  const emails = emailWorkflowOf(reportWeek);
  const description = await eventually('the emails', () => emails.describe().catch(() => undefined));
  expect(await emails.result()).toEqual({ outcome: 'done', total: 24, sent: 24, refused: 0, skipped: 0 });
  expect([await detailsOf(emails), await emails.query(workflowProgress)]).toEqual([
    `**24 of 24 recipients** notified of the week of ${reportWeek}; done.`, { done: 24, total: 24 },
  ]);
  expect([description.typedSearchAttributes.get(searchAttributes.institutionId), await outcomeOf(emails)]).toEqual([institution.id, 'done']);
  const history = await historyText(emails);
  expect(history).toContain(`Send the weekly reports of ${reportWeek}`);
  expect(`${history}${await historyText(pass)}`).not.toMatch(/sensitive|plantagenet|mail\.example/i);

  const rows = await reportEmailsOf(api, institution);
  expect(rows.every(({ status, sent_at, error }) => status === 'sent' && sent_at !== null && error === null)).toBe(true);
  expect((await sentEmails(reportWeek)).map(({ messageId }) => messageId).sort()).toEqual(rows.map(({ guardian_id }) => `<rep.${reportWeek}.${guardian_id}@${institution.loginDomain}>`).sort());
  const { data } = await api.call('GET', '/guardians/reports', { key: institution.apiKey });
  expect([data.total, data.items.every(({ sent_at }: { sent_at: string | null }) => sent_at !== null)]).toEqual([24, true]);

  await recordHistory('weeklyGuardianReport', pass);
  await recordHistory('weeklyReportLetters', emails);
});

it('the same week again writes nothing and sends nothing', async () => {
  await guarded(3);
  await (await passOver()).result();
  await eventually('the emails', () => emailWorkflowOf(reportWeek).describe().catch(() => undefined));
  await emailWorkflowOf(reportWeek).result();
  const again = await passOver(reportTime.getTime() + 4 * 86_400_000);
  expect(await again.result()).toEqual({ reports: 0, letters: 0, institutions: 1, inactive: 0 });
  expect(await sentEmails(reportWeek)).toHaveLength(3);
});

it('a week that was missed is made up for by its time, and the week after it stays its own', async () => {
  await guarded(1);
  for (const nowMs of [reportTime.getTime() - 7 * 86_400_000, reportTime.getTime()]) {
    expect(await (await passOver(nowMs)).result()).toMatchObject({ reports: 1, letters: 1 });
  }
  for (const week of ['2026-11-02', reportWeek]) {
    await eventually('the emails', () => emailWorkflowOf(week).describe().catch(() => undefined));
    await emailWorkflowOf(week).result();
    const [email] = await sentEmails(week);
    expect(email?.text).toContain(`Time learned: ${week === reportWeek ? 30 : 0} min`);
  }
});

it('an institution that is suspended is skipped, which the result shows', async () => {
  await guarded(1);
  await api.api.domain.database.sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1", [institution.id]);
  const pass = await passOver();
  expect(await pass.result()).toEqual({ reports: 0, letters: 0, institutions: 0, inactive: 1 });
  expect(await detailsOf(pass)).toBe('0 reports of the last week as of 2026-11-16T12:10:00.000Z written in 0 institutions, for 0 guardians; 1 institution skipped because suspended.');
});

it('goes on where the run before it stopped, within an institution too', async () => {
  const [done = '', left = ''] = await guarded(2);
  const before = { ...ours(reportTime.getTime()), unfinished: { institutionId: institution.id, after: { studentId: done } }, reports: 1_199, institutions: 2 };
  const pass = await start({ nowMs: reportTime.getTime() }, before);
  expect(await pass.result()).toEqual({ reports: 1_200, letters: 1, institutions: 3, inactive: 0 });
  expect((await reportEmailsOf(api, institution)).map(({ guardian_id }) => guardian_id)).toEqual([`usr_${left}`]);
});

it.each([
  ['in the future', () => Date.now() + 3_600_000],
  ['so long ago that its reports would be deleted', () => Date.now() - 103 * 7 * 86_400_000],
])('a time %s is refused', async (_when, nowMs) => {
  await expect((await start({ nowMs: nowMs() })).result()).rejects.toMatchObject({ cause: { type: 'NotATime' } });
});

it.each([
  ['a text', { nowMs: String(reportTime.getTime()) }], ['a fraction', { nowMs: reportTime.getTime() + 0.5 }], ['null', { nowMs: null }],
  ['another name', { now: reportTime.getTime() }], ['a name next to it', { nowMs: reportTime.getTime(), week: reportWeek }],
  ['nothing', {}], ['a bare number', reportTime.getTime()], ['a list', [reportTime.getTime()]], ['null itself', null],
])('an argument that is not what it takes is refused, and what it takes is said: %s', async (_what, argument) => {
  const pass = await fixture.temporal.client.workflow.start('weeklyGuardianReport', { workflowId: `weekly-${newId('req')}`, taskQueue: api.settings.taskQueue, args: [argument] });
  await expect(pass.result()).rejects.toMatchObject({
    cause: { type: 'NotATime', message: 'The argument must be absent, or { "nowMs": … } with a time of the last 102 weeks in whole milliseconds' },
  });
});
