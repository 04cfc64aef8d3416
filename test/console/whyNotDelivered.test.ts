import type { Browser } from 'playwright-core';
import { momentOfLocal, localDateTime } from '../../lib/timeZone';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { openTab, signInWithForm, startBrowser, type Tab } from '../support/browser';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';

const zone = 'Europe/Berlin';
const yesterday = localDateTime(zone, new Date(Date.now() - 86_400_000)).slice(0, 10);
const at = (time: string): Date => momentOfLocal(zone, new Date(`${yesterday}T${time}Z`));
const [graded, longBefore] = [at('14:00:00'), at('01:00:00')];

let browser: Browser;
let api: TestApi;
let institution: TestInstitution;
let tab: Tab;
/** An endpoint for each reason, by its name. */
const endpoints = new Map<string, string>();

type EndpointFields = NonNullable<Parameters<typeof seedEndpoint>[3]>;
type DeliveryFields = NonNullable<Parameters<typeof seedDelivery>[3]>;

const reasons: { name: string; endpoint?: EndpointFields; delivery?: DeliveryFields; change?: object; outcome: string; words: string }[] = [
  { name: 'delivered', delivery: { status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date(graded.getTime() + 900) }, outcome: 'delivered', words: 'It was accepted with HTTP 200, at attempt 1.' },
  { name: 'delivered late', delivery: { status: 'delivered', attempts: 4, responseCode: 200, deliveredAt: new Date(graded.getTime() + 7_200_000) }, outcome: 'delivered', words: 'That was 2 h after the event. Its first 3 attempts failed.' },
  { name: 'failing', delivery: { status: 'retrying', attempts: 3, responseCode: 503, nextAttemptAt: new Date(Date.now() + 600_000) }, outcome: 'retrying', words: '3 attempts failed, the last one with HTTP 503. The next one is planned.' },
  { name: 'paused', endpoint: { status: 'paused', pausedAt: longBefore }, delivery: { status: 'held', heldAt: graded }, outcome: 'held', words: 'It is held: its endpoint is paused; it is sent when the endpoint is resumed.' },
  { name: 'waiting', delivery: { status: 'pending' }, outcome: 'pending', words: 'Its first attempt is due or being made now.' },
  { name: 'given up', delivery: { status: 'dead', attempts: 12, responseCode: 500 }, outcome: 'dead', words: 'It was given up after 12 attempts, the last one with HTTP 500.' },
  { name: 'deleted with its deliveries', endpoint: { deletedAt: at('14:30:00') }, delivery: { status: 'cancelled', attempts: 1 }, outcome: 'cancelled', words: 'It was cancelled after 1 attempt, because its endpoint was deleted.' },
  { name: 'not subscribed', endpoint: { events: ['student.*'] }, outcome: 'not subscribed', words: 'It does not subscribe to exam.graded, and its subscriptions were not changed since the event.' },
  { name: 'subscribed since', endpoint: { events: ['student.*'] }, change: { events: ['exam.*'] }, outcome: 'not certain', words: 'It subscribes to exam.graded now. Its subscriptions were changed after the event' },
  { name: 'created later', endpoint: { createdAt: at('15:00:00') }, outcome: 'created later', words: 'It was created after the event. An endpoint receives the events since its creation.' },
  { name: 'deleted before', endpoint: { deletedAt: at('09:00:00') }, outcome: 'deleted', words: 'It was deleted before the event.' },
  { name: 'disabled', endpoint: { status: 'disabled', disabledReason: 'answered 410 Gone' }, outcome: 'disabled', words: 'It is still disabled: answered 410 Gone.' },
  { name: 'disabled with a sentence', endpoint: { status: 'disabled', disabledReason: 'The receiver responded with 410 Gone.' }, outcome: 'disabled', words: 'It is still disabled: the receiver responded with 410 Gone.' },
  { name: 'disabled then', endpoint: { status: 'disabled', disabledReason: 'answered 410 Gone' }, change: { status: 'active' }, outcome: 'disabled', words: 'Its status was set after the event, first by API key “' },
];

beforeAll(async () => {
  // First: where there is no browser, nothing else is left running.
  browser = await startBrowser();
  api = await startTestApi();
  institution = await api.institution();
  await api.api.domain.database.sql("UPDATE institutions SET time_zone = $2, name = 'Nordschule' WHERE id = $1", [institution.id, zone]);
  const [event = ''] = await seedEvents(api, institution, { createdAt: graded });
  await seedEvents(api, institution, { createdAt: at('13:00:00') });
  await seedEvents(api, institution, { createdAt: at('14:05:00'), type: 'exam.published' });
  for (const { name, endpoint, delivery, change } of reasons) {
    const id = await seedEndpoint(api, institution, `https://${name.replaceAll(' ', '-')}.north.example/hooks`, { events: ['exam.*'], createdAt: longBefore, ...endpoint });
    endpoints.set(name, id);
    if (delivery !== undefined) await seedDelivery(api, institution, id, { eventId: event, createdAt: graded, ...delivery });
    if (change !== undefined) await api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body: change });
  }
  tab = await openTab(browser, api);
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

describe('"Why did the school not get the grade webhook yesterday at 14:00?"', () => {
  it('is asked in five steps: the name of the school, its events, their type and time by its clocks, and the event', async () => {
    const { page } = tab;
    await signInWithForm(tab, api);
    await page.keyboard.press('/');
    await page.keyboard.type('nordschule');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByLabel('Event type').selectOption('exam.graded');
    await page.getByLabel(`From (${zone})`).fill(`${yesterday}T13:55:00`);
    await page.getByLabel(`Until (${zone})`).fill(`${yesterday}T14:30:00`);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.locator('#events').getByRole('link', { name: 'exam.graded' }).click();
    await page.waitForURL('**/console/events/evt_*');
    await page.locator('#others summary').click();
    expect(await page.locator('#details').innerText()).toContain(`14:00:00 ${zone}`);
  });

  it.each(reasons)('$name', async ({ name, delivery, outcome, words }) => {
    const row = tab.page.locator(`#row-${endpoints.get(name) ?? ''}`);
    expect(await row.locator('.badge').innerText()).toBe(outcome);
    expect(await row.innerText()).toContain(words);
    expect(await row.innerText()).not.toContain('..');
    expect(await row.locator('a[href^="/console/deliveries/whd_"]').count()).toBe(delivery === undefined ? 0 : 1);
  });

  it('leads from the answer to who changed the endpoint, and to their request', async () => {
    const links = tab.page.locator(`#row-${endpoints.get('disabled then') ?? ''} a[href^="/console/search?q="]`);
    expect(await links.allInnerTexts()).toEqual([institution.keyId, expect.stringMatching(/^req_/)]);
  });

  it('leads from the answer to the delivery, and makes the browser complain of nothing', async () => {
    const { page } = tab;
    await page.locator(`#row-${endpoints.get('given up') ?? ''} a[href^="/console/deliveries/whd_"]`).click();
    await page.locator('#status').getByText('dead').waitFor();
    expect(tab.problems).toEqual([]);
  });
});
