import type { NoticeExam } from '../../../../db/repositories/examNoticeLetters';
import { examLetter, type Addressee } from '../../../../domain/exams/notices/examLetter';
import { letterDesk, linesOf } from '../../../support/letterDesk';
import type { ParsedMail } from '../../../support/stack';

const desk = letterDesk();
let letters = 0;

const exam: NoticeExam = {
  id: 'exm_1',
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

const toStudent: Omit<Addressee, 'messageId'> = { to: 'ada@mail.example', kind: 'student', students: ['Ada Lovelace'] };
const toGuardian: Omit<Addressee, 'messageId'> = { to: 'augusta@mail.example', kind: 'guardian', students: ['Ada Lovelace', 'Ben'] };

/** The letter as it arrives by SMTP. */
async function arrived(changed: Partial<NoticeExam>, addressee: Omit<Addressee, 'messageId'>): Promise<ParsedMail> {
  letters += 1;
  const messageId = `<exm_1.1.stu_${letters}@north.example>`;
  return desk.arrived(examLetter({ ...exam, ...changed }, { ...addressee, messageId }));
}

/** What the HTML of a letter says, a line for each line of the table or paragraph. */
const saidInHtml = ({ html }: ParsedMail): string =>
  (html ?? '').replaceAll('</th>', ': ').replaceAll(/<[^>]*>/g, '\n').replaceAll(/\n+/g, '\n').replaceAll(':\n', ':').trim();

it('says to a student what it is, who gives it, until when and how long, what it asks for, where it is found', async () => {
  const mail = await arrived({}, toStudent);
  expect([mail.subject, mail.to?.map(({ address }) => address)]).toEqual(['New quiz: Linear algebra', ['ada@mail.example']]);
  expect(linesOf(mail)).toEqual([
    'Hello Ada Lovelace, there is a new quiz for you at North School.',
    '',
    'Title: Linear algebra',
    'Given by: Grace Hopper',
    // The comma comes and goes with the version of ICU.
    expect.stringMatching(/^Due: Tuesday,? 1 December 2026 at 12:30 \(America\/New_York\)$/),
    'Time limit: 90 minutes from when it is opened',
    'Proctoring: it opens once access to the camera and screen is granted',
    '',
    'You find it in the document app. Sign in there with your login email.',
  ]);
});

it('names the students to a guardian', async () => {
  const mail = await arrived({ app: 'svccode', exam_type: 'project' }, toGuardian);
  expect(mail.subject).toBe('New project for Ada Lovelace and Ben: Linear algebra');
  const lines = linesOf(mail);
  expect([lines[0], lines.at(-1)]).toEqual([
    'There is a new project for Ada Lovelace and Ben at North School.',
    "It is found in the coding app, after signing in with the student's login email. You need not do anything.",
  ]);
});

it('counts many students in the subject and names them in the letter', async () => {
  const mail = await arrived({}, { ...toGuardian, students: ['Ann', 'Ben', 'Carl', 'Dora'] });
  expect([mail.subject, linesOf(mail)[0]]).toEqual(['New quiz for 4 students: Linear algebra', 'There is a new quiz for Ann, Ben, Carl, and Dora at North School.']);
});

it('leaves out what an exam does not have', async () => {
  const mail = await arrived({ due_date: null, time_limit_minutes: null, proctoring: { camera: false, microphone: false, screen: false } }, toStudent);
  expect(linesOf(mail).slice(2, -2)).toEqual(['Title: Linear algebra', 'Given by: Grace Hopper', 'Due: no due date']);
});

it('says the same in HTML', async () => {
  const mail = await arrived({ time_limit_minutes: 1 }, toGuardian);
  const html = saidInHtml(mail);
  for (const line of linesOf(mail).filter((one) => one !== '')) expect(html.replaceAll('&#39;', "'").replaceAll(/\n/g, '')).toContain(line);
  expect(html).toContain('1 minute from');
});

it('lets no name bring in markup, lines or headers', async () => {
  const hostile = '<img src=x onerror="a()">\r\nBcc: other@mail.example\r\n\r\nDue: never &\u2028ever';
  const mail = await arrived({ title: hostile, faculty_name: hostile, institution_name: hostile }, { ...toGuardian, students: [hostile] });
  const flat = '<img src=x onerror="a()"> Bcc: other@mail.example Due: never & ever';
  expect(mail.subject).toBe(`New quiz for ${flat}: ${flat}`);
  expect([mail.headers.map(({ key }) => key).includes('bcc'), mail.to?.length]).toEqual([false, 1]);
  expect(linesOf(mail)).toHaveLength(9);
  expect(linesOf(mail)[2]).toBe(`Title: ${flat}`);
  expect(mail.html).not.toContain('<img');
  expect(mail.html).toContain('&lt;img src=x onerror=&quot;a()&quot;&gt; Bcc: other@mail.example Due: never &amp; ever');
});
