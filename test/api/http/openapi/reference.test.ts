import type { Browser, Page } from 'playwright-core';
import { eventTypeNames } from '../../../../domain/events/eventTypes';
import { publicOperations } from '../../../../api/operations/public';
import { readGuides } from '../../../../api/http/openapi/explorer/guides';
import { startTestApi, type TestApi } from '../../../support/api';
import { axeViolations } from '../../../support/axe';
import { horizontalOverflow, openTab, startBrowser, type Tab } from '../../../support/browser';

let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
  api = await startTestApi({ databasePoolSize: 2 });
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const open = (path: string, options: Parameters<typeof openTab>[2] = {}): Promise<Tab> =>
  openTab(browser, api, options).then(async (tab) => {
    await tab.page.goto(`${api.baseUrl}${path}`);
    return tab;
  });
const shownLinks = (page: Page): Promise<string[]> => page.locator('nav .group a:visible').allInnerTexts();

it('has a page for every guide, every operation and every event, which the navigation names', async () => {
  const { page, problems } = await open('/docs');
  const links: string[] = await page.evaluate("[...document.querySelectorAll('nav .group a')].map((link) => link.href)");
  const expected = [...readGuides().map(({ name }) => `guides/${name}`), ...publicOperations.map(({ operationId }) => `operations/${operationId}`), ...eventTypeNames.map((type) => `events/${type}`)];
  expect(links.map((link) => link.replace(`${api.baseUrl}/docs/`, '')).sort()).toEqual(expected.sort());
  const statuses = await Promise.all(links.map(async (link) => (await fetch(link)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(problems).toEqual([]);
});

it('shows the summary, the fields, the errors and the examples of an operation in one screen', async () => {
  const { page } = await open('/docs/operations/createStudent', { viewport: { width: 1440, height: 900 } });
  for (const name of ['Headers', 'Body', 'Response', 'Errors']) expect([name, (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y]).toEqual([name, expect.any(Number)]);
  const bottoms: number[] = await page.evaluate("[...document.querySelectorAll('h1, .said h2, .error, .common, .code')].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect().bottom)");
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(900);
  expect(await page.getByRole('region', { name: 'Response 200' }).innerText()).toContain('"login_email"');
});

it('shows summary, errors and examples of every operation in one screen', async () => {
  const { page } = await open('/docs', { viewport: { width: 1440, height: 900 } });
  const below: [string, number][] = [];
  for (const { operationId } of publicOperations) {
    await page.goto(`${api.baseUrl}/docs/operations/${operationId}`);
    const bottoms: number[] = await page.evaluate("[...document.querySelectorAll('h1, .said h2, .error, .common, .code')].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect().bottom)");
    if (Math.max(...bottoms) > 900) below.push([operationId, Math.round(Math.max(...bottoms))]);
  }
  expect(below).toEqual([]);
});

it('shows the call in the language that was chosen, also on the next page', async () => {
  const { page, problems } = await open('/docs/operations/createStudent');
  expect(await page.getByRole('region', { name: 'Request, curl' }).innerText()).toContain('-H "Idempotency-Key: $(uuidgen)"');
  await page.getByText('Python', { exact: true }).click();
  expect(await page.getByRole('region', { name: 'Request, Python' }).innerText()).toContain('client.students.create(');
  expect(await page.getByRole('region', { name: 'Request, curl' }).isVisible()).toBe(false);
  await page.goto(`${api.baseUrl}/docs/operations/suspendStudent`);
  expect(await page.getByRole('region', { name: 'Request, Python' }).innerText()).toContain('client.students.suspend(');
  await page.getByText('TypeScript', { exact: true }).click();
  expect(await page.getByRole('region', { name: 'Request, TypeScript' }).innerText()).toContain("client.call('POST', '/students/{id}/suspend', {");
  expect(problems).toEqual([]);
});

it('filters the operations by keyboard: a slash, words, an arrow, Enter', async () => {
  const { page } = await open('/docs/operations/createStudent');
  await page.keyboard.press('/');
  await page.keyboard.type('/suspend post');
  expect(await shownLinks(page)).toEqual(['POST\n/students/{id}/suspend']);
  expect(await page.getByRole('status').innerText()).toBe('1 match');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/operations/suspendStudent');
  await page.keyboard.press('/');
  await page.keyboard.type('exam.gr');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/events/exam.graded');
});

it('titles the forms of an event by their types, and the guides of the clients by their languages', async () => {
  const { page } = await open('/docs/operations/getDelivery');
  const summaries = await page.locator('details > summary', { hasText: /^Form \d+ of/ }).allTextContents();
  for (const type of eventTypeNames) expect(summaries.filter((summary) => summary.endsWith(`: ${type}`))).toHaveLength(1);
  const guides = await page.locator('nav .group a[href*="guides/"]').allTextContents();
  expect(guides).toEqual(expect.arrayContaining(['GUIDE TypeScript client', 'GUIDE Python client']));
});

it('keeps a key that was typed in for the pages of the tab, and nowhere else, until it is taken out', async () => {
  const key = 'svc_test_typed_in';
  const { page, problems } = await open('/docs/try#/Account/describeKey');
  const tryAgain = async (): Promise<void> => {
    await page.goto(`${api.baseUrl}/docs/operations/listExams`);
    await page.getByRole('link', { name: 'Try it' }).click();
  };
  const click = (state: 'locked' | 'unlocked'): Promise<void> => page.locator(`.btn.authorize.${state}`).first().click({ timeout: 60_000 });
  await click('unlocked');
  await page.locator('.auth-container input').fill(key);
  await page.locator('.auth-container').getByRole('button', { name: 'Apply credentials' }).click();
  await tryAgain();
  await click('locked');
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(key);
  await page.locator('.auth-container').getByRole('button', { name: 'Remove authorization' }).click();
  await tryAgain();
  await page.locator('.btn.authorize.unlocked').first().waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  expect(problems).toEqual([]);
});

it('leads from an operation to the same one where calls are sent', async () => {
  const { page, problems } = await open('/docs/operations/createStudent');
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.locator('#operations-Students-createStudent.is-open').waitFor();
  expect(problems).toEqual([]);
});

describe.each([
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const)('the reference, $colorScheme and $width px wide', ({ colorScheme, width }) => {
  it.each(['/docs', '/docs/operations/createExam', '/docs/operations/listSubmissions', '/docs/operations/uploadExamFile', '/docs/events/exam.graded', '/docs/guides/webhooks'])('meets WCAG 2.2 AA as far as axe sees it, and does not scroll sideways: %s', async (path) => {
    const { page, problems } = await open(path, { colorScheme, viewport: { width, height: 900 } });
    for (const summary of await page.locator('main summary:visible').all()) await summary.click();
    expect(await axeViolations(page)).toEqual([]);
    expect([await horizontalOverflow(page), problems]).toEqual([0, []]);
    await page.context().close();
  });
});
