import { invitationToken } from '../../domain/guardians/invitation';
import { formatDay, type SimulatedDay } from './calendar';
import type { InstitutionClient } from './institutionClient';
import type { Mailbox } from './mailbox';
import type { Person } from './people';

/** Invites a guardian for each of these students: the first student's guardian accepts and signs in, the others do not respond. */
export async function inviteGuardians(client: InstitutionClient, day: SimulatedDay, mailbox: Mailbox, people: readonly Person[]): Promise<void> {
  for (const [nth, { id }] of people.entries()) {
    const guardian_email = `guardian${nth}.${formatDay(day)}@mail.${client.institution.loginDomain}`;
    const link = await client.key<{ id: string }>('POST', '/guardians', { student_id: id, guardian_email, guardian_type: 'mother' });
    client.counts.add('guardian links');
    if (nth > 0) continue;
    await client.person(undefined, 'POST', '/guardian-invitations/accept', { token: invitationToken(client.secrets, { linkId: link.id, invitation: 1 }) });
    await client.person(undefined, 'POST', '/sign-in/codes', { login_email: guardian_email });
    await client.person(undefined, 'POST', '/sign-in/sessions', { login_email: guardian_email, code: await mailbox.codeFor(guardian_email) });
    client.counts.add('links verified');
  }
}
