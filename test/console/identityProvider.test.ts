import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { openTab, startBrowser } from '../support/browser';
import { consoleOrigin, cookiesOf, requestConsole } from '../support/console';
import { signInAtProvider, startIdentityProvider, type ProviderAccount, type TestIdentityProvider } from '../support/identityProvider';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { addStaffMember } from '../support/staff';

let browser: Browser;
let provider: TestIdentityProvider;
let api: TestApi;
let page: Page;
let host: string;
let number = 0;

beforeAll(async () => {
  browser = await startBrowser();
  const platformPort = await freePort();
  provider = await startIdentityProvider([platformPort]);
  host = new URL(provider.issuer).host;
  api = await startTestApi({ platformPort, oidc: provider.settingsFor(platformPort) });
});

afterAll(async () => {
  await browser.close();
  await api.stop();
  await provider.stop();
});

beforeEach(async () => {
  ({ page } = await openTab(browser, api));
});

afterEach(() => page.context().close());

/** Somebody whom the provider knows. */
function account(groups: string[], known: Partial<ProviderAccount> = {}): ProviderAccount {
  number += 1;
  const one = { sub: `sub-${process.pid}-${number}`, name: `Person ${number}`, email: `person${process.pid}.${number}@platform.example`, email_verified: true, groups, ...known };
  provider.accounts.set(one.sub, one);
  return one;
}

async function signIn({ sub }: ProviderAccount, path = '/console'): Promise<void> {
  await page.goto(path);
  await page.getByRole('link', { name: `Sign in with ${host}` }).click();
  await signInAtProvider(page, sub);
}

const problem = () => page.locator('#problem').innerText();
const staffNamed = async ({ email }: ProviderAccount) => (await api.platform('GET', '/staff', { query: { limit: 100 } })).data.items.find((one: { email: string }) => one.email === email);

