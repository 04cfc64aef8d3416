import type { NoticeSubject } from '../../../../db/repositories/examNoticeLetters';
import type { Addressee } from '../../../../domain/exams/notices/examLetter';
import { feedbackInLetter, resubmissionLetter } from '../../../../domain/exams/notices/resubmissionLetter';
import { letterDesk, linesOf } from '../../../support/letterDesk';
import type { ParsedMail } from '../../../support/stack';

const desk = letterDesk();
let letters = 0;

const exam: NoticeSubject = {
  id: 'exm_2',
  status: 'published',
  resubmission: null,
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

const toStudent: Omit<Addressee, 'messageId'> = { to: 'ada@mail.example', kind: 'student', students: ['Ada Lovelace'] };
const toGuardian: Omit<Addressee, 'messageId'> = { to: 'augusta@mail.example', kind: 'guardian', students: ['Ada Lovelace'] };

/** The letter as it arrives by SMTP. */
async function arrived(changed: Partial<NoticeSubject>, feedback: string | null, addressee: Omit<Addressee, 'messageId'>, now = new Date('2026-11-20T09:30:00.000Z')): Promise<ParsedMail> {
  letters += 1;
  const messageId = `<exm_2.${letters}.stu_1@north.example>`;
  return desk.arrived(resubmissionLetter({ ...exam, ...changed }, feedback, { ...addressee, messageId }, now));
}

it('says to a student what is to be made again, what was said of it, until when, and where', async () => {
  const mail = await arrived({}, 'The second page is missing.\n\nPlease add it.', toStudent);
  expect([mail.subject, mail.to?.map(({ address }) => address)]).toEqual(['Please submit again: Linear algebra', ['ada@mail.example']]);
  expect(linesOf(mail)).toEqual([
    'Hello Ada Lovelace, your submission of the homework below, at North School, is to be made again.',
    '',
    'Title: Linear algebra',
    'Given by: Grace Hopper',
    expect.stringMatching(/^Due: Tuesday,? 1 December 2026 at 12:30 \(America\/New_York\)$/),
    '',
    'Feedback:',
    '> The second page is missing.',
    expect.stringMatching(/^> ?$/),
    '> Please add it.',
    '',
    'Open it in the document app, signed in with your login email, and submit anew.',
  ]);
});

it('names the student to a guardian', async () => {
  const mail = await arrived({ app: 'svccode' }, null, toGuardian);
  const lines = linesOf(mail);
  expect([mail.subject, lines[0], lines.at(-1)]).toEqual([
    'Ada Lovelace: please submit again: Linear algebra',
    'The submission of Ada Lovelace of the homework below, at North School, is to be made again.',
    "It is made anew in the coding app, after signing in with the student's login email. You need not do anything.",
  ]);
});

it('leaves out what there is not', async () => {
  expect(linesOf(await arrived({ due_date: null }, null, toStudent)).slice(2, -2)).toEqual(['Title: Linear algebra', 'Given by: Grace Hopper']);
});

it.each([toStudent, toGuardian])('sends to the teacher where the exam is closed', async (addressee) => {
  expect(linesOf(await arrived({ status: 'closed' }, null, addressee)).at(-1)).toBe('It takes no submissions at present: please ask Grace Hopper how to go on.');
});

it.each([toStudent, toGuardian])('sends to the teacher once the due date has passed, where nothing may be late', async (addressee) => {
  const due = new Date('2026-12-01T17:30:00.000Z');
  const closingAt = async (now: Date, allow_late_submission: boolean) => linesOf(await arrived({ allow_late_submission }, null, addressee, now)).at(-1);
  const asked = 'It takes no submissions at present: please ask Grace Hopper how to go on.';
  const open = await closingAt(new Date(due.getTime() - 1), false);
  expect(open).toContain('anew');
  expect([await closingAt(due, false), await closingAt(due, true)]).toEqual([asked, open]);
});

it('says the same in HTML', async () => {
  const mail = await arrived({}, 'One\nTwo', toStudent);
  const html = (mail.html ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  for (const said of ['is to be made again', 'Title Linear algebra', 'Given by Grace Hopper', 'Feedback: One Two', 'submit anew']) expect(html).toContain(said);
});

it('lets neither names nor feedback bring in markup, headers, or lines that look like ours', async () => {
  const hostile = '<img src=x onerror="a()">\r\nBcc: other@mail.example\u2028never &';
  const mail = await arrived({ title: hostile, faculty_name: hostile, institution_name: hostile }, hostile, { ...toGuardian, students: [hostile] });
  const flat = '<img src=x onerror="a()"> Bcc: other@mail.example never &';
  expect(mail.subject).toBe(`${flat}: please submit again: ${flat}`);
  expect([mail.headers.map(({ key }) => key).includes('bcc'), mail.to?.length]).toEqual([false, 1]);
  expect(linesOf(mail).slice(6, 10)).toEqual(['Feedback:', '> <img src=x onerror="a()">', '> Bcc: other@mail.example', '> never &']);
  expect(mail.html).not.toContain('<img');
});

it('carries so much of a long feedback, and cuts it between characters', async () => {
  const fits = await arrived({}, '👩‍👩‍👧'.repeat(feedbackInLetter), toStudent);
  expect(linesOf(fits)).toContain(`> ${'👩‍👩‍👧'.repeat(feedbackInLetter)}`);
  const long = await arrived({}, '👩‍👩‍👧'.repeat(feedbackInLetter + 1), toStudent);
  expect(linesOf(long)).toContain(`> ${'👩‍👩‍👧'.repeat(feedbackInLetter)} … (shortened)`);
});
