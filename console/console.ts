import type Keygrip from 'keygrip';
import { sendStatic, prepareStaticResponse } from '../api/http/response/staticResponse';
import { errorResponse } from '../api/http/errors';
import type { ApiMiddleware, RequestContext } from '../api/http/state';
import { readEpochs } from '../db/repositories/outbox/outbox';
import { DomainError } from '../domain/errors';
import { newId } from '../domain/ids';
import type { IdentityProvider } from '../domain/staff/identityProvider';
import { secretMatcher } from '../lib/secretMatcher';
import { sendPage, setSecurityHeaders, redirect } from './response';
import { assets } from './assets/assets';
import { readForm } from './form';
import { html } from './html';
import { signedInPage, signedOutPage } from './layout';
import { findAction, findPage, type RouteMatch } from './routes';
import type { Action } from './action';
import { requireSameSite } from './sameSite';
import { createProviderSignIn, type ProviderSignIn } from './providerSignIn';
import { safeReturnPath } from './returnPath';
import { createSessions, type Session, type Sessions } from './session';
import { createSignIn, type SignIn } from './signIn';
import { createSignInAttempts } from './signInAttempts';
import { rememberShown, type WasShown } from './shownPeople';
import { requireOperator, type ConsoleDeps, type Page, type ConsoleRequest } from './consoleRequest';

/** What the console needs from its listener. */
export interface ConsoleOptions extends ConsoleDeps {
  /** They sign nobody in. */
  platformTokens: readonly string[];
  /** Where staff sign in; without one they do with personal tokens. */
  identityProvider: IdentityProvider | undefined;
  /** They sign forms; the application's `keys` are the same and sign cookies. */
  signingKeys: Keygrip;
  /** Each of them alone, the one that signs first. */
  eachSigningKey: readonly Keygrip[];
}

/** In seconds; the name of an asset changes with its content. */
const assetMaxAge = 31_536_000;

const prefix = '/console';

/**
 * Returns the support console below `/console`: pages and forms for support staff, who sign in as themselves. Other paths go to
 * the next middleware.
 */
export function supportConsole(deps: ConsoleOptions): ApiMiddleware {
  const { domain, logger, signingKeys: keys, identityProvider: provider } = deps;
  const sessions = createSessions(keys, domain);
  const withProvider = provider === undefined ? undefined : createProviderSignIn({ provider, sessions, domain, logger, keys: deps.eachSigningKey });
  const signIn = withProvider ?? createSignIn({ sessions, domain, logger, isPlatformToken: secretMatcher(...deps.platformTokens), attempts: createSignInAttempts() });
  const serveAsset = createAssetServer();
  const wasShown = rememberShown();
  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next();
      return;
    }
    setSecurityHeaders(ctx);
    if (await serveAsset(ctx)) return;
    const session = await sessions.read(ctx);
    try {
      await handleRequest(ctx, { deps, sessions, signIn, withProvider, wasShown }, session);
    } catch (error) {
      sendErrorPage(ctx, deps, sessions, session, error);
    }
  };
}

interface ConsoleContext {
  deps: ConsoleOptions;
  sessions: Sessions;
  signIn: SignIn;
  withProvider: ProviderSignIn | undefined;
  wasShown: WasShown;
}

function createAssetServer(): (ctx: RequestContext) => Promise<boolean> {
  const prepared = new Map([...assets].map(([path, { type, text }]) => [path, prepareStaticResponse(type, Buffer.from(text))]));
  return async (ctx) => {
    const asset = prepared.get(ctx.path);
    if (asset === undefined) return false;
    ctx.state.route = '/console/assets';
    sendStatic(ctx, await asset, assetMaxAge);
    return true;
  };
}

/** Whether the request is from the page's script, which cannot follow a redirect to a form. */
const isLiveUpdate = ({ req }: RequestContext): boolean => req.headers['x-console-live'] !== undefined;

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

