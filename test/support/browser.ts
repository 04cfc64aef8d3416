import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { StaffRole } from '../../db/repositories/staff/staff';
import { consoleOrigin } from './console';
import type { TestApi } from './api';
import { chromiumPath } from './stack';
import { addStaffMember } from './staff';

/** A page in a real browser, and what it complained of. */
export interface Tab {
  page: Page;
  /** Errors and warnings of the browser's console, failed requests and responses of 400 and above, in order. */
  problems: string[];
}

const flags = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** Chromium with a profile of its own, new and empty. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: flags });
}

/** Opens a tab of its own: no cookies of others. */
export async function openTab(browser: Browser, api: TestApi, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ baseURL: consoleOrigin(api), viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  // A fetch in progress when the page is left is aborted, which is not a failure.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ''}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return { page, problems };
}

/** Signs in by hand. */
export async function signInWithForm({ page }: Tab, api: TestApi, role: StaffRole = 'support'): Promise<void> {
  await page.goto('/console');
  await page.getByLabel('Personal token').fill((await addStaffMember(api, role)).token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/console/institutions');
}

/** How many pixels of a page overflow horizontally. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Returns the captions of the tables of a page that go beyond the panel that they are in. */
export function tablesBeyondTheirPanel(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.panel table')]
    .filter((table) => table.getBoundingClientRect().right > table.closest('.panel').getBoundingClientRect().right + 1).map((table) => table.querySelector('caption')?.textContent ?? 'a table')`);
}
