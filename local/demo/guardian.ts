import type { InstitutionClient } from '../../clients/typescript/src';
import { openMailbox, waitForEmails } from './emails';
import type { DemoStudent } from './people';
import { expectThat, log } from './log';

const mailedWithinMs = 30_000;

/** Invites a guardian of a student, waits for the email, and returns its file. */
export async function inviteGuardian(client: InstitutionClient, folder: string, { loginEmail, personalEmail }: DemoStudent): Promise<string> {
  log('Inviting a guardian');
  const guardian_email = `guardian.of.${personalEmail}`;
  const link = await client.call('POST', '/guardians', {
    body: { student_id: loginEmail, guardian_email, guardian_type: 'mother', guardian_name: 'Augusta King', is_primary: true },
  });
  expectThat(link.status === 'invited', `${guardian_email} is invited`);
  const [email] = await waitForEmails(openMailbox(folder, `${link.id}.`, guardian_email), 1, mailedWithinMs);
  expectThat(email !== undefined, 'the email has arrived');
  return email?.file ?? '';
}