describe('signing in with the identity provider', () => {
  it('leads to the page that was asked for, as a person of the staff with the role of the claim', async () => {
    const institution = await api.institution();
    const sam = account(['everybody', 'support-desk']);
    await signIn(sam, `/console/institutions/${institution.id}`);
    await page.waitForURL(`**/console/institutions/${institution.id}`);
    expect(await page.locator('header').innerText()).toContain(sam.name);
    expect(await staffNamed(sam)).toMatchObject({ name: sam.name, role: 'support', status: 'active', signs_in_with: provider.issuer, created_by: 'oidc' });
  });

  it('sets the role again at each sign-in, the greater of two', async () => {
    const olga = account(['support-desk', 'platform-admins']);
    await signIn(olga);
    await page.waitForURL('**/console/institutions');
    expect(await staffNamed(olga)).toMatchObject({ role: 'operator' });
    provider.accounts.set(olga.sub, { ...olga, groups: ['support-desk'], name: 'Olga Other' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: `Sign in with ${host}` }).click();
    await page.waitForURL('**/console/institutions');
    expect(await staffNamed(olga)).toMatchObject({ role: 'support', name: 'Olga Other' });
  });

  it('is the person who was added with the same verified email, and their audit entries name them', async () => {
    const institution = await api.institution();
    const delivery = await seedDelivery(api, institution, await seedEndpoint(api, institution, 'https://hooks.example.org/in'), { status: 'retrying' });
    const added = await addStaffMember(api, 'operator');
    await signIn(account(['support-desk'], { email: added.email, name: 'Sam Signed-In' }), `/console/deliveries/${delivery}`);
    await page.getByRole('link', { name: 'Cancel…' }).click();
    await page.getByRole('button', { name: /Cancel/ }).click();
    await page.waitForURL(`**/console/deliveries/${delivery}`);
    const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`);
    expect(data.items[0]).toMatchObject({ operation: 'cancelDelivery', actor: { kind: 'staff', id: added.id, name: 'Sam Signed-In' } });
  });

  it('without a role is refused in words, and ends the sessions of a person who had a role', async () => {
    const nobody = account(['everybody']);
    await signIn(nobody);
    expect(await problem()).toContain('You have no role in this console.');
    expect(await staffNamed(nobody)).toBeUndefined();

    const sam = account(['support-desk']);
    const other = await openTab(browser, api);
    const first = page;
    page = other.page;
    await signIn(sam);
    await page.waitForURL('**/console/institutions');
    provider.accounts.set(sam.sub, { ...sam, groups: [] });
    page = first;
    await page.context().clearCookies();
    await signIn(sam);
    expect(await problem()).toContain('You have no role in this console.');
    await other.page.goto('/console/institutions');
    expect(other.page.url()).toContain('/console/sign-in');
    await other.page.context().close();
  });

  it('with an email of somebody else, or one that is not verified, is refused', async () => {
    const added = await addStaffMember(api);
    await signIn(account(['support-desk'], { email: added.email, email_verified: false }));
    expect(await problem()).toContain('Somebody else has your email address');
    await page.context().clearCookies();
    const sam = account(['support-desk']);
    await signIn(sam);
    await page.waitForURL('**/console/institutions');
    await page.context().clearCookies();
    await signIn(account(['platform-admins'], { email: sam.email }));
    expect(await problem()).toContain('Somebody else has your email address');
  });

  it('of somebody whom the provider has revoked is refused there', async () => {
    const sam = account(['support-desk']);
    await signIn(sam);
    await page.waitForURL('**/console/institutions');
    await page.getByRole('button', { name: 'Sign out' }).click();
    provider.accounts.delete(sam.sub);
    await page.context().clearCookies();
    await page.goto('/console');
    await page.getByRole('link', { name: `Sign in with ${host}` }).click();
    await page.locator('input[name=login]').fill(sam.sub);
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.goto('/console/institutions');
    expect(page.url()).toContain('/console/sign-in');
  });
});

describe('a session that the identity provider has begun', () => {
  it('ends on the server with the sign-out: a copy of its cookie is refused', async () => {
    await signIn(account(['support-desk']));
    await page.waitForURL('**/console/institutions');
    const cookie = (await page.context().cookies()).filter(({ name }) => name.startsWith('console_session')).map(({ name, value }) => `${name}=${value}`).join('; ');
    const statusWithCopy = async (): Promise<number> => (await requestConsole(api, 'GET', '/console/institutions', { headers: { cookie } })).status;
    expect(await statusWithCopy()).toBe(200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/console/sign-in');
    expect(await statusWithCopy()).toBe(303);
  });

  it('ends at once when the person is revoked, who then cannot sign in again', async () => {
    const sam = account(['support-desk']);
    await signIn(sam);
    await page.waitForURL('**/console/institutions');
    await api.platform('DELETE', `/staff/${(await staffNamed(sam)).id}`);
    await page.goto('/console/institutions');
    expect(page.url()).toContain('/console/sign-in');
    await page.getByRole('link', { name: `Sign in with ${host}` }).click();
    await page.locator('#problem').waitFor();
    expect(await problem()).toContain('Your access to this console was revoked.');
  });
});

describe('the answer of the provider', () => {
  /** Begins a sign-in; returns its cookies and the address that it sends the browser to. */
  async function start(): Promise<{ cookie: string; at: URL }> {
    const begun = await requestConsole(api, 'GET', '/console/sign-in/start?next=/console/institutions');
    expect(begun.status).toBe(303);
    return { cookie: cookiesOf(begun).join('; '), at: new URL(begun.headers.get('location') ?? '') };
  }
  const finish = (query: Record<string, string>, cookie = '') => requestConsole(api, 'GET', `/console/sign-in/callback?${new URLSearchParams(query).toString()}`, { headers: { cookie } });

  it('is asked for with PKCE, a state and a nonce of this sign-in alone, and a cookie that lives 10 minutes', async () => {
    const [one, other] = [await start(), await start()];
    expect(Object.fromEntries(one.at.searchParams)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile', redirect_uri: `${consoleOrigin(api)}/console/sign-in/callback` });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.at.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.at.searchParams.get(name)).not.toBe(other.at.searchParams.get(name));
      expect(one.cookie).not.toContain(one.at.searchParams.get(name) ?? '');
    }
  });

  it('without the cookie of the browser that began, with another state, or with a code that is none is refused', async () => {
    const { cookie, at } = await start();
    const state = at.searchParams.get('state') ?? '';
    const answers = [
      await finish({ code: 'c', state }),
      await finish({ code: 'c', state: 'other', iss: provider.issuer }, cookie),
      await finish({ code: 'c', state, iss: 'https://other.example' }, cookie),
      await finish({ code: 'c', state, iss: provider.issuer }, cookie),
    ];
    for (const { status, text, headers } of answers) {
      expect([status, text.includes('This sign-in is not valid')]).toEqual([400, true]);
      expect(headers.getSetCookie().join()).not.toContain('console_session');
    }
  });

  it('that it refuses is said plainly', async () => {
    const { cookie, at } = await start();
    const { status, text } = await finish({ error: 'access_denied', state: at.searchParams.get('state') ?? '', iss: provider.issuer }, cookie);
    expect(status).toBe(403);
    expect(text).toContain('The identity provider did not let you sign in.');
  });

  it('cannot be had while the provider is away: 503, and the page says so', async () => {
    const other = await startTestApi({ oidc: { ...provider.settingsFor(1), issuer: `http://localhost:${await freePort()}` } });
    const { status, text } = await requestConsole(other, 'GET', '/console/sign-in/start');
    await other.stop();
    expect(status).toBe(503);
    expect(text).toContain('The identity provider does not respond as it should.');
  });
});

it('the console takes no tokens where staff sign in with the identity provider', async () => {
  const { token } = await addStaffMember(api);
  expect((await requestConsole(api, 'POST', '/console/sign-in', { form: { token } })).status).toBe(403);
});
