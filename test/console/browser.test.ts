import type { Browser } from 'playwright-core';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { openTab, signInWithForm, startBrowser, type Tab } from '../support/browser';
import { consoleOrigin } from '../support/console';
import { changeDeliveries, deliveriesOf } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { waitUntilPolling, startTestWorker } from '../support/worker';
import { addStaffMember } from '../support/staff';

let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let browser: Browser;
let institution: TestInstitution;
let endpointId: string;
let tab: Tab;

beforeAll(async () => {
  // First: where there is no browser, nothing else is left running.
  browser = await startBrowser();
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

afterAll(async () => {
  await browser.close();
  await worker.stop();
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  receiver.respond = () => 500;
  institution = await api.institution();
  endpointId = await seedEndpoint(api, institution, receiver.url, { events: ['student.created'] });
  tab = await openTab(browser, api);
});

afterEach(async () => {
  expect(tab.problems).toEqual([]);
  await tab.page.context().close();
});

const createStudent = () => api.call('POST', '/students', { key: institution.apiKey, body: {} });

/** The one delivery of the endpoint, once it has that status. */
const deliveryWithStatus = (status: string) =>
  eventually(`a delivery that is ${status}`, async () => [...(await deliveriesOf(api, endpointId)).values()].find((row) => row.status === status));

const badge = () => tab.page.locator('#status');

/** What has the focus: its text, or the name of a field. */
const focused = (): Promise<string> => tab.page.evaluate("(document.activeElement.innerText || document.activeElement.id || document.activeElement.name).trim()");

/** Presses Tab until something has the focus. */
async function tabTo(wanted: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await focused()) === wanted) return;
    await tab.page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${wanted}`);
}

/** Finds what a customer quotes. */
async function find(id: string): Promise<void> {
  await tab.page.getByLabel('Find by id, login email, school or URL').fill(id);
  await tab.page.keyboard.press('Enter');
}

it.each(['light', 'dark'] as const)('the endpoints of a suspended institution stay within their card, %s', async (colorScheme) => {
  await api.api.domain.database.sql("UPDATE institutions SET time_zone = 'America/Chicago' WHERE id = $1", [institution.id]);
  await seedEndpoint(api, institution, 'https://hooks.example.org/institution/gradebook', { lastSuccessAt: new Date(Date.now() - 86_400_000), lastFailureAt: new Date(Date.now() - 60_000), description: 'Gradebook' });
  await api.platform('POST', `/institutions/${institution.id}/suspend`);
  await tab.page.emulateMedia({ colorScheme });
  await signInWithForm(tab, api);
  await tab.page.goto(`/console/institutions/${institution.id}`);
  expect(await tab.page.locator('#endpoints').innerText()).toContain('institution not approved');
  expect(await tab.page.evaluate("document.querySelector('#endpoints table').getBoundingClientRect().right <= document.querySelector('#endpoints').getBoundingClientRect().right")).toBe(true);
});

describe('the support desk', () => {
  it('has the focus on the heading of what a search found, by the keyboard alone', async () => {
    const { page } = tab;
    await signInWithForm(tab, api);
    await page.keyboard.press('/');
    await page.keyboard.type(institution.keyId);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/search?q=*');
    await eventually('the focus', async () => (await page.evaluate('document.activeElement.id')) === 'results');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("section") !== null')).toBe(true);
  });

  it('goes from "nothing arrived" to "delivered" without loading a page again', async () => {
    const { page } = tab;
    await createStudent();
    const { id, eventId } = await deliveryWithStatus('retrying');
    await signInWithForm(tab, api);
    await find(eventId);
    await page.getByRole('link', { name: id }).click();
    await page.waitForURL(`**/console/deliveries/${id}`);
    expect(await badge().innerText()).toBe('retrying');
    expect(await page.locator('#sentence').innerText()).toMatch(/^The last of \d attempts? failed, with HTTP 500\./);
    expect(await page.locator('#answer-1 pre').innerText()).toBe('seen');

    receiver.respond = () => 200;
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('An attempt was requested').waitFor();
    let loads = 0;
    page.on('load', () => { loads += 1; });
    await badge().getByText('delivered').waitFor();
    expect(loads).toBe(0);
    await page.getByRole('button', { name: 'Replay' }).waitFor();
    expect(await page.locator('#announcer').innerText()).toBe('The delivery is delivered.');
    expect(receiver.received.at(-1)?.headers['x-svc-delivery-id']).toBe(id);
  });

  it('pauses an endpoint, sees the held deliveries, and resumes it', async () => {
    const { page } = tab;
    receiver.respond = () => 200;
    await signInWithForm(tab, api);
    await find(endpointId);
    await page.getByRole('button', { name: 'Pause' }).click();
    await badge().getByText('paused').waitFor();
    await createStudent();
    const { id } = await deliveryWithStatus('held');
    await page.locator('#backlog').getByText('Held since').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The endpoint is active: its held deliveries are sent').waitFor();
    await deliveryWithStatus('delivered');
    await badge().getByText('healthy').waitFor();
    await find(id);
    await badge().getByText('delivered').waitFor();
  });

  it('cancels a delivery after it was asked, and replays it', async () => {
    const { page } = tab;
    await createStudent();
    const { id } = await deliveryWithStatus('retrying');
    await signInWithForm(tab, api);
    await find(id);
    await page.getByRole('link', { name: 'Cancel…' }).click();
    await page.getByRole('button', { name: 'Cancel this delivery' }).click();
    await badge().getByText('cancelled').waitFor();
    receiver.respond = () => 200;
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The delivery is sent again.').waitFor();
    await badge().getByText('delivered').waitFor();
  });

  it('replays all that is dead, and sees it arrive', async () => {
    const { page } = tab;
    for (let nth = 0; nth < 3; nth += 1) await createStudent();
    await eventually('three retrying', async () => [...(await deliveriesOf(api, endpointId)).values()].filter(({ status }) => status === 'retrying').length === 3);
    await changeDeliveries(api.api.domain.database.sql, "SET status = 'dead', next_attempt_at = NULL WHERE endpoint_id = $1", [endpointId]);
    receiver.respond = () => 200;
    await signInWithForm(tab, api);
    await find(endpointId);
    await page.getByRole('button', { name: 'Count dead deliveries…' }).click();
    await page.getByText('3 dead deliveries').waitFor();
    await page.getByRole('button', { name: 'Replay them' }).click();
    await page.getByText('The replay of 3 deliveries has begun.').waitFor();
    await page.locator('#progress').getByText('3 of 3').nth(1).waitFor();
    expect(await page.title()).toContain('Replay: 3 of 3 delivered');
  });

  it('gets by with the keyboard alone, from signing in to a delivery', async () => {
    const { page } = tab;
    const { keyboard } = page;
    await createStudent();
    const { id } = await deliveryWithStatus('retrying');
    await page.goto('/console');
    expect(await focused()).toBe('token');
    await keyboard.type((await addStaffMember(api)).token);
    await keyboard.press('Enter');
    await page.waitForURL('**/console/institutions');
    await keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await keyboard.press('Enter');
    await tabTo('North School');
    await keyboard.press('Enter');
    await page.waitForURL('**/console/institutions/*');
    await tabTo('student.created');
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe('solid');
    await keyboard.press('Enter');
    await page.waitForURL(`**/console/deliveries/${id}`);
    await tabTo('Retry now');
    receiver.respond = () => 200;
    await keyboard.press('Enter');
    await badge().getByText('delivered').waitFor();
  });
});

describe('an operator', () => {
  it('adds somebody to the staff and gives them a token by the keyboard alone', async () => {
    const { page } = tab;
    const { keyboard } = page;
    await signInWithForm(tab, api, 'operator');
    await tabTo('Staff');
    await keyboard.press('Enter');
    await page.waitForURL('**/console/staff');
    await tabTo('name');
    await keyboard.type('Ben');
    await keyboard.press('Tab');
    await keyboard.type(`ben.${institution.id}@platform.example`);
    await tabTo('Add');
    await keyboard.press('Enter');
    await page.getByText('Ben is of the staff now.').waitFor();
    await tabTo('token-name');
    await keyboard.type('First token');
    await tabTo('Create');
    await keyboard.press('Enter');
    const token = await page.locator('#staff-token').innerText();
    expect((await api.platform('GET', '/institutions', { key: token })).status).toBe(200);
    // Longer than a page takes to bring itself up to date: this one does not.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(await page.locator('#staff-token').innerText()).toBe(token);
    await tabTo('Done');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ben', exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);
  });
});

describe('a page that is looked at', () => {
  it('keeps what is being typed, what has the focus and what is folded while it is brought up to date', async () => {
    const { page } = tab;
    await createStudent();
    const { id } = await deliveryWithStatus('retrying');
    await signInWithForm(tab, api);
    await find(id);
    await page.getByText('Response of attempt 1').click();
    const cancel = page.getByRole('link', { name: 'Cancel…' });
    await cancel.focus();
    await api.api.domain.database.sql("UPDATE institutions SET name = 'South School' WHERE id = $1", [institution.id]);
    await page.getByText('South School').waitFor();
    expect(await page.locator('#answer-1 pre').isVisible()).toBe(false);
    expect(await page.locator(':focus').getAttribute('href')).toBe(await cancel.getAttribute('href'));

    await page.goto(`/console/endpoints/${endpointId}`);
    const since = page.getByLabel(/^From/).first();
    await since.fill('2026-02-03T04:05:06');
    await page.getByLabel('Find by id, login email, school or URL').fill('half an i');
    await api.api.domain.database.sql("UPDATE webhook_endpoints SET description = 'the new one' WHERE id = $1", [endpointId]);
    await page.getByText('the new one').waitFor();
    expect(await since.inputValue()).toBe('2026-02-03T04:05:06');
    expect(await page.getByLabel('Find by id, login email, school or URL').inputValue()).toBe('half an i');
  });

  it('shows new rows above the one that has the focus', async () => {
    const { page } = tab;
    receiver.respond = () => 200;
    await createStudent();
    const { id } = await deliveryWithStatus('delivered');
    await signInWithForm(tab, api);
    await page.goto(`/console/institutions/${institution.id}/deliveries`);
    const link = page.locator(`#row-${id} a`).first();
    await link.focus();
    await createStudent();
    await page.locator('tbody tr').nth(1).waitFor();
    expect(await page.locator('tbody tr').nth(1).getAttribute('id')).toBe(`row-${id}`);
    expect(await page.locator(':focus').getAttribute('href')).toBe(`/console/deliveries/${id}`);
  });

  it('opens from a link of another site for who is signed in', async () => {
    const { page } = tab;
    await signInWithForm(tab, api);
    await page.goto(`data:text/html,<title>chat</title><a href="${consoleOrigin(api)}/console/endpoints/${endpointId}">look</a>`);
    await page.getByText('look').click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
  });

  it('says that one was signed out, and asks no more', async () => {
    const { page } = tab;
    await signInWithForm(tab, api);
    await page.context().clearCookies();
    await page.locator('#live').getByText('Signed out').waitFor();
    expect(tab.problems.filter((complaint) => complaint.startsWith('401 '))).toHaveLength(1);
    tab.problems.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  });

  it('works without scripts, but for bringing itself up to date', async () => {
    await tab.page.context().close();
    tab = await openTab(browser, api, { javaScriptEnabled: false });
    receiver.respond = () => 200;
    await createStudent();
    const { id } = await deliveryWithStatus('delivered');
    await signInWithForm(tab, api);
    await find(id);
    await tab.page.getByRole('button', { name: 'Replay' }).click();
    await tab.page.getByText('The delivery is sent again.').waitFor();
  });
});
