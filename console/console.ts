import { answerStatic, prepareAnswer } from '../api/http/response/staticResponse';
import { errorAnswer } from '../api/http/errors';
import type { ApiMiddleware, RequestContext } from '../api/http/state';
import { readEpochs } from '../db/repositories/outbox/outbox';
import { DomainError } from '../domain/errors';
import { answerPage, secure, seeOther } from './response';
import { assets } from './assets/assets';
import { readForm } from './form';
import { html } from './html';
import { signedIn, signedOut } from './layout';
import { findAction, findPage, type Found } from './routes';
import type { Action } from './actions';
import { requireSameSite } from './sameSite';
import { destinationOf } from './search';
import { createSessions, type Session, type Sessions } from './session';
import { createSignIn, type SignIn } from './signIn';
import { createSigning } from './signing';
import { createTries } from './signInAttempts';
import type { Desk, Page, Visit } from './consoleRequest';

/** What the console needs from the listener on which it stands. */
export interface ConsoleParts extends Desk {
  platformToken: string;
}

/** Assets are named by their content: in seconds. */
const assetMaxAge = 31_536_000;

const prefix = '/console';

/**
 * The support console below `/console`: pages and forms for people, signed in with the platform token. Everything else
 * is passed on.
 */
export function supportConsole(parts: ConsoleParts): ApiMiddleware {
  const signing = createSigning(parts.platformToken);
  const sessions = createSessions(signing);
  const signIn = createSignIn(sessions, signing, createTries());
  const serveAsset = assetServer();
  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next();
      return;
    }
    secure(ctx);
    if (await serveAsset(ctx)) return;
    const session = sessions.read(ctx);
    try {
      await answer(ctx, { parts, sessions, signIn }, session);
    } catch (error) {
      answerError(ctx, parts, sessions, session, error);
    }
  };
}

interface Room {
  parts: ConsoleParts;
  sessions: Sessions;
  signIn: SignIn;
}

function assetServer(): (ctx: RequestContext) => Promise<boolean> {
  const prepared = new Map([...assets].map(([path, { type, text }]) => [path, prepareAnswer(type, Buffer.from(text))]));
  return async (ctx) => {
    const asset = prepared.get(ctx.path);
    if (asset === undefined) return false;
    ctx.state.route = '/console/assets';
    answerStatic(ctx, await asset, assetMaxAge);
    return true;
  };
}

/** Whether the page's own script asks, which follows no redirect to a form. */
const isLive = ({ req }: RequestContext): boolean => req.headers['x-console-live'] !== undefined;

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

async function answer(ctx: RequestContext, room: Room, session: Session | undefined): Promise<void> {
  const { signIn } = room;
  if (!reads.has(ctx.method) && ctx.method !== 'POST') {
    ctx.set('Allow', 'GET, HEAD, POST');
    throw new DomainError('not_implemented', 'The console knows GET and POST.');
  }
  if (ctx.path === '/console/sign-in') {
    ctx.state.route = ctx.path;
    if (ctx.method === 'POST') await signIn.signIn(ctx);
    else signIn.show(ctx, new URLSearchParams(ctx.querystring).get('next') ?? '');
  } else if (session === undefined) {
    askToSignIn(ctx, signIn);
  } else {
    await (reads.has(ctx.method) ? show : act)(ctx, room, session, await visitOf(ctx, room, session));
  }
}

async function visitOf(ctx: RequestContext, { parts, sessions }: Room, session: Session): Promise<Visit> {
  return {
    desk: parts,
    now: ctx.state.now,
    requestId: ctx.state.requestId,
    params: {},
    query: new URLSearchParams(ctx.querystring),
    formToken: sessions.formToken(session),
    epochs: await readEpochs(parts.domain.database.sql),
  };
}

