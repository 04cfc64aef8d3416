import type { StudentReport } from '../../../db/repositories/reports/weeklyEmails';
import { weeklyReportEmail } from '../../../domain/reports/weeklyReportEmail';
import { mailFixture, linesOf } from '../../support/mailFixture';

const { sendAndReceive } = mailFixture();

const ada: StudentReport = {
  name: 'Ada Lovelace', login_email: 'student1.9f86d081@north.example', minutes: 155, days_met: 5, points: 120, points_balance: 1_340, concepts_mastered: 3, streak_days: 12, badges: ['points_1000', 'streak_7_days'],
};
const idle = (name: string): StudentReport => ({ name, login_email: 'student2.9f86d081@north.example', minutes: 0, days_met: 0, points: -5, points_balance: 0, concepts_mastered: 0, streak_days: 0, badges: [] });

let emails = 0;
const sent = (reports: StudentReport[], institutionName = 'North School') =>
  sendAndReceive(weeklyReportEmail({ institutionName, week: '2026-11-16', reports }, { to: 'augusta@mail.example', messageId: `<rep.2026-11-16.usr_${(emails += 1)}@north.example>` }));

it('names a student, with their numbers of the week', async () => {
  const mail = await sent([ada]);
  expect([mail.subject, mail.to?.[0]?.address]).toEqual(['Alpha Learning, 16 – 22 November 2026: Ada Lovelace', 'augusta@mail.example']);
  expect(linesOf(mail)).toEqual([
    'You do not need to do anything. This is the report of the week of 16 – 22 November 2026 in Alpha Learning at North School.',
    '',
    'Ada Lovelace',
    '  Time learned: 2 h 35 min',
    '  Days on which the daily target was met: 5 of 7',
    '  Days in a row at the end of the week: 12',
    '  Concepts mastered: 3',
    '  Points: +120, 1,340 in all',
    '  Badges: 1,000 points; seven days in a row',
    '',
    'You get this email every Monday because you are a verified guardian: you sign in as augusta@mail.example.',
  ]);
  expect(mail.html).toContain('<h3>Ada Lovelace</h3>');
  expect(mail.html).toContain('<th align="left">Time learned</th><td>2 h 35 min</td>');
});

it('lists all students of a guardian in one email, those who were idle too', async () => {
  const mail = await sent([ada, idle('Byron King')]);
  expect(mail.subject).toBe('Alpha Learning, 16 – 22 November 2026: 2 students');
  const lines = linesOf(mail);
  expect(lines.slice(lines.indexOf('Byron King'), -2)).toEqual([
    'Byron King',
    '  Time learned: 0 min',
    '  Days on which the daily target was met: 0 of 7',
    '  Days in a row at the end of the week: 0',
    '  Concepts mastered: 0',
    '  Points: -5, 0 in all',
  ]);
});

it('names of students and institutions neither break lines nor become markup', async () => {
  const mail = await sent([idle('Eve\r\nBcc: all@mail.example <b>')], '<i>North\nSchool');
  expect(mail.subject).toBe('Alpha Learning, 16 – 22 November 2026: Eve Bcc: all at mail example <b>');
  expect(mail.bcc).toBeUndefined();
  expect(mail.html).toContain('&lt;i&gt;North School');
  expect(mail.html).toContain('<h3>Eve Bcc: all at mail example &lt;b&gt;</h3>');
});
