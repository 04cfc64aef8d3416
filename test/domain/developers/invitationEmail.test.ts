import type { InvitedDeveloperRow } from '../../../db/repositories/developers/invitations';
import { invitationToken } from '../../../domain/developers/invitation';
import { invitationEmail } from '../../../domain/developers/invitationEmail';
import { sealEmail } from '../../../domain/people/personalEmail';
import { createSecretBox } from '../../../domain/secrets/secretBox';
import { mailFixture, linesOf } from '../../support/mailFixture';
import { newMasterKey } from '../../support/serviceKeys';
import { recipientsOf } from '../../support/signInCodes';

const { sendAndReceive } = mailFixture();
const secrets = createSecretBox([newMasterKey('k1')]);

function invitedDeveloper(over: Partial<InvitedDeveloperRow> = {}): InvitedDeveloperRow {
  return {
    id: 'dev_1',
    full_name: 'Linus Developer',
    email_sealed: sealEmail(secrets, { institutionId: 'ins_1', userId: 'dev_1' }, 'linus@mail.example').sealed,
    status: 'invited',
    invitation: 3,
    epoch: null,
    expires_at: new Date('2026-11-27T22:30:00Z'),
    institution_id: 'ins_1',
    institution_name: 'North School',
    institution_status: 'approved', institution_read_only_until: null,
    login_domain: 'north.example',
    time_zone: 'Europe/Vienna',
    ...over,
  };
}

it('says how to accept, until when in the institution\'s time zone and signed in as whom, by which link, and to what', async () => {
  const mail = await sendAndReceive(invitationEmail(secrets, invitedDeveloper(), 'https://portal.example/?lang=en'));
  const token = invitationToken(secrets, { developerId: 'dev_1', invitation: 3 });
  expect([recipientsOf(mail), mail.subject, mail.messageId]).toEqual([['linus@mail.example'], 'Invitation to develop for North School', '<dev_1.3.invitation@north.example>']);
  expect(linesOf(mail)).toEqual([
    'Hello Linus Developer,', '',
    'Please accept the invitation of North School by Friday, 27 November 2026 at 23:30 (Europe/Vienna): open the link below, then sign in as linus@mail.example with the code that you get by email.', '',
    `    https://portal.example/?lang=en&token=${token}`, '',
    'North School invites you as a developer: you manage its API keys, webhook endpoints and deliveries.', '',
    'If this is not meant for you, ignore this email.',
  ]);
});

it('keeps a name out of its headers and its markup', async () => {
  const name = 'Smith\r\nBcc: thief@mail.example <script>';
  const mail = await sendAndReceive(invitationEmail(secrets, invitedDeveloper({ institution_name: name, full_name: name, invitation: 4 }), 'https://portal.example'));
  expect([recipientsOf(mail), mail.bcc ?? []]).toEqual([['linus@mail.example'], []]);
  expect(mail.subject).toBe('Invitation to develop for Smith Bcc: thief at mail example <script>');
  expect(mail.html).toContain('&lt;script&gt;');
  expect(mail.html).not.toContain('<script>');
});
