import type { NoticeSubject } from '../../../../db/repositories/exams/noticeEmails';
import type { EmailRecipient } from '../../../../domain/exams/notices/noticeEmailParts';
import { maxFeedbackInEmail, resubmissionEmail } from '../../../../domain/exams/notices/resubmissionEmail';
import { mailFixture, linesOf } from '../../../support/mailFixture';
import type { ParsedMail } from '../../../support/stack';

const { sendAndReceive } = mailFixture();
let emails = 0;

const exam: NoticeSubject = {
  id: 'exm_2',
  status: 'published',
  resubmission: null,
  epoch: null,
  title: 'Linear algebra',
  exam_type: 'homework',
  app: 'svc',
  due_date: new Date('2026-12-01T17:30:00.000Z'),
  allow_late_submission: false,
  time_limit_minutes: 90,
  proctoring: { camera: false, microphone: false, screen: false },
  faculty_name: 'Grace Hopper',
  institution_name: 'North School',
  institution_status: 'approved',
  login_domain: 'north.example',
  time_zone: 'America/New_York',
};

const toStudent: Omit<EmailRecipient, 'messageId'> = { to: 'ada@mail.example', kind: 'student', students: [{ name: 'Ada Lovelace', login_email: 'ada@north.example' }] };
const toGuardian: Omit<EmailRecipient, 'messageId'> = { to: 'augusta@mail.example', kind: 'guardian', students: [{ name: 'Ada Lovelace', login_email: 'ada@north.example' }] };

/** The email as it arrives by SMTP. */
async function arrived(changed: Partial<NoticeSubject>, feedback: string | null, addressee: Omit<EmailRecipient, 'messageId'>, now = new Date('2026-11-20T09:30:00.000Z')): Promise<ParsedMail> {
  emails += 1;
  const messageId = `<exm_2.${emails}.stu_1@north.example>`;
  return sendAndReceive(resubmissionEmail({ ...exam, ...changed }, feedback, { ...addressee, messageId }, now));
}

it('asks a student to submit again, says where and signed in as whom, until when, and what was said of it', async () => {
  const mail = await arrived({}, 'The second page is missing.\n\nPlease add it.', toStudent);
  expect([mail.subject, mail.to?.map(({ address }) => address)]).toEqual(['Please submit again: Linear algebra', ['ada@mail.example']]);
  expect(linesOf(mail)).toEqual([
    'Hello Ada Lovelace,',
    '',
    'Please submit your homework below again: open it in the document app, signed in as ada@north.example.',
    '',
    'Title: Linear algebra',
    'Given by: Grace Hopper, North School',
    expect.stringMatching(/^Due: Tuesday,? 1 December 2026 at 12:30 \(America\/New_York\)$/),
    '',
    'Feedback:',
    '> The second page is missing.',
    expect.stringMatching(/^> ?$/),
    '> Please add it.',
  ]);
});

it('names the student to a guardian', async () => {
  const mail = await arrived({ app: 'svccode' }, null, toGuardian);
  const lines = linesOf(mail);
  expect([mail.subject, lines[0]]).toEqual([
    'Ada Lovelace: please submit again: Linear algebra',
    'You do not need to do anything. Ada Lovelace has been asked to submit the homework below again in the coding app, signed in as ada@north.example.',
  ]);
});

it('leaves out what there is not', async () => {
  expect(linesOf(await arrived({ due_date: null }, null, toStudent)).slice(4)).toEqual(['Title: Linear algebra', 'Given by: Grace Hopper, North School']);
});

const asksTheTeacher = /^Please ask Grace Hopper how .* again: it accepts no submissions now\. .* signed in as ada@north\.example\.$/;
/** The first sentence of an email, after the greeting of a student. */
const saidTo = ({ kind }: Pick<EmailRecipient, 'kind'>, mail: ParsedMail): string => linesOf(mail)[kind === 'student' ? 2 : 0] ?? '';

it.each([toStudent, toGuardian])('sends to the teacher where the exam is closed', async (addressee) => {
  expect(saidTo(addressee, await arrived({ status: 'closed' }, null, addressee))).toMatch(asksTheTeacher);
});

it.each([toStudent, toGuardian])('sends to the teacher once the due date has passed, where nothing may be late', async (addressee) => {
  const due = new Date('2026-12-01T17:30:00.000Z');
  const at = async (now: Date, allow_late_submission: boolean) => {
    const mail = await arrived({ allow_late_submission }, null, addressee, now);
    return { said: saidTo(addressee, mail), due: linesOf(mail).at(-1)?.split(':')[0] };
  };
  const open = await at(new Date(due.getTime() - 1), false);
  expect(open).toEqual({ said: expect.not.stringMatching(asksTheTeacher), due: 'Due' });
  expect(await at(due, false)).toEqual({ said: expect.stringMatching(asksTheTeacher), due: 'Was due' });
  expect(await at(due, true)).toEqual({ said: open.said, due: 'Was due' });
});

it('says the same in HTML', async () => {
  const mail = await arrived({}, 'One\nTwo', toStudent);
  const html = (mail.html ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  for (const said of ['Please submit your homework below again', 'signed in as ada@north.example', 'Title Linear algebra', 'Given by Grace Hopper', 'Feedback: One Two']) expect(html).toContain(said);
});

it('lets neither names nor feedback bring in markup, headers, or lines that look like ours', async () => {
  const hostile = '<img src=x onerror="a()">\r\nBcc: other@mail.example\u2028never &';
  const mail = await arrived({ title: hostile, faculty_name: hostile, institution_name: hostile }, hostile, { ...toGuardian, students: [{ name: hostile, login_email: 'ada@north.example' }] });
  const flat = '<img src=x onerror="a()"> Bcc: other at mail example never &';
  expect(mail.subject).toBe(`${flat}: please submit again: ${flat}`);
  expect([mail.headers.map(({ key }) => key).includes('bcc'), mail.to?.length]).toEqual([false, 1]);
  expect(linesOf(mail).slice(6, 10)).toEqual(['Feedback:', '> <img src=x onerror="a()">', '> Bcc: other@mail.example', '> never &']);
  expect(mail.html).not.toContain('<img');
});

it('carries so much of a long feedback, and cuts it between characters', async () => {
  const fits = await arrived({}, '👩‍👩‍👧'.repeat(maxFeedbackInEmail), toStudent);
  expect(linesOf(fits)).toContain(`> ${'👩‍👩‍👧'.repeat(maxFeedbackInEmail)}`);
  const long = await arrived({}, '👩‍👩‍👧'.repeat(maxFeedbackInEmail + 1), toStudent);
  expect(linesOf(long)).toContain(`> ${'👩‍👩‍👧'.repeat(maxFeedbackInEmail)} … (shortened)`);
});
