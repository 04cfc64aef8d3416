import { createExamNoticeActivities } from '../../activities/exams/notify';
import { createKeyedSemaphore } from '../../lib/keyedSemaphore';
import { removeExam } from '../../domain/exams/removeExam';
import { deferralWaitsMs } from '../../domain/emails/deferralSchedule';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { searchAttributes } from '../../workflows/contract';
import type { examNotification } from '../../workflows/examNotification';
import type { EmailBatchProgress } from '../../workflows/emailBatch';
import { assignAndAnnounce, announceAndGatherRecipients, recipientsOf } from '../support/examNotices';
import { seedExam } from '../support/seed/exams';
import { seedGroup } from '../support/seed/groups';
import { seedStudentWithEmail } from '../support/seed/students';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'exam-notices';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How many activities that gather find no time for any of it. */
let withoutTime = 0;

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }) => {
  const activities = createExamNoticeActivities(domain, mailer, createKeyedSemaphore(1, 10_000));
  const gatherRecipients: typeof activities.gatherRecipients = async (notice, nowMs) => {
    if (withoutTime === 0) return activities.gatherRecipients(notice, nowMs);
    withoutTime -= 1;
    return { total: 0, sent: 0, refused: 0, skipped: 0, more: true };
  };
  return { ...activities, gatherRecipients };
} });
const { api, institution, messageIdsTo } = fixture;

const sql = (text: string) => fixture.sql(text, [institution.id]);
let readers = 0;

/** A notice whose readers' mailboxes begin with these names. */
async function noticeTo(...names: string[]): Promise<WorkflowArguments['examNotification']> {
  readers += 1;
  const ids = await Promise.all(names.map((name) => seedStudentWithEmail(api, institution, `${name}.${readers}@mail.example`)));
  return announceAndGatherRecipients(api, institution, await seedExam(api, institution), [await seedGroup(api, institution, ids)]);
}

const start = (notice: WorkflowArguments['examNotification'], before?: EmailBatchProgress) => {
  const args: Parameters<typeof examNotification> = before === undefined ? [notice] : [notice, before];
  return fixture.environment.client.workflow.start<typeof examNotification>('examNotification', { taskQueue, workflowId: `${notice.examId}:${notice.notice}`, args });
};

const named = (name: string): number => fixture.mailServer.recipientCounts.get(`${name}.${readers}@mail.example`) ?? 0;
const takenOf = (name: string) => messageIdsTo(`${name}.${readers}@mail.example`);
const rowsOf = (notice: WorkflowArguments['examNotification']) => recipientsOf(api, notice);

it('retries recipients that the server defers after growing waits, and marks as refused those that it refuses permanently', async () => {
  fixture.mailServer.replyCode = (to, nth) => (to.startsWith('busy') && nth <= 3 ? 451 : to.startsWith('gone') ? 550 : 250);
  const notice = await noticeTo('well', 'busy', 'gone');
  const begun = await fixture.environment.currentTimeMs();
  const workflow = await start(notice);
  expect(await workflow.result()).toEqual({ outcome: 'done', total: 3, sent: 2, refused: 1, skipped: 0 });
  expect([named('well'), named('busy'), named('gone'), takenOf('busy').length]).toEqual([1, 4, 1, 1]);
  const rows = await rowsOf(notice);
  const busy = rows.find(({ tries }) => tries === 3);
  const waited = (busy?.sent_at?.getTime() ?? 0) - begun;
  const planned = deferralWaitsMs.slice(0, 3).reduce((sum, wait) => sum + wait);
  expect(waited).toBeGreaterThanOrEqual(planned);
  expect(waited).toBeLessThan(planned + 60_000);
  expect(rows.find(({ status }) => status === 'refused')?.error).toBe('The mail server refused the sender or the recipient (550)');
  expect(await historyText(workflow)).not.toContain('mail.example');
  await recordHistory('examNotification.putOff', workflow);
});

it('notifies nobody before all recipients are recorded, in as many activities as it takes', async () => {
  const reader = await seedStudentWithEmail(api, institution, 'chunked@mail.example');
  const notice = await assignAndAnnounce(api, institution, await seedExam(api, institution), [await seedGroup(api, institution, [reader])]);
  withoutTime = 3;
  expect(await (await start(notice)).result()).toEqual({ outcome: 'done', total: 1, sent: 1, refused: 0, skipped: 0 });
  expect(withoutTime).toBe(0);
});