async function handleRequest(ctx: RequestContext, context: ConsoleContext, session: Session | undefined): Promise<void> {
  const { signIn } = context;
  if (!readMethods.has(ctx.method) && ctx.method !== 'POST') {
    ctx.set('Allow', 'GET, HEAD, POST');
    throw new DomainError('not_implemented', 'The console supports GET and POST.');
  }
  if (ctx.path === '/console/sign-in') {
    ctx.state.route = ctx.path;
    if (ctx.method === 'POST') await signIn.signIn(ctx);
    else signIn.show(ctx, new URLSearchParams(ctx.querystring).get('next') ?? '');
  } else if (context.withProvider !== undefined && (await signInWithProvider(ctx, context.withProvider))) {
    ctx.state.route = ctx.path;
  } else if (session === undefined) {
    askToSignIn(ctx, signIn);
  } else {
    await (readMethods.has(ctx.method) ? showPage : handlePost)(ctx, context, session, await consoleRequestOf(ctx, context, session));
  }
}

/** Handles the two paths of a sign-in with the identity provider; false for any other path. */
async function signInWithProvider(ctx: RequestContext, signIn: ProviderSignIn): Promise<boolean> {
  if (!readMethods.has(ctx.method)) return false;
  if (ctx.path === '/console/sign-in/start') await signIn.start(ctx, new URLSearchParams(ctx.querystring).get('next') ?? '');
  else if (ctx.path === '/console/sign-in/callback') await signIn.finish(ctx);
  else return false;
  return true;
}

async function consoleRequestOf(ctx: RequestContext, { deps, sessions }: ConsoleContext, session: Session): Promise<ConsoleRequest> {
  return {
    deps,
    staff: session.staff,
    now: ctx.state.now,
    requestId: ctx.state.requestId,
    params: {},
    query: new URLSearchParams(ctx.querystring),
    formToken: sessions.formToken(session),
    epochs: await readEpochs(deps.domain.database.sql),
  };
}

const signInPath = (next: string): string => `/console/sign-in?${new URLSearchParams({ next }).toString()}`;

/** Returns the page to which the button of a form leads back; the first page for a form of none. */
function pageOfForm(path: string): string {
  const found = findAction(path);
  return safeReturnPath(found === undefined ? null : found.target.returnPath(found.params.id ?? ''));
}

/** Redirects a page to the sign-in form; responds 401 to a script or a form. After the sign-in the page comes again. */
function askToSignIn(ctx: RequestContext, signIn: SignIn): void {
  if (isLiveUpdate(ctx) || ctx.method === 'POST') {
    const next = ctx.method === 'POST' ? pageOfForm(ctx.path) : ctx.originalUrl;
    const words = html`<div class="card"><h1>Signed out</h1><p>Your session has ended, so nothing was done.</p><a class="button main" href="${signInPath(next)}">Sign in</a></div>`;
    sendPage(ctx, 401, signedOutPage('Signed out', words));
  } else if (ctx.req.headers['sec-fetch-site'] === 'cross-site') {
    signIn.show(ctx, ctx.originalUrl);
  } else {
    redirect(ctx, signInPath(ctx.originalUrl));
  }
}

/** Redirects of paths without a page. */
const redirects: Readonly<Record<string, (request: ConsoleRequest) => string>> = {
  '/console': () => '/console/institutions',
};

async function showPage(ctx: RequestContext, { sessions, wasShown }: ConsoleContext, session: Session, request: ConsoleRequest): Promise<void> {
  const locationOf = redirects[ctx.path.replace(/\/$/, '')];
  if (locationOf !== undefined) {
    ctx.state.route = ctx.path;
    redirect(ctx, locationOf(request));
    return;
  }
  const found = findPage(ctx.path);
  if (found === undefined) throw new DomainError('not_found', 'The console has no such page.');
  ctx.state.route = found.route;
  const page = await found.target({ ...request, params: found.params });
  if ('to' in page) redirect(ctx, page.to);
  else {
    recordDisclosure(ctx, request, found.route, page, (subject) => wasShown(session, found.route, subject));
    sendSignedInPage(ctx, sessions, session, page.status ?? 200, page);
  }
}

