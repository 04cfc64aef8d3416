import type { NoticeSubject } from '../../../../db/repositories/exams/noticeEmails';
import { examEmail } from '../../../../domain/exams/notices/examEmail';
import type { EmailRecipient } from '../../../../domain/exams/notices/noticeEmailParts';
import { mailFixture, linesOf } from '../../../support/mailFixture';
import type { ParsedMail } from '../../../support/stack';

const { sendAndReceive } = mailFixture();
let emails = 0;

const exam: NoticeSubject = {
  id: 'exm_1',
  status: 'published',
  resubmission: null,
  epoch: null,
  allow_late_submission: false,
  title: 'Linear algebra',
  exam_type: 'quiz',
  app: 'svc',
  due_date: new Date('2026-12-01T17:30:00.000Z'),
  time_limit_minutes: 90,
  proctoring: { camera: true, microphone: false, screen: true },
  faculty_name: 'Grace Hopper',
  institution_name: 'North School',
  institution_status: 'approved',
  login_domain: 'north.example',
  time_zone: 'America/New_York',
};

const student = (name: string) => ({ name, login_email: `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}@north.example` });
const toStudent: Omit<EmailRecipient, 'messageId'> = { to: 'ada@mail.example', kind: 'student', students: [student('Ada Lovelace')] };
const toGuardian: Omit<EmailRecipient, 'messageId'> = { to: 'augusta@mail.example', kind: 'guardian', students: [student('Ada Lovelace'), student('Ben')] };

/** The email as it arrives by SMTP. */
async function arrived(changed: Partial<NoticeSubject>, addressee: Omit<EmailRecipient, 'messageId'>, now = new Date('2026-11-20T09:30:00.000Z')): Promise<ParsedMail> {
  emails += 1;
  const messageId = `<exm_1.1.stu_${emails}@north.example>`;
  return sendAndReceive(examEmail({ ...exam, ...changed }, { ...addressee, messageId }, now));
}

/** The text of an email's HTML, a line for each line of the table or paragraph. */
const saidInHtml = ({ html }: ParsedMail): string =>
  (html ?? '').replaceAll('</th>', ': ').replaceAll(/<[^>]*>/g, '\n').replaceAll(/\n+/g, '\n').replaceAll(':\n', ':').trim();

it('says to a student where to complete it, until when and signed in as whom, then what it is, who gives it and what it asks for', async () => {
  const mail = await arrived({}, toStudent);
  expect([mail.subject, mail.to?.map(({ address }) => address)]).toEqual(['New quiz: Linear algebra', ['ada@mail.example']]);
  expect(linesOf(mail)).toEqual([
    'Hello Ada Lovelace,',
    '',
    expect.stringMatching(/^Please complete the new quiz below in the document app by Tuesday,? 1 December 2026 at 12:30 \(America\/New_York\): sign in there as adalovelace@north\.example\.$/),
    '',
    'Title: Linear algebra',
    'Given by: Grace Hopper, North School',
    // The comma comes and goes with the version of ICU.
    expect.stringMatching(/^Due: Tuesday,? 1 December 2026 at 12:30 \(America\/New_York\)$/),
    'Time limit: 90 minutes from when it is opened',
    'Proctoring: it opens once access to the camera and screen is granted',
  ]);
});

it('says of a due date that has passed that it has, and refers to the teacher where nothing may be late', async () => {
  const saidAt = async (now: Date, allow_late_submission: boolean) => {
    const lines = linesOf(await arrived({ allow_late_submission }, toStudent, now));
    return [lines[2]?.replaceAll(/\w+day,? 1 December 2026 at 12:30 \(America\/New_York\)/g, 'DUE'), lines.find((line) => /due:/i.test(line))?.split(':')[0]];
  };
  const due = new Date('2026-12-01T17:30:00.000Z');
  expect(await saidAt(new Date(due.getTime() - 1), false)).toEqual(['Please complete the new quiz below in the document app by DUE: sign in there as adalovelace@north.example.', 'Due']);
  expect(await saidAt(due, true)).toEqual([
    'Please complete the new quiz below in the document app as soon as you can: sign in there as adalovelace@north.example. It was due on DUE, and late submissions are still accepted.', 'Was due',
  ]);
  expect(await saidAt(due, false)).toEqual([
    'Please ask Grace Hopper what to do about the new quiz below: it was due on DUE, and accepts no submissions now. You find it in the document app: sign in there as adalovelace@north.example.', 'Was due',
  ]);
});

it('names the students to a guardian', async () => {
  const mail = await arrived({ app: 'svccode', exam_type: 'project' }, toGuardian);
  expect(mail.subject).toBe('New project for Ada Lovelace and Ben: Linear algebra');
  const lines = linesOf(mail);
  expect(lines[0]).toBe(
    'You do not need to do anything. There is a new project for Ada Lovelace and Ben at North School, in the coding app. The login email there: adalovelace@north.example (Ada Lovelace) and ben@north.example (Ben).',
  );
});

it('counts many students in the subject and names them in the email', async () => {
  const mail = await arrived({}, { ...toGuardian, students: ['Ann', 'Ben', 'Carl', 'Dora'].map(student) });
  expect([mail.subject, linesOf(mail)[0]]).toEqual(['New quiz for 4 students: Linear algebra', expect.stringContaining('There is a new quiz for Ann, Ben, Carl, and Dora at North School')]);
});

it('leaves out what an exam does not have', async () => {
  const mail = await arrived({ due_date: null, time_limit_minutes: null, proctoring: { camera: false, microphone: false, screen: false } }, toStudent);
  expect(linesOf(mail).slice(2)).toEqual([
    'Please complete the new quiz below in the document app: sign in there as adalovelace@north.example.', '', 'Title: Linear algebra', 'Given by: Grace Hopper, North School', 'Due: no due date',
  ]);
});

it('says the same in HTML', async () => {
  const mail = await arrived({ time_limit_minutes: 1 }, toGuardian);
  const html = saidInHtml(mail);
  for (const line of linesOf(mail).filter((one) => one !== '')) expect(html.replaceAll('&#39;', "'").replaceAll(/\n/g, '')).toContain(line);
  expect(html).toContain('1 minute from');
});

it('lets no name bring in markup, lines or headers', async () => {
  const hostile = '<img src=x onerror="a()">\r\nBcc: other@mail.example\r\n\r\nDue: never &\u2028ever';
  const mail = await arrived({ title: hostile, faculty_name: hostile, institution_name: hostile }, { ...toGuardian, students: [{ name: hostile, login_email: 'ada@north.example' }] });
  const flat = '<img src=x onerror="a()"> Bcc: other at mail example Due: never & ever';
  expect(mail.subject).toBe(`New quiz for ${flat}: ${flat}`);
  expect([mail.headers.map(({ key }) => key).includes('bcc'), mail.to?.length]).toEqual([false, 1]);
  expect(linesOf(mail)).toHaveLength(7);
  expect(linesOf(mail)[2]).toBe(`Title: ${flat}`);
  expect(mail.html).not.toContain('<img');
  expect(mail.html).toContain('&lt;img src=x onerror=&quot;a()&quot;&gt; Bcc: other at mail example Due: never &amp; ever');
});