it('gives up whom the server has put off ten times', async () => {
  fixture.mailServer.replyCode = () => 451;
  const notice = await noticeTo('never');
  expect(await (await start(notice)).result()).toMatchObject({ outcome: 'done', sent: 0, refused: 1 });
  expect([named('never'), (await rowsOf(notice))[0]?.error]).toEqual([10, 'Deferred too often: The mail server refused the sender or the recipient (451)']);
});

it('waits for a mail server that is away without counting anybody as tried, and sends when it is back', async () => {
  const notice = await noticeTo('one', 'two');
  await fixture.mailServer.close();
  const workflow = await start(notice);
  await fixture.environment.sleep('6 hours');
  const { raw } = await workflow.describe();
  const [pending] = raw.pendingActivities ?? [];
  expect(pending?.lastFailure?.applicationFailureInfo?.type).toBe('MailServerAway');
  // Waits grow to ten minutes: 36 tries in six hours, and seven on the way there.
  expect(pending?.attempt).toBeLessThan(50);
  expect((await rowsOf(notice)).map(({ status, tries, error }) => [status, tries, error])).toEqual(Array(2).fill(['waiting', 0, null]));
  await fixture.mailServer.open();
  expect(await workflow.result()).toMatchObject({ outcome: 'done', sent: 2, refused: 0 });
  expect([takenOf('one').length, takenOf('two').length]).toEqual([1, 1]);
});

it('gives up after three days of a mail server that is away', async () => {
  const notice = await noticeTo('lost');
  await fixture.mailServer.close();
  const workflow = await start(notice);
  const result = await workflow.result();
  await fixture.mailServer.open();
  expect(result).toEqual({ outcome: 'gave_up', total: 1, sent: 0, refused: 0, skipped: 1 });
  const { startTime, closeTime, typedSearchAttributes } = await workflow.describe();
  expect(Math.abs((closeTime?.getTime() ?? 0) - startTime.getTime() - 3 * dayMs)).toBeLessThan(hourMs);
  expect((await rowsOf(notice)).map(({ status, error }) => [status, error])).toEqual([['skipped', 'Not sent within three days']]);
  expect(typedSearchAttributes.get(searchAttributes.outcome)).toBe('gave_up');
});

it('waits while the institution is suspended and goes on when it is approved again', async () => {
  const notice = await noticeTo('patient');
  await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1");
  const workflow = await start(notice);
  await fixture.environment.sleep('5 hours');
  expect([(await workflow.describe()).status.name, named('patient')]).toEqual(['RUNNING', 0]);
  await sql("UPDATE institutions SET status = 'approved', suspended_at = NULL WHERE id = $1");
  expect(await workflow.result()).toMatchObject({ outcome: 'done', sent: 1 });
});

it('ends when the exam is closed while some were deferred, and no longer notifies them', async () => {
  fixture.mailServer.replyCode = (to) => (to.startsWith('busy') ? 451 : 250);
  const notice = await noticeTo('well', 'busy');
  const workflow = await start(notice);
  await fixture.environment.sleep('30 seconds');
  await sql("UPDATE exams SET status = 'closed', closed_at = now() WHERE institution_id = $1");
  expect(await workflow.result()).toEqual({ outcome: 'exam_inactive', total: 2, sent: 1, refused: 0, skipped: 1 });
  expect([named('busy'), (await rowsOf(notice)).find(({ status }) => status === 'skipped')?.error]).toEqual([1, 'The exam was closed or deleted']);
});

it('ends when the exam is deleted, whose notice goes with it', async () => {
  fixture.mailServer.replyCode = () => 451;
  const notice = await noticeTo('busy');
  const workflow = await start(notice);
  await fixture.environment.sleep('30 seconds');
  await transact(api.api.domain, institution.caller, (tx) => removeExam(tx, notice.examId));
  expect(await workflow.result()).toMatchObject({ outcome: 'exam_inactive', sent: 0 });
  expect([named('busy'), await rowsOf(notice)]).toEqual([1, []]);
});

it('continued as new goes by the deadline of the run before it, and gathers nobody again', async () => {
  const notice = await noticeTo('late');
  const counts = { total: 1, sent: 0, refused: 0, skipped: 0 };
  const workflow = await start(notice, { deadlineMs: await fixture.environment.currentTimeMs(), counts });
  expect(await workflow.result()).toEqual({ outcome: 'gave_up', total: 1, sent: 0, refused: 0, skipped: 1 });
  expect([named('late'), await historyText(workflow)]).toEqual([0, expect.not.stringContaining('gatherRecipients')]);
});
