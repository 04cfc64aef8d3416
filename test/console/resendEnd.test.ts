import type { RunningWorker } from '../../worker/start';
import { consoleFixture, visibleText } from '../support/consoleFixture';
import { eventually } from '../support/eventually';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';
import { startTestWorker } from '../support/worker';

const { api, institution, page, sql, endpoint, call } = consoleFixture();

let worker: RunningWorker | undefined;

afterAll(() => worker?.stop());

const recover = async (id: string): Promise<string> => {
  const { status, data } = await call('POST', `/webhooks/endpoints/${id}/recover`, { since: minutesAgo(60).toISOString() });
  expect(status).toBe(200);
  return String(data.workflow_id);
};

it('the page of a recovery that the endpoint ended says so, when, and how many were not released; a whole recovery does not', async () => {
  await sql('UPDATE webhook_endpoints SET events = $2, created_at = $3 WHERE id = $1', [endpoint.id, ['exam.*'], minutesAgo(300)]);
  await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.graded', count: 3 });
  const stopped = await recover(endpoint.id);
  await call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { status: 'paused' });
  worker = await startTestWorker(api.settings);
  const words = await eventually('the end of the recovery', async () => {
    const text = visibleText(await page(`/endpoints/${endpoint.id}/replays/${stopped}`));
    return text.includes('before its end') && text;
  });
  expect(words).toMatch(/The recovery ended (now|\d+ s ago) .+? before its end: the endpoint was paused, disabled or deleted meanwhile\. 3 were not released\. Begin another/);
  expect(words).toContain('Released 0 of 3');
  const other = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { events: ['exam.*'], createdAt: minutesAgo(300) });
  const whole = await recover(other);
  const done = await eventually('the whole recovery', async () => {
    const text = visibleText(await page(`/endpoints/${other}/replays/${whole}`));
    return text.includes('Released 3 of 3') && text;
  });
  expect(done).not.toContain('before its end');
});
