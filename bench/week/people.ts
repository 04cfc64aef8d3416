import type { InstitutionClient } from './institutionClient';
import type { Mailbox } from './mailbox';

/** A student whose app has a session. */
export interface Person {
  id: string;
  loginEmail: string;
  session: string;
}

/** Signs a student's app in with the code from an email, on a device of its own. */
export async function signIn(client: InstitutionClient, mailbox: Mailbox, { id, loginEmail, address }: { id: string; loginEmail: string; address: string }): Promise<Person> {
  await client.person(undefined, 'POST', '/sign-in/codes', { login_email: loginEmail });
  const code = await mailbox.codeFor(address);
  const device = { id: `device of ${id}`, name: 'Laptop', platform: 'linux', app_version: '2.4.0' };
  const { session } = await client.person<{ session: string }>(undefined, 'POST', '/sign-in/sessions', { login_email: loginEmail, code, app: 'svcapp', device });
  client.counts.add('seats');
  return { id, loginEmail, session };
}
