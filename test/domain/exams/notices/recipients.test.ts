import { gatherNoticeRecipients } from '../../../../db/repositories/exams/notices';
import { claimNoticeEmails } from '../../../../domain/exams/notices/claimNoticeEmails';
import { emailsPerBatch, type ClaimedEmail } from '../../../../domain/emails/claimedEmail';
import type { WorkflowArguments } from '../../../../domain/outbox/workflows';
import { transact } from '../../../../domain/transact';
import { sealEmail } from '../../../../domain/people/personalEmail';
import { withConnection } from '../../../../local/programs/postgres';
import { announceAndGatherRecipients, recipientsOf } from '../../../support/examNotices';
import { seedExam } from '../../../support/seed/exams';
import { seedGroup } from '../../../support/seed/groups';
import { seedGuardian } from '../../../support/seed/guardians';
import { seedStudentWithEmail } from '../../../support/seed/students';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution, sql } = apiFixture();
let examId: string;
let mailboxes = 0;

beforeEach(async () => {
  examId = await seedExam(api, institution);
});

const mailbox = (): string => `reader${(mailboxes += 1)}@mail.example`;
const group = (...members: string[]) => seedGroup(api, institution, members);
const suspend = (id: string) => sql("UPDATE users SET status = 'suspended' WHERE id = $1", [id]);

const addressOf = ({ email }: ClaimedEmail): string => (typeof email === 'string' ? email : email.to);

/** The recipients of the next emails of a notice. */
async function notified(notice: WorkflowArguments['examNotification'], now = new Date()): Promise<string[]> {
  const next = await claimNoticeEmails(api.api.domain, notice, now);
  return next.state === 'emails' ? next.emails.map(addressOf).sort() : [next.state];
}

async function notifiedByNotice(...groupIds: string[]): Promise<string[]> {
  return notified(await announceAndGatherRecipients(api, institution, examId, groupIds));
}

describe('a notice reaches', () => {
  it('the members of its groups who have a mailbox, each once though in several groups', async () => {
    const [one, other] = [mailbox(), mailbox()];
    const [first, second, without] = [await seedStudentWithEmail(api, institution, one), await seedStudentWithEmail(api, institution, other), await seedStudentWithEmail(api, institution, null)];
    expect(await notifiedByNotice(await group(first, second, without), await group(first))).toEqual([one, other].sort());
  });

  it('nobody again who was notified before, though the exam was unassigned and assigned again; those who were not yet', async () => {
    const [notifiedId, guarded, late] = [await seedStudentWithEmail(api, institution, mailbox()), await seedStudentWithEmail(api, institution, null), mailbox()];
    await seedGuardian(api, institution, guarded, mailbox());
    const notYet = await seedStudentWithEmail(api, institution, late);
    const groupId = await group(notifiedId, guarded, notYet);
    const { notice } = await announceAndGatherRecipients(api, institution, examId, [groupId]);
    await sql("UPDATE exam_notice_recipients SET status = 'sent', sent_at = now() WHERE exam_id = $1 AND notice = $2 AND recipient_id <> $3", [examId, notice, notYet]);
    await sql('DELETE FROM exam_assignments WHERE exam_id = $1', [examId]);
    expect(await notifiedByNotice(groupId)).toEqual([late]);
  });

  it('no suspended student, and not their guardians', async () => {
    const student = await seedStudentWithEmail(api, institution, mailbox());
    await seedGuardian(api, institution, student, mailbox());
    await suspend(student);
    expect(await notifiedByNotice(await group(student))).toEqual([]);
  });

  // Contract: exams.assignment.emails-students-and-guardians
  it('verified guardians alone, those of a student without a mailbox too', async () => {
    const student = await seedStudentWithEmail(api, institution, null);
    const guardian = mailbox();
    await seedGuardian(api, institution, student, guardian);
    await seedGuardian(api, institution, student, mailbox(), 'unverified');
    expect(await notifiedByNotice(await group(student))).toEqual([guardian]);
  });

  it('a guardian of several students in one email that names those concerned', async () => {
    const [ann, ben, away] = [await seedStudentWithEmail(api, institution, null, 'Ann'), await seedStudentWithEmail(api, institution, null, 'Ben'), await seedStudentWithEmail(api, institution, null, 'Carl')];
    const guardian = mailbox();
    for (const student of [ben, ann, away]) await seedGuardian(api, institution, student, guardian.toUpperCase());
    const notice = await announceAndGatherRecipients(api, institution, examId, [await group(ann, ben)]);
    const next = await claimNoticeEmails(api.api.domain, notice, new Date());
    const emails = next.state === 'emails' ? next.emails.map(({ email }) => email) : [];
    expect(emails).toEqual([expect.objectContaining({ to: guardian, text: expect.stringContaining('for Ann and Ben at') })]);
  });

  it('nobody who sees the exam through a group announced before, nor their guardians', async () => {
    const [early, late] = [mailbox(), mailbox()];
    const [first, second] = [await seedStudentWithEmail(api, institution, early), await seedStudentWithEmail(api, institution, late)];
    await seedGuardian(api, institution, first, mailbox());
    expect(await notifiedByNotice(await group(first))).toHaveLength(2);
    expect(await notifiedByNotice(await group(first, second))).toEqual([late]);
  });

  it('again who had seen the exam through a group that it was taken from', async () => {
    const address = mailbox();
    const student = await seedStudentWithEmail(api, institution, address);
    const before = await group(student);
    expect(await notifiedByNotice(before)).toEqual([address]);
    await sql('DELETE FROM exam_assignments WHERE group_id = $1', [before]);
    expect(await notifiedByNotice(await group(student))).toEqual([address]);
  });

  it('nobody of another institution: its tables take no guardian of a student who is not theirs', async () => {
    const otherInstitution = await api.institution();
    const student = await seedStudentWithEmail(api, institution, null);
    await expect(seedGuardian(api, otherInstitution, student, mailbox())).rejects.toThrow('guardian_links_institution_id_student_id_fkey');
    expect(await notifiedByNotice(await group(student))).toEqual([]);
  });

  it('nobody, where the exam was closed before they were gathered', async () => {
    const assigned = await group(await seedStudentWithEmail(api, institution, mailbox()));
    const closed = await seedExam(api, institution, { status: 'closed' });
    const notice = await announceAndGatherRecipients(api, institution, closed, [assigned]);
    expect(await recipientsOf(api, notice)).toEqual([]);
  });
});