/** A page is asked for again after signing in; a script or a form learns that nobody is signed in. */
function askToSignIn(ctx: RequestContext, signIn: SignIn): void {
  if (isLive(ctx) || ctx.method === 'POST') {
    const words = html`<div class="card"><h1>Signed out</h1><p>Nobody is signed in any more, so nothing was done.</p><a class="button main" href="/console/sign-in">Sign in</a></div>`;
    answerPage(ctx, 401, signedOut('Signed out', words));
  } else if (ctx.req.headers['sec-fetch-site'] === 'cross-site') {
    signIn.show(ctx, ctx.originalUrl);
  } else {
    seeOther(ctx, `/console/sign-in?${new URLSearchParams({ next: ctx.originalUrl }).toString()}`);
  }
}

/** Paths that have no page of their own. */
const leads: Readonly<Record<string, (visit: Visit) => string>> = {
  '/console': () => '/console/institutions',
  '/console/search': ({ query }) => destinationOf(query.get('q') ?? ''),
};

async function show(ctx: RequestContext, { sessions }: Room, session: Session, visit: Visit): Promise<void> {
  const elsewhere = leads[ctx.path.replace(/\/$/, '')];
  if (elsewhere !== undefined) {
    ctx.state.route = ctx.path;
    seeOther(ctx, elsewhere(visit));
    return;
  }
  const found = findPage(ctx.path);
  if (found === undefined) throw new DomainError('not_found', 'The console has no such page.');
  ctx.state.route = found.route;
  const page = await found.target({ ...visit, params: found.params });
  answerSignedIn(ctx, sessions, session, 200, page);
}

function answerSignedIn(ctx: RequestContext, sessions: Sessions, session: Session, status: number, page: Page): void {
  const flash = isLive(ctx) ? undefined : sessions.take(ctx, session);
  const frame = { now: ctx.state.now, formToken: sessions.formToken(session), flash, wanted: '' };
  answerPage(ctx, status, signedIn(page, frame));
}

async function act(ctx: RequestContext, room: Room, session: Session, visit: Visit): Promise<void> {
  const { sessions } = room;
  requireSameSite(ctx);
  const form = await readForm(ctx);
  if (!sessions.isFormToken(session, form.get('form_token') ?? '')) {
    throw new DomainError('forbidden', 'This form is not one of this session. Load its page again.');
  }
  if (ctx.path === '/console/sign-out') {
    ctx.state.route = ctx.path;
    sessions.end(ctx);
    seeOther(ctx, '/console/sign-in');
    return;
  }
  const found = findAction(ctx.path);
  if (found === undefined) throw new DomainError('not_found', 'The console does no such thing.');
  await run(ctx, room, session, found, { ...visit, params: found.params }, form);
}

async function run(ctx: RequestContext, { parts, sessions }: Room, session: Session, found: Found<Action>, visit: Visit, form: URLSearchParams): Promise<void> {
  const { target: action, route, params } = found;
  const id = params.id ?? '';
  ctx.state.route = route;
  try {
    const { to, text } = await action.run(visit, form);
    parts.logger.info({ request_id: visit.requestId, route, id }, 'support acted');
    sessions.leave(ctx, session, { kind: 'done', text });
    seeOther(ctx, to);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    sessions.leave(ctx, session, { kind: 'refused', text: `${error.message} (${error.code})` });
    seeOther(ctx, action.back(id));
  }
}

function answerError(ctx: RequestContext, { logger }: ConsoleParts, sessions: Sessions, session: Session | undefined, error: unknown): void {
  const { requestId, route } = ctx.state;
  const { status, body } = errorAnswer(error, requestId);
  if (status === 500) logger.error({ err: error, request_id: requestId, route }, 'request failed');
  const words = html`<h1>${status === 404 ? 'Not found' : 'That did not work'}</h1><p class="notice bad">${body.message} (${body.error})</p>
    <p class="sentence"><a href="/console/institutions">To the institutions</a></p>`;
  const title = status === 404 ? 'Not found' : 'That did not work';
  if (session === undefined) answerPage(ctx, status, signedOut(title, html`<div class="card">${words}</div>`));
  else answerSignedIn(ctx, sessions, session, status, { title, body: words });
}
