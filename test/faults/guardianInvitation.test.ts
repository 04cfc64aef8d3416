import type { guardianInvitation } from '../../workflows/guardianInvitation';
import { startTestApi, type TestApi } from '../support/api';
import { eventually } from '../support/eventually';
import { acceptInvitation, newGuardianEmail, inviteGuardian } from '../support/guardians';
import { invitationToken } from '../../domain/guardians/invitation';
import { startStubMailServer, type StubMailServer } from '../support/stubMailServer';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const guardians = 60;

let office: StubMailServer;
let api: TestApi;
let programs: Programs;
let worker: Program;

beforeAll(async () => {
  office = await startStubMailServer();
  api = await startTestApi({ smtpUrl: office.url });
  programs = openPrograms();
  worker = await programs.worker(api.settings);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
  await office.close();
});

it('kill -9 of the worker among the emails of many invitations: none is missing, what was in flight comes again under its own Message-ID, and all wait on', async () => {
  const institution = await api.institution();
  const students: string[] = [];
  for (let nth = 0; nth < guardians / 10; nth += 1) students.push((await api.call('POST', '/students', { key: institution.apiKey, body: {} })).data.id);
  const addresses = Array.from({ length: guardians }, newGuardianEmail);
  const links = await Promise.all(addresses.map(async (address, nth) => (await inviteGuardian(api, institution, students[nth % students.length] ?? '', address)).data.id));
  await eventually('a part of the emails', () => office.accepted.length > 3);
  await worker.kill();
  worker = await programs.worker(api.settings);
  await eventually('an email to everybody', () => new Set(office.accepted.map(({ to }) => to)).size === guardians);
  const emails = new Map(office.accepted.map(({ to, messageId }) => [to, messageId]));
  for (const [nth, address] of addresses.entries()) expect(emails.get(address)).toBe(`<${links[nth]}.1.invitation@${institution.loginDomain}>`);
  expect(new Set(office.accepted.map(({ messageId }) => messageId)).size).toBe(guardians);

  const [linkId] = links;
  const run = openTestTemporal(api.settings).client.workflow.getHandle<typeof guardianInvitation>(`${linkId}:1`);
  expect((await acceptInvitation(api, invitationToken(api.api.domain.secrets, { linkId, invitation: 1 }))).status).toBe(200);
  await api.call('DELETE', `/guardians/${linkId}`, { key: institution.apiKey });
  expect(await run.result()).toEqual({ outcome: 'deleted', letters: 1 });
});
