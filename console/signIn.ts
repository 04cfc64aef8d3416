import type { RequestContext } from '../api/http/state';
import { readForm } from './form';
import { html, type Html } from './html';
import { signedOutPage } from './layout';
import { requireSameSite } from './sameSite';
import type { Sessions } from './session';
import type { SignInAttempts } from './signInAttempts';
import { sendPage, redirect } from './response';

/** Signing in with the platform token. */
export interface SignIn {
  /** Shows the form. After a link from another site the page is requested again, because the browser did not send the cookie. */
  show(ctx: RequestContext, wanted: string): void;
  signIn(ctx: RequestContext): Promise<void>;
}

const startPage = '/console/institutions';

/** Returns a page of the console to open after the sign-in; the first page for any other path. */
function safeReturnPath(wanted: string | null): string {
  const base = 'http://console.invalid';
  if (wanted === null || !URL.canParse(wanted, base)) return startPage;
  const { origin, pathname, search } = new URL(wanted, base);
  const own = origin === base && pathname.startsWith('/console/') && !pathname.startsWith('/console/sign-');
  return own ? pathname + search : startPage;
}

function signInForm(wanted: string, problem: string | undefined): Html {
  return html`<div class="card">
    <div class="title-line"><span class="mark" aria-hidden="true"></span><h1>Support console</h1></div>
    ${problem === undefined ? null : html`<p class="flash refused" role="alert" id="problem">${problem}</p>`}
    <form method="post" action="/console/sign-in">
      <input type="hidden" name="next" value="${safeReturnPath(wanted)}">
      <div class="field"><label for="token">Platform token</label>
        <input id="token" name="token" type="password" required autofocus autocomplete="current-password" maxlength="500"${
          problem === undefined ? null : html` aria-describedby="problem"`}></div>
      <button class="button main">Sign in</button>
    </form>
    <p class="faint">You stay signed in for 8 hours.</p>
  </div>`;
}

export function createSignIn(sessions: Sessions, isPlatformToken: (sent: string) => boolean, attempts: SignInAttempts): SignIn {
  return {
    show: (ctx, wanted) => {
      const fromElsewhere = ctx.req.headers['sec-fetch-site'] === 'cross-site';
      const refresh = fromElsewhere ? html`<meta http-equiv="refresh" content="0;url=${safeReturnPath(wanted)}">` : null;
      sendPage(ctx, 200, signedOutPage('Sign in', signInForm(wanted, undefined), refresh));
    },
    signIn: async (ctx) => {
      requireSameSite(ctx);
      const form = await readForm(ctx);
      const wanted = safeReturnPath(form.get('next'));
      const { now } = ctx.state;
      // The same work for a right and a wrong token, and while the form is closed.
      const isValidToken = isPlatformToken(form.get('token')?.trim() ?? '');
      const wait = attempts.retryAfterSeconds(now);
      if (wait > 0) {
        ctx.set('Retry-After', String(wait));
        sendPage(ctx, 429, signedOutPage('Sign in', signInForm(wanted, `Too many wrong tokens. Try again in ${wait} s.`)));
      } else if (isValidToken) {
        sessions.begin(ctx);
        redirect(ctx, wanted);
      } else {
        attempts.recordFailure(now);
        sendPage(ctx, 401, signedOutPage('Sign in', signInForm(wanted, 'This is not the platform token.')));
      }
    },
  };
}
