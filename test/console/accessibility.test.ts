import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { transact } from '../../domain/transact';
import { startTestApi, type TestApi } from '../support/api';
import { plantAttempt } from '../support/deliveryAttempts';
import { openTab, overflowOf, signInByHand, startBrowser } from '../support/browser';
import { plantDelivery } from '../support/deliveries';
import { plantEndpoint } from '../support/endpoints';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const hostile = '<script>alert("1")</script>';

let api: TestApi;
let browser: Browser;
/** Every page of the console, with all that it can show on it. */
let pages: string[];

beforeAll(async () => {
  // First: where there is no browser, nothing else is left running.
  browser = await startBrowser();
  api = await startTestApi();
  pages = await plantPages();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const sql = (text: string, values: unknown[]) => api.api.domain.database.sql(text, values);
const minutesFromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

async function plantPages(): Promise<string[]> {
  const north = await api.institution();
  await transact(api.api.domain, north.caller, async (tx) => tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' }));
  const { data } = await api.call('GET', '/events', { key: north.apiKey });
  const eventId: string = data.items.at(-1).id;
  const endpoint = await plantEndpoint(api, north, `https://hooks.north.example/${'a-long-path/'.repeat(12)}`, {
    description: hostile, consecutiveFailures: 21, lastFailureAt: minutesFromNow(-1), lastSuccessAt: minutesFromNow(-90),
  });
  const [paused, disabled] = [
    await plantEndpoint(api, north, 'https://paused.north.example/', { status: 'paused', pausedAt: minutesFromNow(-30) }),
    await plantEndpoint(api, north, 'https://disabled.north.example/', { status: 'disabled', disabledReason: 'answered 410 Gone' }),
  ];
  await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() + interval '1 minute', backlog_run = 1, backlog_open = true WHERE id = $1", [endpoint]);
  const retrying = await plantDelivery(api, north, endpoint, {
    eventId, eventType: 'exam.published', status: 'retrying', attempts: 2, responseCode: 500, nextAttemptAt: minutesFromNow(2), deadlineAt: minutesFromNow(600),
  });
  await plantAttempt(api, retrying, { number: 1, startedAt: minutesFromNow(-4), responseBody: `${hostile} ${'x'.repeat(4_000)}` });
  await plantAttempt(api, retrying, { number: 2, startedAt: minutesFromNow(-2), responseCode: null, errorClass: 'timeout', error: 'no answer within 10 s' });
  const ended = await Promise.all((['delivered', 'dead', 'cancelled', 'held', 'pending'] as const).map((status) => plantDelivery(api, north, endpoint, { status, attempts: 1, deliveredAt: minutesFromNow(-1) })));
  for (const path of ['/students', '/groups']) await api.call('POST', path, { key: north.apiKey, body: path === '/groups' ? { name: 'Robotics' } : { full_name: 'Grace', personal_email: 'grace@north.example' } });
  const institution = `/console/institutions/${north.id}`;
  return [
    '/console/institutions', '/console/institutions?q=nobody', institution, `${institution}/audit-log`, `${institution}/audit-log?actor=nobody`, `${institution}/deliveries`, `${institution}/deliveries?status=dead&since=x`,
    `/console/events/${eventId}`, `/console/deliveries/${retrying}`, `/console/deliveries/${retrying}/cancel`, ...ended.map((id) => `/console/deliveries/${id}`),
    ...[endpoint, paused, disabled].map((id) => `/console/endpoints/${id}`), `/console/endpoints/${endpoint}/replay-dead?since=2026-01-01T00:00`,
    `/console/endpoints/${endpoint}/replays/rpl_1?matched=3`,
  ];
}

describe.each([
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const)('every page, $colorScheme and $width px wide', ({ colorScheme, width }) => {
  it('can be used by everybody, does not scroll sideways and has nothing to complain of', async () => {
    const tab = await openTab(browser, api, { colorScheme, viewport: { width, height: 844 } });
    const { page } = tab;
    const violations = async (path: string): Promise<string[]> => {
      await page.evaluate(axe);
      const found: string = await page.evaluate(`axe.run(document).then(({ violations }) =>
        JSON.stringify(violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' ')))))`);
      return [...JSON.parse(found).map((text: string) => `${path}: ${text}`), ...((await overflowOf(page)) > 0 ? [`${path} scrolls sideways`] : [])];
    };
    await page.goto('/console/sign-in');
    const all = await violations('/console/sign-in');
    await signInByHand(tab, api);
    for (const path of pages) {
      await page.goto(path);
      for (const summary of await page.locator('summary').all()) await summary.click();
      all.push(...await violations(path));
    }
    expect(all).toEqual([]);
    expect(tab.complaints).toEqual([]);
    await page.context().close();
  });
});
