import { gatherNoticeRecipients } from '../../../../db/repositories/exams/notices';
import { claimNoticeEmails } from '../../../../domain/exams/notices/claimNoticeEmails';
import type { EmailMessage } from '../../../../domain/emails/email';
import type { WorkflowArguments } from '../../../../domain/outbox/workflows';
import { gradeSubmission } from '../../../../domain/submissions/gradeSubmission';
import { voidSubmission } from '../../../../domain/submissions/voidSubmission';
import { transact } from '../../../../domain/transact';
import { systemCaller } from '../../../support/api';
import { seedSubmission } from '../../../support/seed/submissions';
import { seedAssignments, seedExam } from '../../../support/seed/exams';
import { seedGroup } from '../../../support/seed/groups';
import { seedGuardian } from '../../../support/seed/guardians';
import { seedStudentWithEmail } from '../../../support/seed/students';
import { recipientsOf } from '../../../support/examNotices';
import { apiFixture } from '../../../support/apiFixture';

type Notice = WorkflowArguments['examNotification'];

const { api, institution, sql } = apiFixture();
let examId: string;
let student: string;
let submission: string;
let mailboxes = 0;
let studentsMailbox: string;

const mailbox = (): string => `again${(mailboxes += 1)}@mail.example`;

beforeEach(async () => {
  examId = await seedExam(api, institution);
  studentsMailbox = mailbox();
  student = await seedStudentWithEmail(api, institution, studentsMailbox, 'Ada');
  submission = await seedSubmission(api, institution, { examId, studentId: student });
});

const grade = (score: number, feedback?: string) => transact(api.api.domain, systemCaller(institution.id), (tx) => gradeSubmission(tx, submission, { score, feedback }));

/** Requests a resubmission; returns the notice in the outbox. */
async function request(feedback?: string): Promise<Notice> {
  await grade(-1, feedback);
  const [exam] = await sql<{ last_notice: number }>('SELECT last_notice FROM exams WHERE id = $1', [examId]);
  return { examId, institutionId: institution.id, notice: exam?.last_notice ?? 0 };
}

async function gather(notice: Notice): Promise<void> {
  const caller = systemCaller(institution.id);
  await transact(api.api.domain, caller, (tx) => gatherNoticeRecipients(tx, notice, caller.now));
}

async function emailsOf(notice: Notice): Promise<(EmailMessage | string)[]> {
  const next = await claimNoticeEmails(api.api.domain, notice, new Date());
  return next.state === 'emails' ? next.emails.map(({ email }) => email) : [next.state];
}

/** The recipients of the next emails of a notice. */
async function notified(notice: Notice): Promise<string[]> {
  return (await emailsOf(notice)).map((email) => (typeof email === 'string' ? email : email.to)).sort();
}

async function gathered(feedback?: string): Promise<Notice> {
  const notice = await request(feedback);
  await gather(notice);
  return notice;
}

describe('a resubmission request reaches', () => {
  // Contract: submissions.resubmission.emails
  it('its student and their verified guardians, nobody else who has the exam', async () => {
    const guardian = mailbox();
    const other = await seedStudentWithEmail(api, institution, mailbox());
    await seedAssignments(api, institution, examId, [await seedGroup(api, institution, [student, other])]);
    await seedGuardian(api, institution, student, guardian);
    await seedGuardian(api, institution, student, mailbox(), 'unverified');
    await seedGuardian(api, institution, other, mailbox());
    expect(await notified(await gathered())).toEqual([studentsMailbox, guardian].sort());
  });

  it('what was said of it', async () => {
    const [email] = await emailsOf(await gathered('The second page is missing'));
    expect(email).toMatchObject({ subject: 'Please submit again: Algebra', text: expect.stringContaining('> The second page is missing') });
  });

  it('the guardians of a student without a mailbox', async () => {
    const without = await seedStudentWithEmail(api, institution, null, 'Ben');
    submission = await seedSubmission(api, institution, { examId, studentId: without });
    const guardian = mailbox();
    await seedGuardian(api, institution, without, guardian);
    const [email] = await emailsOf(await gathered());
    expect(email).toMatchObject({ to: guardian, subject: 'Ben: please submit again: Algebra' });
  });

  it.each(['published', 'closed'] as const)('of a %s exam too', async (status) => {
    if (status === 'closed') await sql("UPDATE exams SET status = 'closed', closed_at = now() WHERE id = $1", [examId]);
    expect(await notified(await gathered())).toEqual([studentsMailbox]);
  });

  it('nobody suspended, then or since', async () => {
    const suspend = () => sql("UPDATE users SET status = 'suspended' WHERE id = $1", [student]);
    const notice = await gathered();
    await suspend();
    expect([await notified(notice), await notified(await gathered())]).toEqual([['nobody'], []]);
  });

  it('each recipient once, gathered twice or not', async () => {
    const notice = await gathered();
    await gather(notice);
    expect([await notified(notice), await notified(notice)]).toEqual([[studentsMailbox], []]);
    expect(await recipientsOf(api, notice)).toEqual([expect.objectContaining({ recipient_id: student, kind: 'student', status: 'waiting' })]);
  });

  it('nothing while the institution is suspended', async () => {
    const notice = await gathered();
    await sql("UPDATE institutions SET status = 'suspended' WHERE id = $1", [institution.id]);
    expect(await notified(notice)).toEqual(['institution_inactive']);
  });
});

describe('a resubmission request no longer reaches anybody', () => {
  it('once the submission was graded after all', async () => {
    const notice = await gathered();
    await grade(50);
    expect(await notified(notice)).toEqual(['nobody']);
  });

  it('once a newer version was handed in', async () => {
    const notice = await gathered();
    await seedSubmission(api, institution, { examId, studentId: student }, { version: 2 });
    expect(await notified(notice)).toEqual(['nobody']);
  });

  it('once it was requested again, which has a notice of its own', async () => {
    const [first, second] = [await gathered('First'), await gathered('Second')];
    expect(await notified(first)).toEqual(['nobody']);
    expect(await emailsOf(second)).toEqual([expect.objectContaining({ to: studentsMailbox, text: expect.stringContaining('> Second') })]);
  });

  it('once it was graded, and voided', async () => {
    const notice = await gathered();
    await grade(50);
    await transact(api.api.domain, systemCaller(institution.id), (tx) => voidSubmission(tx, submission, null));
    expect(await notified(notice)).toEqual(['nobody']);
  });
});
