import type { InvitedGuardianRow } from '../../../db/repositories/guardians/invitations';
import { invitationEmail } from '../../../domain/guardians/invitationEmail';
import { invitationToken } from '../../../domain/guardians/invitation';
import { sealEmail } from '../../../domain/people/personalEmail';
import { createSecretBox } from '../../../domain/secrets/secretBox';
import { newMasterKey } from '../../support/serviceKeys';
import { recipientsOf } from '../../support/signInCodes';
import { mailFixture } from '../../support/mailFixture';

const { sendAndReceive } = mailFixture();
const secrets = createSecretBox([newMasterKey('k1')]);
const portal = 'https://portal.example/guardians?lang=en';
let emails = 0;

function invitedTo(over: Partial<InvitedGuardianRow> = {}): InvitedGuardianRow {
  emails += 1;
  return {
    id: `gdn_${emails}`,
    invitation: 3,
    epoch: null,
    accepted_at: null,
    verified_at: null,
    expires_at: new Date('2026-12-04T22:30:00Z'),
    guardian_name: 'Augusta King',
    person_id: 'usr_1',
    guardian_email_sealed: sealEmail(secrets, { institutionId: 'ins_1', userId: 'usr_1' }, 'augusta@mail.example').sealed,
    student_full_name: 'Ada Lovelace',
    student_email: 'student1.9f86d081@north.example',
    student_status: 'active',
    institution_id: 'ins_1',
    institution_name: 'North School',
    institution_status: 'approved', institution_read_only_until: null,
    login_domain: 'north.example',
    time_zone: 'Europe/Vienna',
    ...over,
  };
}

const arrived = (to: InvitedGuardianRow, kind: 'invitation' | 'reminder' = 'invitation') => sendAndReceive(invitationEmail(secrets, to, kind, portal));

it('says who invites whom to follow whom, by which link, and until when in the institution\'s time zone', async () => {
  const to = invitedTo();
  const mail = await arrived(to);
  expect([recipientsOf(mail), mail.subject]).toEqual([['augusta@mail.example'], 'Invitation to follow Ada Lovelace at North School']);
  const link = `${portal}&token=${invitationToken(secrets, { linkId: to.id, invitation: 3 })}`;
  expect(mail.text).toContain(`    ${link}`);
  expect(mail.html).toContain(`href="${link.replace('&', '&amp;')}"`);
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('Hello Augusta King,');
    expect(part).toContain('North School invites you to follow Ada Lovelace as a guardian');
    expect(part).toContain('Please accept the invitation of North School by Friday, 4 December 2026 at 23:30 (Europe/Vienna): open the link below, then sign in as augusta@mail.example');
  }
});

it('reminds with the same link, and without one a guardian who has accepted and not signed in', async () => {
  const [open, accepted] = [await arrived(invitedTo(), 'reminder'), await arrived(invitedTo({ accepted_at: new Date() }), 'reminder')];
  expect([open.subject, accepted.subject]).toEqual(['Reminder: follow Ada Lovelace at North School', 'Reminder: follow Ada Lovelace at North School']);
  expect(open.text).toContain('token=');
  expect(accepted.text).toMatch(/Please sign in once by .* sign in as augusta@mail\.example .* You have already accepted the invitation\./);
  expect(accepted.text).toContain(`    ${portal}\n`);
  expect([accepted.text, accepted.html].join()).not.toContain('token=');
});

it('names a student without a name by the login email, and greets a guardian without a name', async () => {
  const mail = await arrived(invitedTo({ student_full_name: null, guardian_name: null }));
  expect(mail.subject).toBe('Invitation to follow student1.9f86d081@north.example at North School');
  expect(mail.text).toMatch(/^Hello,/);
});

it('takes nothing in a name for HTML, for a further line or for an encoded word', async () => {
  const mail = await arrived(invitedTo({ student_full_name: '<b>Ada =?utf-8?q?x?=', guardian_name: '"><script>', institution_name: 'Smith & Sons' }));
  expect(mail.subject).toBe('Invitation to follow <b>Ada = ?utf-8?q?x?= at Smith & Sons');
  expect(mail.html).toContain('&lt;b&gt;Ada');
  expect(mail.html).not.toMatch(/<b>|<script>/);
});
