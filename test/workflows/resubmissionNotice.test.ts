import type { examNotification } from '../../workflows/examNotification';
import { seedSubmission } from '../support/seed/submissions';
import { seedExam } from '../support/seed/exams';
import { seedGuardian } from '../support/seed/guardians';
import { seedStudentWithEmail } from '../support/seed/students';
import { eventually } from '../support/eventually';
import { historyText } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

// Contract: submissions.resubmission.emails
it('a resubmission request mails the student and their verified guardians, once each, with the feedback, which no history holds', async () => {
  const studentId = await seedStudentWithEmail(api, institution, 'sensitive.student@mail.example', 'Sensitive Ada');
  await seedGuardian(api, institution, studentId, 'sensitive.guardian@mail.example');
  const examId = await seedExam(api, institution, { title: 'Sensitive title' });
  const id = await seedSubmission(api, institution, { examId, studentId });
  const { status } = await api.call('POST', `/submissions/${id}/grade`, { key: institution.apiKey, body: { score: -1, feedback: 'Sensitive feedback' } });
  expect(status).toBe(200);

  const workflow = fixture.temporal.client.workflow.getHandle<typeof examNotification>(`${examId}:1`);
  await eventually('the workflow', () => workflow.describe().catch(() => undefined));
  expect(await workflow.result()).toEqual({ outcome: 'done', total: 2, sent: 2, refused: 0, skipped: 0 });
  const emails = (await api.stack.mail.messages()).filter(({ messageId }) => messageId?.startsWith(`<${examId}.`) === true);
  expect(emails.map(({ to, subject }) => [to?.[0]?.address, subject]).sort()).toEqual([
    ['sensitive.guardian@mail.example', 'Sensitive Ada: please submit again: Sensitive title'],
    ['sensitive.student@mail.example', 'Please submit again: Sensitive title'],
  ]);
  for (const { text } of emails) expect(text).toContain('> Sensitive feedback');
  expect(await historyText(workflow)).not.toMatch(/sensitive/i);
});
