import { randomBytes } from 'node:crypto';
import type Keygrip from 'keygrip';
import type { Logger } from '../config/logger';
import type { RequestContext } from '../api/http/state';
import type { Domain } from '../domain/context';
import { DomainError } from '../domain/errors';
import { admitIdentity, type Rejection } from '../domain/staff/admitIdentity';
import { IdentityProviderError, type IdentityProvider, type SignInSecrets } from '../domain/staff/identityProvider';
import { transact } from '../domain/transact';
import { readCookie, setCookie, type Cookie } from './cookies';
import { html, type Html } from './html';
import { signedOutPage } from './layout';
import { redirect, sendPage } from './response';
import { safeReturnPath } from './returnPath';
import type { Sessions } from './session';
import { refreshFromElsewhere, signInCard, type SignIn } from './signIn';

/** Signing in with an identity provider, in place of the form for tokens. */
export interface ProviderSignIn extends SignIn {
  /** Sends the browser to the provider. */
  start(ctx: RequestContext, wanted: string): Promise<void>;
  /** Receives the browser from the provider. */
  finish(ctx: RequestContext): Promise<void>;
}

/** What signing in with a provider needs. */
export interface ProviderSignInDeps {
  provider: IdentityProvider;
  sessions: Sessions;
  domain: Domain;
  logger: Logger;
  /** Each key that signs alone, the newest first. */
  keys: readonly Keygrip[];
}

/** How long a sign-in may take at the provider, in ms. */
const startedMs = 10 * 60_000;

/** Lax: the provider's redirect comes from another site. */
const startedCookie: Cookie = { name: 'console_sign_in', path: '/console/sign-in', sameSite: 'lax' };

/** Returns the secrets of a sign-in by each key, derived from its id: the cookie has the id alone, and nothing is stored. */
const secretsOf = (keys: readonly Keygrip[], id: string): SignInSecrets[] =>
  keys.map((key) => ({ state: key.sign(`state of ${id}`), nonce: key.sign(`nonce of ${id}`), codeVerifier: key.sign(`verifier of ${id}`) }));

/** Returns the first of these. */
function newest(secrets: readonly SignInSecrets[]): SignInSecrets {
  const [first] = secrets;
  if (first === undefined) throw new Error('The console has no key that signs');
  return first;
}

/** Returns the secrets that a sign-in began with, perhaps on a process with other keys: those of its state; the newest ones if it has another. */
function secretsByState(keys: readonly Keygrip[], id: string, state: string | null): SignInSecrets {
  const all = secretsOf(keys, id);
  return all.find((secrets) => secrets.state === state) ?? newest(all);
}

const rejections: Readonly<Record<Rejection, string>> = {
  no_role: 'You have no role in this console. Ask the operators of the platform to give you one at the identity provider, then sign in again.',
  no_email: 'The identity provider did not say your email address, which this console needs, or says that it is not verified.',
  email_taken: 'Somebody else has your email address in this console, or the identity provider has not verified it. Ask the operators of the platform.',
  revoked: 'Your access to this console was revoked. Ask the operators of the platform.',
};

const failures: Readonly<Record<IdentityProviderError['reason'], { status: number; text: string }>> = {
  refused: { status: 403, text: 'The identity provider did not let you sign in.' },
  invalid: { status: 400, text: 'This sign-in is not valid: it has expired, was used before, or was begun in another browser. Sign in again.' },
  unavailable: { status: 503, text: 'The identity provider does not respond as it should. Try again in a minute; the log of the API says more.' },
};

function providerLink(host: string, wanted: string, problem: string | undefined): Html {
  const next = new URLSearchParams({ next: safeReturnPath(wanted) }).toString();
  return signInCard(problem, html`<p><a class="button main" href="/console/sign-in/start?${next}">Sign in with ${host}</a></p>`);
}

export function createProviderSignIn({ provider, sessions, domain, logger, keys }: ProviderSignInDeps): ProviderSignIn {
  const showProblem = (ctx: RequestContext, status: number, text: string): void => sendPage(ctx, status, signedOutPage('Sign in', providerLink(provider.host, '', text)));
  const showFailure = (ctx: RequestContext, error: unknown): void => {
    if (!(error instanceof IdentityProviderError)) throw error;
    logger.warn({ err: error, request_id: ctx.state.requestId }, 'a sign-in with the identity provider failed');
    const { status, text } = failures[error.reason];
    showProblem(ctx, status, text);
  };

  async function admit(ctx: RequestContext, id: string, wanted: string): Promise<void> {
    const identity = await provider.identify(ctx.querystring, secretsByState(keys, id, new URLSearchParams(ctx.querystring).get('state')));
    const admission = await transact(domain, { institutionId: '', now: ctx.state.now }, (tx) => admitIdentity(tx, identity));
    if ('rejection' in admission) {
      logger.warn({ request_id: ctx.state.requestId, subject: identity.subject, rejection: admission.rejection }, 'a person was not let into the console');
      showProblem(ctx, 403, rejections[admission.rejection]);
      return;
    }
    await sessions.begin(ctx, { staffId: admission.staff.id, tokenId: null });
    logger.info({ request_id: ctx.state.requestId, staff_id: admission.staff.id }, 'staff signed in');
    // Not a redirect: it would belong to the provider's, and the browser would not send the new cookie.
    const link = html`<div class="card"><h1>Signed in</h1><p><a class="button main" href="${wanted}">Continue</a></p></div>`;
    sendPage(ctx, 200, signedOutPage('Signed in', link, html`<meta http-equiv="refresh" content="0;url=${wanted}">`));
  }

  return {
    show: (ctx, wanted) => sendPage(ctx, 200, signedOutPage('Sign in', providerLink(provider.host, wanted, undefined), refreshFromElsewhere(ctx, wanted))),
    signIn: () => Promise.reject(new DomainError('forbidden', `Sign in with ${provider.host}: this console takes no tokens.`)),
    start: async (ctx, wanted) => {
      const id = randomBytes(18).toString('base64url');
      try {
        const url = await provider.startUrl(newest(secretsOf(keys, id)));
        const next = Buffer.from(safeReturnPath(wanted)).toString('base64url');
        setCookie(ctx, startedCookie, `${id}.${ctx.state.now.getTime() + startedMs}.${next}`, startedMs);
        redirect(ctx, url.href);
      } catch (error) {
        showFailure(ctx, error);
      }
    },
    finish: async (ctx) => {
      const [id, expires, next] = readCookie(ctx, startedCookie)?.split('.') ?? [];
      setCookie(ctx, startedCookie, '', 0);
      if (id === undefined || Number(expires) <= ctx.state.now.getTime()) {
        showProblem(ctx, failures.invalid.status, failures.invalid.text);
        return;
      }
      await admit(ctx, id, safeReturnPath(Buffer.from(next ?? '', 'base64url').toString())).catch((error: unknown) => showFailure(ctx, error));
    },
  };
}
