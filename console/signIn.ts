import type { Logger } from '../config/logger';
import type { RequestContext } from '../api/http/state';
import type { Domain } from '../domain/context';
import { findStaffToken } from '../domain/staff/tokens';
import { readForm } from './form';
import { html, type Html } from './html';
import { signedOutPage } from './layout';
import { safeReturnPath } from './returnPath';
import { requireSameSite } from './sameSite';
import type { Sessions } from './session';
import type { SignInAttempts } from './signInAttempts';
import { sendPage, redirect } from './response';

/** Signing in with a personal token. */
export interface SignIn {
  /** Shows the form. After a link from another site the page is requested again, because the browser did not send the cookie. */
  show(ctx: RequestContext, wanted: string): void;
  signIn(ctx: RequestContext): Promise<void>;
}

/** What signing in with a token needs. */
export interface SignInDeps {
  sessions: Sessions;
  domain: Domain;
  logger: Logger;
  isPlatformToken: (sent: string) => boolean;
  attempts: SignInAttempts;
}

/** The card of the sign-in page around a form or a link. */
export function signInCard(problem: string | undefined, content: Html): Html {
  return html`<div class="card">
    <div class="title-line"><span class="mark" aria-hidden="true"></span><h1>Support console</h1></div>
    ${problem === undefined ? null : html`<p class="flash refused" role="alert" id="problem">${problem}</p>`}
    ${content}
    <p class="faint">You stay signed in for 8 hours.</p>
  </div>`;
}

function tokenForm(wanted: string, problem: string | undefined): Html {
  return signInCard(problem, html`<form method="post" action="/console/sign-in">
      <input type="hidden" name="next" value="${safeReturnPath(wanted)}">
      <div class="field"><label for="token">Personal token</label>
        <input id="token" name="token" type="password" required autofocus autocomplete="current-password" maxlength="500"${
          problem === undefined ? null : html` aria-describedby="problem"`}></div>
      <button class="button main">Sign in</button>
    </form>`);
}

/** Returns what makes a page that a link of another site led to load again: browsers send the session's cookie only then. */
export function refreshFromElsewhere({ req }: RequestContext, wanted: string): Html | null {
  return req.headers['sec-fetch-site'] === 'cross-site' ? html`<meta http-equiv="refresh" content="0;url=${safeReturnPath(wanted)}">` : null;
}

const platformTokenSent = 'This is the platform token, which is for machines. Sign in with a personal token: “institution staff add” adds a person, “institution staff tokens create” creates one.';

const apiKeySent = 'This is an API key of an institution, which signs nobody in. Sign in with your personal token.';

/** Says what was sent in place of a personal token. */
function problemOf(sent: string, isPlatformToken: (sent: string) => boolean): string {
  if (sent === '') return 'Type your personal token.';
  if (/^svc_(?:live|test)_/.test(sent)) return apiKeySent;
  return isPlatformToken(sent) ? platformTokenSent : 'This is not a valid personal token.';
}

export function createSignIn({ sessions, domain, logger, isPlatformToken, attempts }: SignInDeps): SignIn {
  return {
    show: (ctx, wanted) => sendPage(ctx, 200, signedOutPage('Sign in', tokenForm(wanted, undefined), refreshFromElsewhere(ctx, wanted))),
    signIn: async (ctx) => {
      requireSameSite(ctx);
      const form = await readForm(ctx);
      const wanted = safeReturnPath(form.get('next'));
      const { now } = ctx.state;
      const sent = form.get('token')?.trim() ?? '';
      // The same work for a right and a wrong token, and while the form is closed.
      const found = await findStaffToken(domain.database, sent, now);
      const wait = attempts.retryAfterSeconds(now);
      if (wait > 0) {
        ctx.set('Retry-After', String(wait));
        sendPage(ctx, 429, signedOutPage('Sign in', tokenForm(wanted, `Too many wrong tokens. Try again in ${wait} s.`)));
      } else if (found !== undefined) {
        await sessions.begin(ctx, { staffId: found.staff_id, tokenId: found.id });
        logger.info({ request_id: ctx.state.requestId, staff_id: found.staff_id }, 'staff signed in');
        redirect(ctx, wanted);
      } else {
        attempts.recordFailure(now);
        logger.warn({ request_id: ctx.state.requestId }, 'a wrong token was sent to the console');
        sendPage(ctx, 401, signedOutPage('Sign in', tokenForm(wanted, problemOf(sent, isPlatformToken))));
      }
    },
  };
}
