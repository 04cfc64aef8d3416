import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findPage, pageRoutes } from '../../console/routes';
import { transact } from '../../domain/transact';
import { axeViolations } from '../support/axe';
import { startTestApi, type TestApi } from '../support/api';
import { seedCouponBatch } from '../support/seed/coupons';
import { seedDeliveryAttempt, seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { openSandboxOf } from '../support/sandboxes';
import { seedShowcase } from '../support/seed/showcase';
import { lockAccount } from '../support/accountLocks';
import { signInToApp } from '../support/seatSignIn';
import { addStaffMember } from '../support/staff';
import { horizontalOverflow, openTab, signInWithForm, startBrowser, tablesBeyondTheirPanel } from '../support/browser';

/** Where every page is kept as an image, to be looked at; nowhere unless it is set. */
const screenshots = process.env.CONSOLE_SCREENSHOTS;
const hostile = '<script>alert("1")</script>';

let api: TestApi;
let browser: Browser;
/** Every page of the console, with all that it can show on it. */
let pages: string[];

beforeAll(async () => {
  // First: where there is no browser, nothing else is left running.
  browser = await startBrowser();
  api = await startTestApi();
  pages = await seedPages();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

async function keepImage(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

const sql = (text: string, values: unknown[]) => api.api.domain.database.sql(text, values);
const minutesFromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

async function seedPages(): Promise<string[]> {
  const institution = await api.institution();
  await sql("UPDATE institutions SET time_zone = 'America/New_York' WHERE id = $1", [institution.id]);
  await transact(api.api.domain, institution.caller, async (tx) => tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' }));
  const { data } = await api.call('GET', '/events', { key: institution.apiKey });
  const eventId: string = data.items.at(-1).id;
  const endpoint = await seedEndpoint(api, institution, `https://hooks.north.example/${'a-long-path/'.repeat(12)}`, {
    description: hostile, consecutiveFailures: 21, lastFailureAt: minutesFromNow(-1), lastSuccessAt: minutesFromNow(-90),
  });
  for (const fields of [{ createdAt: minutesFromNow(60) }, { deletedAt: new Date() }, { events: ['exam.*'], status: 'disabled', disabledReason: 'answered 410 Gone' }] as const) {
    await seedEndpoint(api, institution, 'https://others.north.example/', { ...fields, events: ['exam.*'] });
  }
  const [paused, disabled] = [
    await seedEndpoint(api, institution, 'https://paused.north.example/', { status: 'paused', pausedAt: minutesFromNow(-30) }),
    await seedEndpoint(api, institution, 'https://disabled.north.example/', { status: 'disabled', disabledReason: 'answered 410 Gone' }),
  ];
  await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() + interval '1 minute', backlog_run = 1, backlog_open = true WHERE id = $1", [endpoint]);
  const retrying = await seedDelivery(api, institution, endpoint, {
    eventId, eventType: 'exam.published', status: 'retrying', attempts: 2, responseCode: 500, nextAttemptAt: minutesFromNow(2), deadlineAt: minutesFromNow(600),
  });
  await seedDeliveryAttempt(api, retrying, { number: 1, startedAt: minutesFromNow(-4), responseBody: `${hostile} ${'x'.repeat(4_000)}` });
  await seedDeliveryAttempt(api, retrying, { number: 2, startedAt: minutesFromNow(-2), responseBody: '{"fault": "no consumer", "detail": "the request carries no credential that this gateway knows"} '.repeat(3) });
  const ended = await Promise.all((['delivered', 'dead', 'cancelled', 'held', 'pending'] as const).map((status) => seedDelivery(api, institution, endpoint, { status, attempts: 1, deliveredAt: minutesFromNow(-1), deadlineAt: minutesFromNow(600) })));
  for (const path of ['/students', '/groups']) await api.call('POST', path, { key: institution.apiKey, body: path === '/groups' ? { name: 'Robotics' } : { full_name: 'Grace', personal_email: 'grace@north.example' } });
  const showcase = await seedShowcase(api);
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Grace Hopper' } });
  const { data: locked } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Rita Locked' } });
  await lockAccount(api, institution, locked.id);
  await sql('UPDATE sign_in_codes SET locked_at = $2 WHERE user_id = $1', [locked.id, minutesFromNow(-25)]);
  // Of an exam and of the admin: a search that finds both.
  const title = `Physics ${institution.id.slice(4)}`;
  await sql('UPDATE users SET full_name = $2 WHERE id = $1', [institution.adminId, title]);
  await api.call('POST', '/exams', { key: institution.apiKey, body: { faculty_id: institution.adminId, title: `${title}, waves` } });
  for (const device of ['one', 'two', 'three']) await signInToApp(api, institution, locked.id, 'svcapp', device);
  const batch = await seedCouponBatch(api, institution, { name: 'Reading prize '.repeat(7) });
  const sandbox = await openSandboxOf(api, institution);
  await sandbox.advance(7_000_000);
  const ofSandbox = await seedEndpoint(api, sandbox, 'https://sandbox.north.example/', { lastFailureAt: await sandbox.now() });
  const [olga, gone] = [await addStaffMember(api, 'operator', hostile), await addStaffMember(api, 'support', 'Sam '.repeat(24))];
  await api.platform('DELETE', `/staff/${gone.id}`);
  const institutionPath = `/console/institutions/${institution.id}`;
  return [
    '/console/institutions', '/console/institutions?q=nobody', '/console/failing', '/console/failing?state=open', `/console/search?q=${locked.id}`, showcase.endpoint, showcase.event, showcase.institution, institutionPath, `${institutionPath}/audit-log`, `${institutionPath}/audit-log?actor=nobody`, `${institutionPath}/deliveries`, `${institutionPath}/deliveries?status=dead&since=x`,
    `/console/events/${eventId}`, `/console/deliveries/${retrying}`, `/console/deliveries/${retrying}/cancel`, ...ended.map((id) => `/console/deliveries/${id}`),
    ...[endpoint, paused, disabled].map((id) => `/console/endpoints/${id}`), `/console/endpoints/${endpoint}/replay-dead?since=2026-01-01T00:00`,
    `/console/endpoints/${endpoint}/replays/rpl_1?matched=3`, `/console/endpoints/${endpoint}/replays/rcv_1?matched=3`,
    `/console/endpoints/${endpoint}/recover?since=2026-01-01T00:00&type=exam.*`, `/console/endpoints/${endpoint}/recover?since=2026-01-01T00:00`, `/console/endpoints/${endpoint}/replay-dead?since=2026-01-01T00:00&codes=5xx`,
    `${institutionPath}/events`, `${institutionPath}/events?type=license.generated&since=x`, `${institutionPath}/deliveries?code=5xx&error=timeout&type=exam.graded`,
    `${institutionPath}/replay-dead?since=1970-01-01T00:00:00Z`, `${institutionPath}/deliveries?since=2026-11-20T10:00&until=2026-11-20T09:00`,
    `${institutionPath}/coupon-batches`, `${institutionPath}/keys`, `/console/institutions/${sandbox.id}/keys`, `/console/search?q=${batch}`,
    `/console/search?q=${institution.keyId}`, '/console/search?q=lic_01jd4k6f2mep2s5xg5yhc8m1zr', '/console/search?q=nobody@north.example', '/console/search?q=Nowhere+%26+Noone', `/console/search?q=${encodeURIComponent(title)}`,
    `/console/search?q=${student.id}`, '/console/search?q=north.example', `${institutionPath}/audit-log?target=${endpoint}`, `${institutionPath}/events?about=${student.id}`,
    '/console/staff', `/console/staff/${olga.id}`, `/console/staff/${olga.id}/revoke`, `/console/staff/${gone.id}`, `/console/staff/${olga.id}/tokens`,
    `/console/institutions/${sandbox.id}`, `/console/institutions/${sandbox.id}/audit-log`, `/console/endpoints/${ofSandbox}`,
  ];
}

it('the pages are all that the console has', () => {
  expect([...new Set(pages.map((path) => findPage(new URL(path, 'http://x').pathname)?.route))].sort()).toEqual([...pageRoutes].sort());
});

describe.each([
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const)('every page, $colorScheme and $width px wide', ({ colorScheme, width }) => {
  it('meets WCAG 2.2 AA as far as axe sees it, does not scroll sideways and has nothing to complain of', async () => {
    const tab = await openTab(browser, api, { colorScheme, viewport: { width, height: 844 } });
    const { page } = tab;
    const violations = async (path: string): Promise<string[]> => {
      const found = await axeViolations(page);
      return [...found.map((text) => `${path}: ${text}`), ...((await horizontalOverflow(page)) > 0 ? [`${path} scrolls sideways`] : []), ...(await tablesBeyondTheirPanel(page)).map((table) => `${path}: ${table} is wider than its panel`)];
    };
    await page.goto('/console/sign-in');
    await keepImage(page, `${colorScheme}-${width}-00-sign-in`);
    const all = await violations('/console/sign-in');
    await signInWithForm(tab, api, 'operator');
    for (const [index, path] of pages.entries()) {
      const name = `${colorScheme}-${width}-${String(index + 1).padStart(2, '0')}-${path.split(/[/?]/)[2] ?? ''}`;
      await page.goto(path);
      await keepImage(page, name);
      const summaries = await page.locator('summary').all();
      // Wide screens show the filters without theirs.
      for (const summary of summaries) if (await summary.isVisible()) await summary.click();
      if (summaries.length > 0) await keepImage(page, `${name}-open`);
      all.push(...await violations(path));
    }
    await page.goto(`/console/staff/${(await addStaffMember(api)).id}`);
    await page.getByLabel('What it is for').fill('Command line');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('#staff-token').waitFor();
    await keepImage(page, `${colorScheme}-${width}-98-token`);
    all.push(...await violations('a new token'));
    expect(tab.problems).toEqual([]);
    await page.goto('/console/deliveries/whd_none');
    await keepImage(page, `${colorScheme}-${width}-99-error`);
    all.push(...await violations('/console/deliveries/whd_none'));
    expect(all).toEqual([]);
    await page.context().close();
  });
});

it('no page scrolls sideways for operators in half a window or on an upright tablet', async () => {
  const tab = await openTab(browser, api);
  const { page } = tab;
  await signInWithForm(tab, api, 'operator');
  const wider: string[] = [];
  for (const path of pages) {
    await page.goto(path);
    for (const width of [768, 800, 900, 1_000, 1_099, 1_100]) {
      await page.setViewportSize({ width, height: 844 });
      if ((await horizontalOverflow(page)) > 0) wider.push(`${path} at ${width} px`);
    }
  }
  expect(wider).toEqual([]);
  await page.context().close();
});

it('the numbers of an endpoint stay within their card at 375 px', async () => {
  const tab = await openTab(browser, api, { viewport: { width: 375, height: 844 } });
  const { page } = tab;
  await signInWithForm(tab, api);
  await page.goto(pages.find((path) => path.startsWith('/console/endpoints/')) ?? '');
  for (const summary of await page.locator('details.numbers summary').all()) await summary.click();
  // The card has a border of 1 px and a padding of 16 px.
  const room = await page.evaluate('[...document.querySelectorAll("details.numbers table")].map((one) => Math.floor(one.closest(".panel").getBoundingClientRect().right - one.getBoundingClientRect().right))');
  expect(room).toEqual([17, 17]);
  await page.context().close();
});

it.each(['support', 'operator'] as const)('the header of %s has its links and the button to sign out in one row at 390 px', async (role) => {
  const tab = await openTab(browser, api, { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  await signInWithForm(tab, api, role);
  const links = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
  const button = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
  const brand = await page.getByRole('link', { name: 'Support console' }).boundingBox();
  const middleOf = (box: typeof links): number => (box?.y ?? NaN) + (box?.height ?? NaN) / 2;
  for (const box of [button, brand]) expect(Math.abs(middleOf(box) - middleOf(links))).toBeLessThan(8);
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(390);
  await page.context().close();
});

it('the search box says at 390 px in full what it takes, and the foot of the page who is signed in', async () => {
  const tab = await openTab(browser, api, { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  await signInWithForm(tab, api);
  const [wanted, room]: [number, number] = await page.evaluate(`(() => {
    const box = document.querySelector('#search');
    const { font, paddingLeft, paddingRight } = getComputedStyle(box);
    const canvas = Object.assign(document.createElement('canvas').getContext('2d'), { font });
    return [canvas.measureText(box.placeholder).width, box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)];
  })()`);
  expect(wanted).toBeLessThanOrEqual(room);
  expect(await page.locator('footer').innerText()).toMatch(/Signed in: Sam Support, support, stf_\w{26}/);
  await page.context().close();
});

it('numbers of a table stay in one line on a wide screen', async () => {
  const tab = await openTab(browser, api);
  const { page } = tab;
  await signInWithForm(tab, api);
  for (const path of pages.filter((each) => /\/endpoints\/we_\w+$/.test(each))) {
    await page.goto(path);
    for (const summary of await page.locator('summary').all()) await summary.click();
    const heights: number[] = await page.evaluate("[...new Set([...document.querySelectorAll('.numbers td.number > div')].map((cell) => Math.round(cell.getBoundingClientRect().height)))]");
    expect(heights.length).toBeLessThanOrEqual(1);
  }
  await page.context().close();
});

it.each([[390, false], [1440, true]] as const)('the first row of a list is seen at %d px without scrolling, its filters without unfolding them: %s', async (width, isUnfolded) => {
  const tab = await openTab(browser, api, { viewport: { width, height: 844 } });
  const { page } = tab;
  await signInWithForm(tab, api);
  for (const path of pages.filter((each) => /institutions\/[^/]+\/(deliveries|events|audit-log)$/.test(each))) {
    await page.goto(path);
    expect((await page.locator('tbody tr').first().boundingBox())?.y).toBeLessThan(700);
    expect(await page.getByRole('button', { name: 'Filter' }).isVisible()).toBe(isUnfolded);
  }
  if (!isUnfolded) await page.locator('#filter-fold summary').click();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Institutions' }).click();
  await page.waitForURL('**/console/institutions');
  await page.context().close();
});