/** Records that a page has shown people's data: of each once, not each time that it updates itself. What says that it is an update comes from the client, so it needs a page before. */
function recordDisclosure(ctx: RequestContext, { deps, staff, requestId }: ConsoleRequest, route: string, { disclosed }: Page, wasShown: (subject: string) => boolean): void {
  if (disclosed === undefined || ctx.method === 'HEAD') return;
  for (const { subject, institutionId } of [disclosed].flat()) {
    if (wasShown(subject) && isLiveUpdate(ctx)) continue;
    deps.disclosures.add({ id: newId('dsc'), institution_id: institutionId, actor_kind: 'staff', actor_id: staff.id, what: 'record', subject, operation: route, query: {}, request_id: requestId });
  }
}

function sendSignedInPage(ctx: RequestContext, sessions: Sessions, session: Session, status: number, page: Page): void {
  const flash = isLiveUpdate(ctx) ? undefined : sessions.takeFlash(ctx, session);
  const frame = { now: ctx.state.now, formToken: sessions.formToken(session), flash, staff: session.staff };
  sendPage(ctx, status, signedInPage(page, frame));
}

async function handlePost(ctx: RequestContext, context: ConsoleContext, session: Session, request: ConsoleRequest): Promise<void> {
  const { sessions } = context;
  requireSameSite(ctx);
  const form = await readForm(ctx);
  if (!sessions.isFormToken(session, form.get('form_token') ?? '')) {
    throw new DomainError('forbidden', 'This form does not belong to this session. Load its page again.');
  }
  if (ctx.path === '/console/sign-out') {
    ctx.state.route = ctx.path;
    await sessions.end(ctx, session);
    redirect(ctx, '/console/sign-in');
    return;
  }
  const found = findAction(ctx.path);
  if (found === undefined) throw new DomainError('not_found', 'The console has no such action.');
  await runAction(ctx, context, session, found, { ...request, params: found.params }, form);
}

async function runAction(ctx: RequestContext, { deps, sessions }: ConsoleContext, session: Session, found: RouteMatch<Action>, request: ConsoleRequest, form: URLSearchParams): Promise<void> {
  const { target: action, route, params } = found;
  const id = params.id ?? '';
  ctx.state.route = route;
  if (action.isForOperators) requireOperator(request);
  try {
    const done = await action.run(request, form);
    deps.logger.info({ request_id: request.requestId, route, id, staff_id: session.staff.id }, 'support acted');
    if ('page' in done) {
      sendSignedInPage(ctx, sessions, session, 200, done.page);
      return;
    }
    sessions.setFlash(ctx, session, { kind: 'done', text: done.text });
    redirect(ctx, done.to);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    sessions.setFlash(ctx, session, { kind: 'refused', text: `${error.message} (${error.code})` });
    redirect(ctx, action.returnPath(id));
  }
}

function sendErrorPage(ctx: RequestContext, { logger }: ConsoleOptions, sessions: Sessions, session: Session | undefined, error: unknown): void {
  const { requestId, route } = ctx.state;
  const { status, body } = errorResponse(error, requestId);
  if (status === 500) logger.error({ err: error, request_id: requestId, route }, 'request failed');
  const words = html`<h1>${status === 404 ? 'Not found' : 'That did not work'}</h1><p class="notice bad">${body.message} (${body.error})</p>
    <p class="sentence"><a href="/console/institutions">To the institutions</a></p>`;
  const title = status === 404 ? 'Not found' : 'That did not work';
  if (session === undefined) sendPage(ctx, status, signedOutPage(title, html`<div class="card">${words}</div>`));
  else sendSignedInPage(ctx, sessions, session, status, { title, body: words });
}
