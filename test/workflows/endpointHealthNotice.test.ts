import { createHealthNoticeActivities } from '../../activities/webhooks/healthNotice';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { searchAttributes } from '../../workflows/contract';
import type { endpointHealthNotice } from '../../workflows/endpointHealthNotice';
import { recordHistory } from '../support/histories';
import { seedEndpoint } from '../support/seed/endpoints';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'health-notices';
const hour = 3_600_000;

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }) => createHealthNoticeActivities(domain, mailer) });
const { api, institution } = fixture;

type Notice = WorkflowArguments['endpointHealthNotice'];

/** A notice of an endpoint whose last warning was at 70 %, as it ended. */
async function noticeOf(fields: Partial<Notice> = {}, record?: string) {
  const now = (await fixture.now()).getTime();
  const failingSince = new Date(now - 51 * hour);
  const endpointId = await seedEndpoint(api, institution, fixture.receiver.url, { failingSince, warnedPercent: 70, warnedFailingSince: failingSince });
  const notice: Notice = { kind: 'failing', endpointId, institutionId: institution.id, percent: 70, failingSinceMs: failingSince.getTime(), atMs: now + 21 * hour, ...fields };
  const { client } = fixture.environment;
  const run = await client.workflow.start<typeof endpointHealthNotice>('endpointHealthNotice', { taskQueue, workflowId: `${endpointId}:${notice.kind}`, args: [notice] });
  await run.result();
  if (record !== undefined) await recordHistory(record, run);
  return (await run.describe()).typedSearchAttributes.get(searchAttributes.outcome);
}

const emails = () => [...fixture.mailServer.recipientCounts.values()].reduce((sum, times) => sum + times, 0);

it.each([
  ['that an endpoint fails is sent once', {}, 250, 'sent', 1],
  ['that an endpoint has recovered is sent once', { kind: 'recovered' }, 250, 'sent', 1],
  ['that the mail server refuses permanently is not tried again', {}, 550, 'refused', 1],
  ['of a threshold that another warning has followed, or after which the endpoint recovered or was disabled, goes to nobody', { percent: 50 }, 250, 'nobody', 0],
  ['that comes after the endpoint was to be disabled goes to nobody', { atMs: 0 }, 250, 'nobody', 0],
] as const)('the email %s', async (_how, fields, answer, outcome, tries) => {
  const before = emails();
  fixture.mailServer.replyCode = () => answer;
  expect([await noticeOf(fields, outcome === 'sent' && !('kind' in fields) ? 'endpointHealthNotice' : undefined), emails() - before]).toEqual([outcome, tries]);
});

it('an email that is deferred comes later', async () => {
  const before = emails();
  fixture.mailServer.replyCode = (_to, nth) => (nth < 3 ? 450 : 250);
  expect([await noticeOf(), emails() - before]).toEqual(['sent', 3]);
});
