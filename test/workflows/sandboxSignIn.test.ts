import type { TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { acceptInvitation, guardianInvitationEmail, guardianSession, inviteGuardian, newGuardianEmail, tokenIn } from '../support/guardians';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';
import { requestCode } from '../support/signInCodes';
import { workflowFixture } from '../support/workflowFixture';

const { api, institution } = workflowFixture();

let sandbox: TestSandbox;
let sandboxInstitution: TestInstitution;
beforeEach(async () => {
  const other = await api.institution();
  sandboxInstitution = await api.sandboxOf(other);
  sandbox = await openSandboxOf(api, other);
});

const newest = (kind: string) =>
  eventually(`an email of the kind ${kind}`, async () => {
    const { data } = await sandbox.call('GET', '/sandbox/emails');
    return data.items.find((email: { kind: string }) => email.kind === kind);
  });
const newStudent = async (key: string): Promise<string> => (await api.call('POST', '/students', { key, body: { full_name: 'Ada Example' } })).data.id;

/** Makes the address a guardian of the sandbox, which needs nobody's mailbox: the sandbox keeps the invitation. */
async function followInSandbox(address: string): Promise<void> {
  await inviteGuardian(api, sandboxInstitution, await newStudent(sandbox.key), address);
  const { links } = await newest('guardian_invitation');
  const token = new URL(links[0]).searchParams.get('token') ?? '';
  expect((await acceptInvitation(api, token)).status).toBe(200);
}

async function followInInstitution(address: string): Promise<void> {
  const { data: link } = await inviteGuardian(api, institution, await newStudent(institution.apiKey), address);
  expect((await acceptInvitation(api, tokenIn(await guardianInvitationEmail(api, link.id)))).status).toBe(200);
}

it("a sandbox's guardian never takes the sign-in of the same address in an institution, also when its clock is ahead", async () => {
  const address = newGuardianEmail();
  await sandbox.advance(90 * 86_400);
  await followInInstitution(address);
  await followInSandbox(address);
  // Its code arrives: a sandbox would have kept it.
  const session = await guardianSession(api, address);
  const { data } = await api.platform('GET', '/guardian/students', { key: session });
  expect(data.items).toHaveLength(1);
});

it("a sandbox's guardian without an account in an institution signs in without naming the sandbox", async () => {
  const address = newGuardianEmail();
  await followInSandbox(address);
  await requestCode(api, address);
  const { text } = await newest('sign_in_code');
  const code = /^ {4}(\d{6})$/m.exec(text)?.[1];
  expect((await api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: address, code } })).status).toBe(200);
});