describe('before each ten it is read again', () => {
  it.each<[string, (student: string) => Promise<unknown>]>([
    ['the student was suspended', (student) => suspend(student)],
    ['the assignment was removed', () => sql('DELETE FROM exam_assignments WHERE exam_id = $1', [examId])],
    ['the student left the group', (student) => sql('DELETE FROM group_members WHERE user_id = $1', [student])],
  ])('whether %s', async (_what, change) => {
    const student = await seedStudentWithEmail(api, institution, mailbox());
    await seedGuardian(api, institution, student, mailbox());
    const notice = await announceAndGatherRecipients(api, institution, examId, [await group(student)]);
    await change(student);
    expect(await notified(notice)).toEqual(['nobody', 'nobody']);
  });

  it('whether a link is still there and verified, and which students it leaves', async () => {
    const [ann, ben] = [await seedStudentWithEmail(api, institution, null, 'Ann'), await seedStudentWithEmail(api, institution, null, 'Ben')];
    const guardian = mailbox();
    const links = [await seedGuardian(api, institution, ann, guardian), await seedGuardian(api, institution, ben, guardian)].sort();
    const notice = await announceAndGatherRecipients(api, institution, examId, [await group(ann, ben)]);
    await sql('DELETE FROM guardian_links WHERE id = $1', [links[0]]);
    const next = await claimNoticeEmails(api.api.domain, notice, new Date());
    const [email] = next.state === 'emails' ? next.emails.map((one) => one.email) : [];
    expect(email).toMatchObject({ to: guardian, text: expect.stringContaining('for Ben at') });
    await sql('UPDATE guardian_links SET verified_at = NULL WHERE id = $1', [links[1]]);
    await sql("UPDATE exam_notice_recipients SET try_after = '-infinity' WHERE exam_id = $1", [examId]);
    expect(await notified(notice)).toEqual(['nobody']);
  });

  it('where the mailbox is now', async () => {
    const [before, now] = [mailbox(), mailbox()];
    const student = await seedStudentWithEmail(api, institution, before);
    const notice = await announceAndGatherRecipients(api, institution, examId, [await group(student)]);
    await sql('UPDATE users SET personal_email_sealed = $2 WHERE id = $1', [student, sealEmail(api.api.domain.secrets, { institutionId: institution.id, userId: student }, now).sealed]);
    expect(await notified(notice)).toEqual([now]);
  });

  it.each([
    ['is ended by the closing of the exam', "UPDATE exams SET status = 'closed', closed_at = now() WHERE institution_id = $1", 'exam_inactive'],
    ['is held by the suspension of the institution', "UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1", 'institution_inactive'],
  ])('whether it %s', async (_what, change, state) => {
    const notice = await announceAndGatherRecipients(api, institution, examId, [await group(await seedStudentWithEmail(api, institution, mailbox()))]);
    await sql(change, [institution.id]);
    expect(await notified(notice)).toEqual([state]);
    expect((await recipientsOf(api, notice)).map(({ status }) => status)).toEqual(['waiting']);
  });

  it('an address that no key opens keeps nobody else from an email', async () => {
    const address = mailbox();
    const [broken, well] = [await seedStudentWithEmail(api, institution, mailbox()), await seedStudentWithEmail(api, institution, address)];
    await sql("UPDATE users SET personal_email_sealed = 'gone.AAAA' WHERE id = $1", [broken]);
    expect(await notifiedByNotice(await group(broken, well))).toEqual([address, 'unreadable'].sort());
  });
});

