import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WaitingBatch } from '../../db/repositories/coupons/batches';
import type { InvitedDeveloperRow } from '../../db/repositories/developers/invitations';
import type { NoticeStudent, NoticeSubject } from '../../db/repositories/exams/noticeEmails';
import type { InvitedGuardianRow } from '../../db/repositories/guardians/invitations';
import { reminderEmail } from '../../domain/coupons/reminderEmail';
import { invitationEmail as developerInvitation } from '../../domain/developers/invitationEmail';
import { invitationState as developerState } from '../../domain/developers/invitationState';
import { examEmail } from '../../domain/exams/notices/examEmail';
import type { EmailRecipient } from '../../domain/exams/notices/noticeEmailParts';
import { resubmissionEmail } from '../../domain/exams/notices/resubmissionEmail';
import { invitationEmail as guardianInvitation } from '../../domain/guardians/invitationEmail';
import { invitationState as guardianState } from '../../domain/guardians/invitationState';
import type { EmailMessage } from '../../domain/emails/email';
import { offboardingEmail } from '../../domain/offboarding/offboardingEmail';
import { weeklyReportEmail } from '../../domain/reports/weeklyReportEmail';
import { sealEmail } from '../../domain/people/personalEmail';
import { createSecretBox } from '../../domain/secrets/secretBox';
import { mailboxChangedEmail, mailboxCodeEmail } from '../../domain/signIn/mailboxEmails';
import { signInCodeEmail } from '../../domain/signIn/signInCodeEmail';
import { endpointDisabledEmail } from '../../domain/webhooks/endpointDisabledEmail';
import { endpointFailingEmail } from '../../domain/webhooks/endpointFailingEmail';
import { endpointRecoveredEmail } from '../../domain/webhooks/endpointRecoveredEmail';
import { projectRoot } from '../../local/projectRoot';
import { newMasterKey } from '../support/serviceKeys';

const secrets = createSecretBox([newMasterKey('k1')]);
/** Every date that an email could show as one to come. */
const end = new Date('2026-12-01T17:30:00.000Z');
const times: [when: string, now: Date][] = [
  ['before', new Date(end.getTime() - 60_000)],
  ['at', end],
  ['long after', new Date(end.getTime() + 40 * 24 * 3_600_000)],
];

const institution = { institution_id: 'ins_1', institution_name: 'North School', institution_status: 'approved', institution_read_only_until: null, login_domain: 'north.example', time_zone: 'America/New_York' } as const;
const ada: NoticeStudent = { name: 'Ada Lovelace', login_email: 'student1.9f86d081@north.example' };
const ben: NoticeStudent = { name: 'Ben', login_email: 'student2.9f86d081@north.example' };
const addressees: EmailRecipient[] = [
  { to: 'ada@mail.example', kind: 'student', students: [ada], messageId: '<1@north.example>' },
  { to: 'augusta@mail.example', kind: 'guardian', students: [ada, ben], messageId: '<2@north.example>' },
];
const exam = (over: Partial<NoticeSubject>): NoticeSubject => ({
  ...institution, id: 'exm_1', status: 'published', resubmission: null, epoch: null, title: 'Linear algebra', exam_type: 'quiz', app: 'svc', due_date: end, allow_late_submission: false,
  time_limit_minutes: 90, proctoring: { camera: true, microphone: false, screen: true }, faculty_name: 'Grace Hopper', ...over,
});
const exams = [exam({}), exam({ allow_late_submission: true }), exam({ due_date: null }), exam({ status: 'closed' })];
const developer: InvitedDeveloperRow = {
  ...institution, id: 'dev_1', full_name: 'Linus', email_sealed: sealEmail(secrets, { institutionId: 'ins_1', userId: 'dev_1' }, 'linus@mail.example').sealed, status: 'invited', invitation: 1, epoch: null, expires_at: end,
};
const guardian: InvitedGuardianRow = {
  ...institution, id: 'gdn_1', invitation: 1, epoch: null, accepted_at: null, verified_at: null, expires_at: end, guardian_name: 'Augusta', person_id: 'usr_1', guardian_email_sealed: sealEmail(secrets, { institutionId: 'ins_1', userId: 'usr_1' }, 'augusta@mail.example').sealed,
  student_full_name: ada.name, student_email: ada.login_email, student_status: 'active',
};
const batch: WaitingBatch = {
  ...institution, id: 'cpb_1', name: 'Science fair', total_coupons: 10, value_cents: 500, expiry_date: end, status: 'pending', decision: null, decided_at: null, reason: null,
  codes_made: 0, redeemed_count: 0, created_at: new Date('2026-11-20T09:30:00Z'), updated_at: new Date('2026-11-20T09:30:00Z'),
};

