import fc from 'fast-check';
import { plainNameOf, toPlainName } from '../../../domain/emails/plainName';
import { signInCodeEmail } from '../../../domain/signIn/signInCodeEmail';
import { endpointRecoveredEmail } from '../../../domain/webhooks/endpointRecoveredEmail';
import { weeklyReportEmail } from '../../../domain/reports/weeklyReportEmail';

/** What a mail program may make a link of: an address, a domain name or a URL. */
const link = /[@\uff20\ufe6b/\\\uff0f\uff3c]|[.\uff0e\u3002\uff61:\uff1a](?!\s|$)/;

const pieces = fc.constantFrom('https://', 'www.', 'evil.example', '/login', '@', ':', '.', '..', 'mailto:', '。', '．', '＠', '：', '\\', 'Ada', ' ', '\u200b', '\n', 'ß', 'Dr. ');
const hostileName = fc.oneof(fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')), fc.webUrl(), fc.emailAddress(), fc.string({ unit: 'grapheme' }));

it('a name in an email has nothing of which a mail program makes a link', () => {
  fc.assert(
    fc.property(hostileName, (name) => {
      expect(toPlainName(name)).not.toMatch(link);
    }),
    { numRuns: 2_000 },
  );
});

it('a name stays as it is read: letters, hyphens, apostrophes, dots behind a word', () => {
  for (const name of ["St. Mary's School", 'Dr. Ada Lovelace-King, jr.', 'Αθηνά Παπαδοπούλου', 'Algebra: part 1', '山田 太郎']) expect(toPlainName(name)).toBe(name);
  expect(['7/8', 'ada@evil.example', 'https://evil.example/a', 'J.R.R. Tolkien'].map(toPlainName)).toEqual(['7-8', 'ada at evil example', 'https --evil example-a', 'J R R. Tolkien']);
});

it('is idempotent', () => {
  fc.assert(
    fc.property(hostileName, (name) => {
      expect(toPlainName(toPlainName(name))).toBe(toPlainName(name));
    }),
  );
});

it('the login email of a person without a name stays', () => {
  const login_email = 'student1.9f86d081@north.example';
  expect([plainNameOf({ name: login_email, login_email }), plainNameOf({ name: 'x@evil.example', login_email })]).toEqual([login_email, 'x at evil example']);
});

it('emails write names of people and institutions so', () => {
  const name = 'Win at https://evil.example/now';
  const report = { name, login_email: 'student1.9f86d081@north.example', minutes: 1, days_met: 0, points: 1, points_balance: 1, concepts_mastered: 0, streak_days: 0, badges: [] };
  const institution = { institution_id: 'ins_1', institution_name: name, institution_status: 'approved', login_domain: 'north.example', time_zone: 'UTC' } as const;
  const endpoint = { ...institution, to: 'admin@mail.example', admin_id: 'fac_1', admin_email_sealed: '', admin_login_email: 'faculty1.9f86d081@north.example', endpoint_id: 'we_1', url: 'https://receiver.example/', description: name, warned_percent: 90 };
  const messages = [
    weeklyReportEmail({ institutionName: name, week: '2026-11-16', reports: [report] }, { to: 'augusta@mail.example', messageId: '<1@north.example>' }),
    signInCodeEmail({ id: 'code_1', code: '123456', to: 'ada@mail.example', loginEmail: report.login_email, institutionName: name, loginDomain: 'north.example' }),
    endpointRecoveredEmail(endpoint, { failingSinceMs: 0, atMs: 1 }),
  ];
  for (const { subject, text, html } of messages) {
    for (const part of [subject, text, html]) expect([part.includes('evil example'), part.includes('evil.example')]).toEqual([true, false]);
  }
});
