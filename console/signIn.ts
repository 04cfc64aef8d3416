import type { RequestContext } from '../api/http/state';
import { readForm } from './form';
import { html, type Html } from './html';
import { signedOut } from './layout';
import { requireSameSite } from './sameSite';
import type { Sessions } from './session';
import type { Signing } from './signing';
import type { Tries } from './signInAttempts';
import { answerPage, seeOther } from './response';

/** Signing in with the platform token. */
export interface SignIn {
  /** The form; what a link of another site led to is asked for once more, because the cookie did not come along. */
  show(ctx: RequestContext, wanted: string): void;
  signIn(ctx: RequestContext): Promise<void>;
}

const start = '/console/institutions';

/** A page of the console, to which one comes back after signing in; the first page instead of anything else. */
function pageOf(wanted: string | null): string {
  const base = 'http://console.invalid';
  if (wanted === null || !URL.canParse(wanted, base)) return start;
  const { origin, pathname, search } = new URL(wanted, base);
  const own = origin === base && pathname.startsWith('/console/') && !pathname.startsWith('/console/sign-');
  return own ? pathname + search : start;
}

function formFor(wanted: string, problem: string | undefined): Html {
  return html`<div class="card">
    <div class="title-line"><span class="mark" aria-hidden="true"></span><h1>Support console</h1></div>
    ${problem === undefined ? null : html`<p class="flash refused" role="alert" id="problem">${problem}</p>`}
    <form method="post" action="/console/sign-in">
      <input type="hidden" name="next" value="${pageOf(wanted)}">
      <div class="field"><label for="token">Platform token</label>
        <input id="token" name="token" type="password" required autofocus autocomplete="current-password" maxlength="500"${
          problem === undefined ? null : html` aria-describedby="problem"`}></div>
      <button class="button main">Sign in</button>
    </form>
    <p class="faint">One stays signed in for 8 hours.</p>
  </div>`;
}

export function createSignIn(sessions: Sessions, signing: Signing, tries: Tries): SignIn {
  return {
    show: (ctx, wanted) => {
      const fromElsewhere = ctx.req.headers['sec-fetch-site'] === 'cross-site';
      const again = fromElsewhere ? html`<meta http-equiv="refresh" content="0;url=${pageOf(wanted)}">` : null;
      answerPage(ctx, 200, signedOut('Sign in', formFor(wanted, undefined), again));
    },
    signIn: async (ctx) => {
      requireSameSite(ctx);
      const form = await readForm(ctx);
      const wanted = pageOf(form.get('next'));
      const { now } = ctx.state;
      // The same work for a right and a wrong token, and while nobody may try.
      const right = signing.isPlatformToken(form.get('token')?.trim() ?? '');
      const wait = tries.waitSeconds(now);
      if (wait > 0) {
        ctx.set('Retry-After', String(wait));
        answerPage(ctx, 429, signedOut('Sign in', formFor(wanted, `Too many wrong tokens. Try again in ${wait} s.`)));
      } else if (right) {
        sessions.begin(ctx);
        seeOther(ctx, wanted);
      } else {
        tries.wrong(now);
        answerPage(ctx, 401, signedOut('Sign in', formFor(wanted, 'This is not the platform token.')));
      }
    },
  };
}