const mailboxOwner = { id: 'mbx_1', to: 'ada@mail.example', loginEmail: ada.login_email, institutionName: 'North School', loginDomain: 'north.example' };

const failingEndpoint = {
  ...institution, to: 'admin@mail.example', admin_id: 'fac_1', admin_email_sealed: '', admin_login_email: 'faculty1.9f86d081@north.example', endpoint_id: 'we_1', url: 'https://receiver.example/', description: 'Gradebook',
  warned_percent: 90,
} as const;

interface Email {
  /** Who signs in with what; empty where the reader has nothing to sign in to. */
  loginEmails: string[];
  /** As it would be written at a moment; none where none is sent any more. */
  messages(now: Date): EmailMessage[];
}

const aboutExams = (write: (subject: NoticeSubject, addressee: EmailRecipient, now: Date) => EmailMessage): Email[] =>
  addressees.map((addressee) => ({
    loginEmails: addressee.students.map(({ login_email }) => login_email),
    messages: (now) => exams.map((subject) => write(subject, addressee, now)),
  }));

/** Every function that writes an email, by its file, with the emails that it writes. */
const emails: Record<string, Email[]> = {
  'coupons/reminderEmail': [
    // The platform's admins have a token, no login email. Batches that have expired are not read (`findWaitingBatch`).
    { loginEmails: [], messages: (now) => (now < batch.expiry_date ? [reminderEmail(batch, 1, 'platform@institution.example')] : []) },
  ],
  'developers/invitationEmail': [
    { loginEmails: ['linus@mail.example'], messages: (now) => (developerState(developer, developer, now) === 'open' ? [developerInvitation(secrets, developer, 'https://portal.example')] : []) },
  ],
  'exams/notices/examEmail': aboutExams(examEmail),
  'exams/notices/resubmissionEmail': aboutExams((subject, addressee, now) => resubmissionEmail(subject, 'The second page is missing.', addressee, now)),
  'guardians/invitationEmail': [guardian, { ...guardian, accepted_at: new Date(0) }].map((invited) => ({
    loginEmails: ['augusta@mail.example'],
    messages: (now) =>
      guardianState(invited, invited, now) === 'open' ? (['invitation', 'reminder'] as const).map((kind) => guardianInvitation(secrets, invited, kind, 'https://portal.example')) : [],
  })),
  'offboarding/offboardingEmail': [
    {
      loginEmails: [failingEndpoint.admin_login_email],
      // None is sent once the data may be erased (`readOffboardingNotice`).
      messages: (now) => (now < end ? [offboardingEmail({ ...failingEndpoint, number: 1, erase_after: end })] : []),
    },
  ],
  'reports/weeklyReportEmail': [
    {
      loginEmails: ['augusta@mail.example'],
      messages: () => [
        weeklyReportEmail(
          { institutionName: 'North School', week: '2026-11-16', reports: [{ ...ada, minutes: 1, days_met: 0, points: 1, points_balance: 1, concepts_mastered: 0, streak_days: 0, badges: [] }] },
          { to: 'augusta@mail.example', messageId: '<3@north.example>' },
        ),
      ],
    },
  ],
  'signIn/mailboxEmails': [mailboxCodeEmail(mailboxOwner, '123456'), mailboxChangedEmail(mailboxOwner)].map((email) => ({ loginEmails: [ada.login_email], messages: () => [email] })),
  'signIn/signInCodeEmail': [
    {
      loginEmails: [ada.login_email],
      messages: () => [signInCodeEmail({ id: 'code_1', code: '123456', to: 'ada@mail.example', loginEmail: ada.login_email, institutionName: 'North School', loginDomain: 'north.example' })],
    },
  ],
  'webhooks/endpointDisabledEmail': [
    {
      loginEmails: ['faculty1.9f86d081@north.example'],
      messages: (now) => [
        endpointDisabledEmail({
          ...institution, to: 'admin@mail.example', admin_id: 'fac_1', admin_email_sealed: '', admin_login_email: 'faculty1.9f86d081@north.example', endpoint_id: 'whe_1', url: 'https://receiver.example/', description: null,
          disabled_reason: 'It answered 410 Gone.', disabled_at: now,
        }),
      ],
    },
  ],
  'webhooks/endpointFailingEmail': [
    {
      loginEmails: [failingEndpoint.admin_login_email],
      // None is sent after the endpoint was to be disabled (`sendHealthNotice`).
      messages: (now) => (now < end ? [endpointFailingEmail(failingEndpoint, { percent: 90, failingSinceMs: end.getTime() - 72 * 3_600_000, atMs: end.getTime() })] : []),
    },
  ],
  'webhooks/endpointRecoveredEmail': [
    {
      loginEmails: [failingEndpoint.admin_login_email],
      messages: (now) => [endpointRecoveredEmail(failingEndpoint, { failingSinceMs: now.getTime() - 60 * 3_600_000, atMs: now.getTime() - 1_000 })],
    },
  ],
};

