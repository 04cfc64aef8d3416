import { emailsPerBatch } from '../../../domain/emails/claimedEmail';
import { claimReportEmails } from '../../../domain/reports/claimReportEmails';
import { removeGuardian } from '../../../domain/guardians/removeGuardian';
import { transact } from '../../../domain/transact';
import { seedGuardian, seedGuardians } from '../../support/seed/guardians';
import { seedStudentWithEmail, seedStudents } from '../../support/seed/students';
import { seedEnrollments, seedLearningDay } from '../../support/seed/enrollments';
import { reportWeek, reportEmailsOf, writeReportWeek } from '../../support/weeklyReports';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture();
let mailboxes = 0;

const sql = (text: string, values: unknown[] = []) => api.api.domain.database.sql(text, [institution.id, ...values]);
const mailbox = (): string => `guardian${(mailboxes += 1)}.reports@mail.example`;
const next = (now = new Date()) => claimReportEmails(api.api.domain, { institutionId: institution.id, week: reportWeek }, now);

/** A student of this name who learned so many minutes on the week's Monday. */
async function student(name: string, minutes: number): Promise<string> {
  const id = await seedStudentWithEmail(api, institution, null, name);
  await seedEnrollments(api, institution, [id]);
  await seedLearningDay(api, institution, [id], reportWeek, minutes);
  return id;
}

/** The next emails by their addressees: their names and times, or why there is none. */
async function notified(): Promise<Record<string, string[]>> {
  const emails = await next();
  if (typeof emails === 'string') return { [emails]: [] };
  return Object.fromEntries(emails.map(({ email }) =>
    typeof email === 'string' ? [email, []] : [email.to, email.text.split('\n').filter((line) => /^Student|Time/.test(line))]));
}

it('each guardian gets one email, with the numbers of their own students and of no others', async () => {
  const [ada, byron, clara] = [await student('Student Ada', 10), await student('Student Byron', 20), await student('Student Clara', 30)];
  const [mother, father, other] = [mailbox(), mailbox(), mailbox()];
  for (const [id, ...guardians] of [[ada, mother, father], [byron, mother], [clara, other]] as const) {
    for (const address of guardians) await seedGuardian(api, institution, id, address);
  }
  await writeReportWeek(api, institution);
  expect(await notified()).toEqual({
    [mother]: ['Student Ada', '  Time learned: 10 min', 'Student Byron', '  Time learned: 20 min'],
    [father]: ['Student Ada', '  Time learned: 10 min'],
    [other]: ['Student Clara', '  Time learned: 30 min'],
  });
});

it('a guardian whose link is gone when their email is due gets none, and a guardian with another link left gets that student only', async () => {
  const [ada, byron] = [await student('Student Ada', 10), await student('Student Byron', 20)];
  const [gone, stays] = [mailbox(), mailbox()];
  const links = [await seedGuardian(api, institution, ada, gone), await seedGuardian(api, institution, ada, stays)];
  await seedGuardian(api, institution, byron, stays);
  await writeReportWeek(api, institution);
  for (const link of links) await transact(api.api.domain, institution.caller, (tx) => removeGuardian(tx, link));
  expect(await notified()).toEqual({ [stays]: ['Student Byron', '  Time learned: 20 min'] });
});

it('of a student who was suspended meanwhile nobody is notified, and a guardian of no other gets no email', async () => {
  const [ada, byron] = [await student('Student Ada', 10), await student('Student Byron', 20)];
  const both = mailbox();
  await seedGuardian(api, institution, ada, mailbox());
  for (const id of [ada, byron]) await seedGuardian(api, institution, id, both);
  await writeReportWeek(api, institution);
  await sql("UPDATE users SET status = 'suspended' WHERE institution_id = $1 AND id = $2", [ada]);
  expect(await notified()).toEqual({ [both]: ['Student Byron', '  Time learned: 20 min'], nobody: [] });
});

it('while the institution is suspended none is claimed', async () => {
  await seedGuardian(api, institution, await student('Student Ada', 10), mailbox());
  await writeReportWeek(api, institution);
  await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1");
  expect(await notified()).toEqual({ institution_inactive: [] });
  expect((await reportEmailsOf(api, institution)).map(({ status }) => status)).toEqual(['waiting']);
});

it('ten are claimed at a time, for a minute, under a Message-ID of week and guardian', async () => {
  const ids = await seedStudents(api, institution, 12, `ten${institution.id.slice(-6)}`);
  await seedEnrollments(api, institution, ids);
  await seedGuardians(api, institution, ids);
  await writeReportWeek(api, institution);
  const now = new Date();
  const [first, second, again] = [await next(now), await next(now), await next(new Date(now.getTime() + 60_001))];
  if (typeof first === 'string' || typeof second === 'string' || typeof again === 'string') throw new Error('The institution is approved');
  expect([first.length, second.length, again.length]).toEqual([emailsPerBatch, 2, emailsPerBatch]);
  for (const { email, recipientId } of first) expect(email).toMatchObject({ messageId: `<rep.${reportWeek}.${recipientId}@${institution.loginDomain}>` });
});
