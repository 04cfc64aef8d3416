import type { Server } from 'node:http';
import type { Page } from 'playwright-core';
import { freePort } from '../../local/ports';
import type { OidcSettings } from '../../config/oidcSettings';

/** A person as the provider knows them; its form takes the subject as the login. */
export interface ProviderAccount {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  groups: string[];
}

/** A real OpenID provider for tests, with a form of its own, on another site than the console. */
export interface TestIdentityProvider {
  issuer: string;
  /** Who may sign in there, as tests change it. */
  accounts: Map<string, ProviderAccount>;
  /** The secrets of the console's client that it accepts at this moment. */
  clientSecrets: Set<string>;
  /** The settings of a console on this port that signs in here. */
  settingsFor(platformPort: number): OidcSettings;
  stop(): Promise<void>;
}

const client = { client_id: 'support-console', client_secret: 'a-client-secret-of-the-tests-only' };
const redirectUriOf = (platformPort: number): string => `http://127.0.0.1:${platformPort}/console/sign-in/callback`;

/** Starts a provider for consoles on these ports. */
export async function startIdentityProvider(platformPorts: readonly number[]): Promise<TestIdentityProvider> {
  const { default: Provider } = await import('oidc-provider');
  const port = await freePort();
  // Not 127.0.0.1, which is the console's: the browser treats the two as different sites.
  const issuer = `http://localhost:${port}`;
  const accounts = new Map<string, ProviderAccount>();
  const clientSecrets = new Set([client.client_secret]);
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: platformPorts.map(redirectUriOf) }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['signs-cookies-of-the-tests'] },
    findAccount: (_ctx, sub) => {
      const account = accounts.get(sub);
      return account === undefined ? undefined : { accountId: sub, claims: () => ({ ...account }) };
    },
  });
  // As providers do that let a client have two secrets for a while.
  provider.Client.prototype.compareClientSecret = (sent: string) => clientSecrets.has(sent);
  const server = await new Promise<Server>((resolve) => {
    const listening = provider.listen(port, 'localhost', () => resolve(listening));
  });
  return {
    issuer,
    accounts,
    clientSecrets,
    settingsFor: (platformPort) => ({
      issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      redirectUri: redirectUriOf(platformPort),
      scopes: 'openid email profile',
      roleClaim: 'groups',
      roleOfValue: new Map([['support-desk', 'support'], ['platform-admins', 'operator']]),
    }),
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/** Fills in the provider's own form, and its question whether the console may know who it is. */
export async function signInAtProvider(page: Page, sub: string): Promise<void> {
  await page.locator('input[name=login]').fill(sub);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