/** What a message says in HTML, without its markup. */
const wordsOfHtml = ({ html }: EmailMessage): string => html.replaceAll(/<[^>]*>/g, '\n').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

const byMonth = 'January|February|March|April|May|June|July|August|September|October|November|December';
/** Dates with a time of day, as messages show them: 2026-12-01T17:30:00.000Z, Tuesday, 1 December 2026 at 12:30 (America/New_York). */
const moments = new RegExp(String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2} (?:${byMonth}) \d{4} at \d\d:\d\d`, 'g');
/** What may stand right before a date that has passed. */
const inThePast = /(?:was due(?: on)?:?|Requested:|(?:Has|Had) failed since:|Has recovered at:)(?:[^\n]*,)?\s+(?:[A-Z][a-z]+,? )?$/i;

it('the list of emails here holds every function of the product that writes one', () => {
  const domain = join(projectRoot(), 'domain');
  const writers = readdirSync(domain, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && /^export function \w+\([^\n]*\): EmailMessage \{$/m.test(readFileSync(join(domain, path), 'utf8')))
    .map((path) => path.slice(0, -'.ts'.length));
  expect(writers.sort()).toEqual(Object.keys(emails));
});

describe.each(Object.entries(emails))('%s', (_writer, written) => {
  const messages = written.flatMap(({ loginEmails, messages: writtenAt }) =>
    times.flatMap(([when, now]) => writtenAt(now).map((message) => ({ when, now, loginEmails, message, parts: [message.text, wordsOfHtml(message)] }))),
  );

  it('says what to do first, after a greeting at most', () => {
    expect(messages.length).toBeGreaterThan(0);
    for (const { parts } of messages) {
      for (const part of parts) expect(part.trim().replace(/^Hello\b[^\n]*,\s+/, '')).toMatch(/^(?:Please [a-z]+ |You do not need to do anything\. )/);
    }
  });

  it('names the login email', () => {
    for (const { parts, loginEmails } of messages) {
      for (const part of parts) expect(loginEmails.filter((loginEmail) => !part.includes(loginEmail))).toEqual([]);
    }
  });

  it('shows no date that has passed as if it were to come', () => {
    for (const { when, now, parts } of messages) {
      for (const part of parts) {
        // Of the dates of these messages those of the first day of December are to come until then.
        const passed = [...part.matchAll(moments)].filter(([shown]) => now >= end || !/1 December|2026-12-01/.test(shown));
        const asToCome = passed.filter(({ index }) => !inThePast.test(part.slice(0, index))).map(([shown]) => `${when}: ${shown}`);
        expect(asToCome).toEqual([]);
      }
    }
  });
});
