import { createNoticeActivities } from '../../activities/webhooks/disabledNotice';
import { searchAttributes } from '../../workflows/contract';
import type { endpointDisabledNotice } from '../../workflows/endpointDisabledNotice';
import { seedEndpoint } from '../support/seed/endpoints';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'disabled-notices';

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }) => createNoticeActivities(domain, mailer) });
const { api, institution } = fixture;

/** The notice of an endpoint that was disabled, as it ended. */
async function noticeOf(status: 'disabled' | 'active') {
  const disabledReason = status === 'disabled' ? 'It answered 410 Gone.' : null;
  const endpointId = await seedEndpoint(api, institution, fixture.receiver.url, { status, disabledReason });
  const { client } = fixture.environment;
  const run = await client.workflow.start<typeof endpointDisabledNotice>('endpointDisabledNotice', {
    taskQueue, workflowId: `${endpointId}:disabled`, args: [{ endpointId, institutionId: institution.id }],
  });
  const result = await run.result();
  const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return { result, currentDetails, outcome: (await run.describe()).typedSearchAttributes.get(searchAttributes.outcome) };
}

const emails = () => [...fixture.mailServer.recipientCounts.values()].reduce((sum, times) => sum + times, 0);

it.each([
  ['is sent once', 'disabled', 250, 'sent', 1, "The institution's admin has been notified."],
  ['that the mail server refuses permanently is not tried again', 'disabled', 550, 'refused', 1, "The mail server refused the email to the institution's admin; no one was notified."],
  ['goes to nobody once the endpoint has been brought back', 'active', 250, 'nobody', 0, 'The endpoint is no longer disabled, or the institution has no admin; no one was notified.'],
] as const)('the email %s', async (_how, status, answer, outcome, tries, details) => {
  const before = emails();
  fixture.mailServer.replyCode = () => answer;
  const notice = await noticeOf(status);
  expect([notice.result, notice.outcome, emails() - before, notice.currentDetails]).toEqual([{ outcome }, outcome, tries, details]);
});

it('an email that is deferred comes later', async () => {
  const before = emails();
  fixture.mailServer.replyCode = (_to, nth) => (nth < 3 ? 450 : 250);
  expect([(await noticeOf('disabled')).outcome, emails() - before]).toEqual(['sent', 3]);
});
