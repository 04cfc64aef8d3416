import { temporal as protocol } from '@temporalio/proto';
import type { RunningWorker } from '../../worker/start';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedStudents } from '../support/seed/students';
import { eventually } from '../support/eventually';
import { newGuardianEmail, guardianInvitationEmail, inviteGuardian } from '../support/guardians';
import { startReceiver, type Receiver } from '../support/receiver';
import { stack } from '../support/stack';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { waitUntilPolling, startTestWorker } from '../support/worker';

const { PENDING_ACTIVITY_STATE_STARTED: started } = protocol.api.enums.v1.PendingActivityState;
const soonMs = 30_000;

let mailServer: TcpProxy;
let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let temporal: TemporalConnection;
let institution: TestInstitution;
let otherInstitution: TestInstitution;

beforeAll(async () => {
  mailServer = await startTcpProxy(new URL((await stack()).smtpUrl).host);
  receiver = await startReceiver();
  api = await startTestApi({ smtpUrl: `smtp://${mailServer.address}`, webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  temporal = openTestTemporal(api.settings);
  await waitUntilPolling(worker);
  [institution, otherInstitution] = [await api.institution(), await api.institution()];
});

afterAll(async () => {
  await mailServer.resume();
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
  await receiver.close();
  await mailServer.close();
});

/** The activities that the invitation of a link waits for. */
const waitingOf = async (linkId: string) =>
  (await temporal.client.workflow.getHandle(`${linkId}:1`).describe().catch(() => undefined))?.raw.pendingActivities?.filter(({ activityType }) => activityType?.name === 'sendInvitation') ?? [];
const invitedBy = async (institution: TestInstitution, studentId: string): Promise<string> => (await inviteGuardian(api, institution, studentId, newGuardianEmail())).data.id;

it('while the mail server hangs, the emails of one institution delay neither what sends none nor the emails of others', async () => {
  mailServer.hang();
  const students = await seedStudents(api, institution, 15);
  const links: string[] = [];
  for (const id of students) links.push(...await Promise.all(Array.from({ length: 10 }, () => invitedBy(institution, id))));
  expect(links).toHaveLength(150);
  await eventually('all invitations under way', async () => (await api.api.domain.database.sql('SELECT 1 FROM owed_workflows WHERE institution_id = $1', [institution.id])).length === 0);
  await eventually('the last of them to be sent', async () => (await waitingOf(links.at(-1) ?? '')).length > 0);

  await seedEndpoint(api, otherInstitution, receiver.url);
  receiver.respond = () => (receiver.received.length === 1 ? 500 : 200);
  const { data: batch } = await api.call('POST', '/coupons/batches', { key: otherInstitution.apiKey, body: { name: 'Fair', total_coupons: 10, value_cents: 500, expiry_date: new Date(Date.now() + 86_400_000).toISOString() } });
  await api.platform('POST', `/institutions/${otherInstitution.id}/coupon-batches/${batch.id}/approve`, { body: {} });
  const { data: student } = await api.call('POST', '/students', { key: otherInstitution.apiKey, body: {} });
  const link = await invitedBy(otherInstitution, student.id);
  await Promise.all([
    eventually('the codes', async () => (await api.call('GET', `/coupons/batches/${batch.id}`, { key: otherInstitution.apiKey })).data.codes.length === 10, soonMs),
    eventually('the webhook again, after its wait of 5 s', () => receiver.received.length >= 2, soonMs),
    eventually("the other institution's email on its way", async () => (await waitingOf(link)).some(({ state }) => state === started), soonMs),
  ]);

  await mailServer.resume();
  expect((await guardianInvitationEmail(api, link)).messageId).toMatch(new RegExp(`^<${link}\\.1\\.`));
});
