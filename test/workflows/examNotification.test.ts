import { searchAttributes, workflowProgress } from '../../workflows/contract';
import type { examNotification } from '../../workflows/examNotification';
import { eventually } from '../support/eventually';
import { assignAndAnnounce, recipientsOf } from '../support/examNotices';
import { seedExam } from '../support/seed/exams';
import { seedGroup } from '../support/seed/groups';
import { seedGuardian } from '../support/seed/guardians';
import { seedStudentWithEmail } from '../support/seed/students';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const workflowOf = (examId: string, notice: number) => fixture.temporal.client.workflow.getHandle<typeof examNotification>(`${examId}:${notice}`);
const started = (examId: string, notice: number) => eventually('the workflow', () => workflowOf(examId, notice).describe().catch(() => undefined));
const currentDetails = async (examId: string, notice: number) =>
  (await workflowOf(examId, notice).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
const emailsOf = async (examId: string) => (await api.stack.mail.messages()).filter(({ messageId }) => messageId?.startsWith(`<${examId}.`) === true);

const endedNotices = (examId: string) =>
  api.api.domain.database.sql('SELECT number, ended_at IS NOT NULL AS ended FROM exam_notices WHERE exam_id = $1', [examId]);

// Contract: exams.assignment.emails-students-and-guardians
it('notifies students and guardians once each by email, and reads like a sentence in the Web UI', async () => {
  const readers = await Promise.all(Array.from({ length: 24 }, (_, nth) => seedStudentWithEmail(api, institution, `sensitive${nth}@mail.example`, `Plantagenet ${nth}`)));
  const without = await seedStudentWithEmail(api, institution, null);
  await seedGuardian(api, institution, without, 'sensitive.guardian@mail.example');
  const examId = await seedExam(api, institution, { title: 'Sensitive title' });
  await assignAndAnnounce(api, institution, examId, [await seedGroup(api, institution, [...readers, without])]);
  const description = await started(examId, 1);
  expect(await workflowOf(examId, 1).result()).toEqual({ outcome: 'done', total: 25, sent: 25, refused: 0, skipped: 0 });

  const emails = await emailsOf(examId);
  const expected = [...Array.from({ length: 24 }, (_, nth) => `sensitive${nth}@mail.example`), 'sensitive.guardian@mail.example'];
  expect(emails.map(({ to }) => to?.[0]?.address).sort()).toEqual(expected.sort());
  const rows = await recipientsOf(api, { examId, institutionId: institution.id, notice: 1 });
  expect(emails.map(({ messageId }) => messageId).sort()).toEqual(rows.map(({ recipient_id }) => `<${examId}.1.${recipient_id}@${institution.loginDomain}>`).sort());
  expect(rows.every(({ status, sent_at, error }) => status === 'sent' && sent_at !== null && error === null)).toBe(true);

  expect(await endedNotices(examId)).toEqual([{ number: 1, ended: true }]);

  expect(await workflowOf(examId, 1).query(workflowProgress)).toEqual({ done: 25, total: 25 });
  expect(await currentDetails(examId, 1)).toBe(`**25 of 25 recipients** notified of \`${examId}\`; done.`);
  const { typedSearchAttributes: found } = await workflowOf(examId, 1).describe();
  expect([found.get(searchAttributes.institutionId), found.get(searchAttributes.outcome)]).toEqual([institution.id, 'done']);
  const history = await historyText(workflowOf(examId, 1));
  expect([description.type, history]).toEqual(['examNotification', expect.stringContaining(`Notify students and guardians of ${examId}`)]);
  expect(history).not.toMatch(/sensitive|plantagenet/i);
  await recordHistory('examNotification', workflowOf(examId, 1));
});

it('notifies of a later assignment only those who did not see the exam before', async () => {
  const [early, late] = [await seedStudentWithEmail(api, institution, 'early@mail.example'), await seedStudentWithEmail(api, institution, 'late@mail.example')];
  const examId = await seedExam(api, institution);
  await assignAndAnnounce(api, institution, examId, [await seedGroup(api, institution, [early])]);
  await started(examId, 1);
  await workflowOf(examId, 1).result();
  await assignAndAnnounce(api, institution, examId, [await seedGroup(api, institution, [early, late])]);
  await started(examId, 2);
  expect(await workflowOf(examId, 2).result()).toMatchObject({ outcome: 'done', total: 1, sent: 1 });
  expect((await emailsOf(examId)).map(({ to, messageId }) => [to?.[0]?.address, messageId])).toEqual([
    ['early@mail.example', `<${examId}.1.${early}@${institution.loginDomain}>`],
    ['late@mail.example', `<${examId}.2.${late}@${institution.loginDomain}>`],
  ]);
});

it('is done at once where nobody is to be notified', async () => {
  const examId = await seedExam(api, institution);
  await assignAndAnnounce(api, institution, examId, [await seedGroup(api, institution)]);
  await started(examId, 1);
  expect(await workflowOf(examId, 1).result()).toEqual({ outcome: 'done', total: 0, sent: 0, refused: 0, skipped: 0 });
});