describe('a claim', () => {
  it('is of ten, and leaves them to who made it for a minute', async () => {
    const students = await Promise.all(Array.from({ length: 12 }, () => seedStudentWithEmail(api, institution, mailbox())));
    const notice = await announceAndGatherRecipients(api, institution, examId, [await group(...students)]);
    const now = new Date();
    const [first, second] = await Promise.all([notified(notice, now), notified(notice, now)]);
    expect([first.length, second.length].sort()).toEqual([emailsPerBatch, 2].sort());
    expect(new Set([...first, ...second]).size).toBe(12);
    expect(await notified(notice, new Date(now.getTime() + 59_999))).toEqual([]);
    expect(await notified(notice, new Date(now.getTime() + 60_000))).toHaveLength(emailsPerBatch);
  });

  it('finds the recipients that were gathered first, though members join later and it is gathered again', async () => {
    const address = mailbox();
    const assigned = await group(await seedStudentWithEmail(api, institution, address));
    const notice = await announceAndGatherRecipients(api, institution, examId, [assigned]);
    const late = await seedStudentWithEmail(api, institution, mailbox());
    await sql('INSERT INTO group_members (group_id, user_id, institution_id, created_at) VALUES ($1, $2, $3, now())', [assigned, late, institution.id]);
    const { caller } = institution;
    await transact(api.api.domain, caller, (tx) => gatherNoticeRecipients(tx, notice, caller.now));
    expect(await notified(notice)).toEqual([address]);
  });
});

it('an email has one Message-ID each time it is sent; that of a notice opened since a backup was restored carries the epoch', async () => {
  const [early, late] = [await seedStudentWithEmail(api, institution, mailbox()), await seedStudentWithEmail(api, institution, mailbox())];
  const before = await announceAndGatherRecipients(api, institution, examId, [await group(early)]);
  const messageIds = async (notice: WorkflowArguments['examNotification']): Promise<string[]> => {
    await sql("UPDATE exam_notice_recipients SET try_after = '-infinity' WHERE exam_id = $1", [examId]);
    const next = await claimNoticeEmails(api.api.domain, notice, new Date());
    return next.state === 'emails' ? next.emails.map(({ email }) => (typeof email === 'string' ? email : email.messageId)) : [];
  };
  const atFirst = [`<${examId}.${before.notice}.${early}@${institution.loginDomain}>`];
  expect(await messageIds(before)).toEqual(atFirst);
  const [{ epoch } = { epoch: '' }] = await withConnection(api.stack.ownerDatabaseUrl, async (client) => (await client.query<{ epoch: string }>('SELECT begin_workflow_epoch() AS epoch')).rows);
  const since = await announceAndGatherRecipients(api, institution, examId, [await group(late)]);
  expect([await messageIds(since), await messageIds(since), await messageIds(before)]).toEqual([
    ...[1, 2].map(() => [`<${examId}.${since.notice}.${late}.${epoch}@${institution.loginDomain}>`]),
    atFirst,
  ]);
});
