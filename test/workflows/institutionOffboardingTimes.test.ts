import { createOffboardingActivities } from '../../activities/offboarding/offboardInstitution';
import { endWorkflows } from '../../outbound/temporal/endWorkflows';
import { cancelOffboarding } from '../../domain/offboarding/requestOffboarding';
import { offboardingWorkflowId } from '../../domain/outbox/workflows';
import type { institutionOffboarding } from '../../workflows/institutionOffboarding';
import { eventually } from '../support/eventually';
import { offboard, offboardingOf, requestedLongAgo } from '../support/offboarding';
import { createResource } from '../support/resourceFactories';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { workflowFixture, type TimeSkippingFixture } from '../support/workflowFixture';

const taskQueue = 'offboarding';
const fixture: TimeSkippingFixture = workflowFixture({
  time: 'skipping',
  taskQueue,
  activities: ({ domain, mailer }) => createOffboardingActivities({ domain, mailer, endWorkflows: endWorkflows(openTestTemporal(fixture.api.settings)), spoolFolder: fixture.api.settings.uploadSpoolFolder, hasSpace: () => Promise.resolve(true) }),
});
const { api, institution, sql, call } = fixture;

afterAll(closeTestTemporal);

const days = (ms: number): number => ms / 86_400_000;
const start = (number = 1) =>
  fixture.environment.client.workflow.start<typeof institutionOffboarding>('institutionOffboarding', {
    workflowId: offboardingWorkflowId(institution.id, number), taskQueue, args: [{ institutionId: institution.id, number }],
  });

it('the admin gets an email with the date, and 30 days later, not before, everything is erased', async () => {
  await createResource.student(api, institution);
  await requestedLongAgo(api, institution);
  const begun = (await offboard(api, institution)).data;
  const result = await (await start()).result();
  expect(result.ended).toBe('erased');
  const { status, erasing_since, erased_at } = await offboardingOf(api, institution);
  expect(status).toBe('erased');
  expect(days(Date.parse(erasing_since) - Date.parse(begun.requested_at))).toBeGreaterThanOrEqual(30);
  // Counters of the rate limiter, and calls that were let in before, are over by then.
  expect(Date.parse(erased_at) - Date.parse(erasing_since)).toBeGreaterThanOrEqual(180_000);
  expect(fixture.mailServer.accepted.map(({ messageId }) => messageId)).toEqual([`<offboarding.${institution.id}.1@${institution.loginDomain}>`]);
});

it('one that is cancelled ends without an erasure, and one that is requested again waits its own 30 days', async () => {
  await createResource.student(api, institution);
  await offboard(api, institution);
  // Not by a call, which the audit log would have as of today: what is requested before it may not be forgotten.
  await fixture.command((tx) => cancelOffboarding(tx));
  expect(await (await start()).result()).toMatchObject({ ended: 'cancelled', erased: 0 });
  expect((await call('GET', '/students')).data.total).toBe(1);
  await requestedLongAgo(api, institution);
  await offboard(api, institution);
  expect((await (await start(2)).result()).ended).toBe('erased');
});

it('an email that the mail server refuses holds nothing up', async () => {
  fixture.mailServer.replyCode = () => 550;
  await requestedLongAgo(api, institution);
  await offboard(api, institution);
  expect((await (await start()).result()).ended).toBe('erased');
  expect(await eventually('the certificate', async () => (await sql<{ certificate: string | null }>('SELECT certificate FROM offboardings WHERE institution_id = $1', [institution.id]))[0]?.certificate)).toBeTruthy();
});
