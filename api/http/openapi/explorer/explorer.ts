import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError } from '../../../../domain/errors';
import type { Html } from '../../../../lib/html';
import { sendStatic, prepareStaticResponse, type StaticResponse } from '../../response/staticResponse';
import type { ApiMiddleware } from '../../state';
import { locatedOperations, type OpenApiDocument } from '../document';
import { script, tryPage, tryScript, tryStyles } from './assets';
import { guideMarkdown, llmsText, readGuides, readServedFiles } from './guides';
import { eventPage, guidePage, missingPage, operationPage, overviewPage } from './pages';
import { styles } from './styles';

const day = 86_400;
const hour = 3_600;

interface Asset {
  type: string;
  maxAgeSeconds: number;
  read: () => Promise<Buffer>;
}

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

const swaggerFolder = dirname(require.resolve('swagger-ui-dist/package.json'));
const fromSwagger = (name: string, type: string): Asset => ({ type, maxAgeSeconds: day, read: () => readFile(join(swaggerFolder, name)) });
const inlineAsset = (text: string, type: string): Asset => ({ type, maxAgeSeconds: hour, read: () => Promise.resolve(Buffer.from(text)) });
const pageAsset = (render: () => Html): Asset => ({ type: html, maxAgeSeconds: hour, read: () => Promise.resolve(Buffer.from(render().text)) });

const files: readonly (readonly [path: string, asset: Asset])[] = [
  ['/docs/explorer.js', inlineAsset(script, javascript)],
  ['/docs/explorer.css', inlineAsset(styles, css)],
  ['/docs/try', inlineAsset(tryPage, html)],
  ['/docs/try.js', inlineAsset(tryScript, javascript)],
  ['/docs/try.css', inlineAsset(tryStyles, css)],
  ['/docs/swagger-ui.css', fromSwagger('swagger-ui.css', css)],
  ['/docs/swagger-ui-bundle.js', fromSwagger('swagger-ui-bundle.js', javascript)],
  ['/docs/favicon-32x32.png', fromSwagger('favicon-32x32.png', 'image/png')],
];

/** Every page and file of the explorer, by its path after the prefix; no other file is ever read. */
function assetsOf(document: OpenApiDocument): ReadonlyMap<string, Asset> {
  const guides = readGuides();
  const reference = { document, guides };
  return new Map([
    ['/docs', pageAsset(() => overviewPage(reference))],
    ['/llms.txt', inlineAsset(llmsText(), plain)],
    ...readServedFiles().map(({ path, type, content }) => [`/docs/${path}`, inlineAsset(content, type)] as const),
    ...guides.map((guide) => [`/docs/guides/${guide.name}`, pageAsset(() => guidePage(reference, guide))] as const),
    ...guides.map((guide) => [`/docs/guides/${guide.name}.md`, inlineAsset(guideMarkdown(guide), 'text/markdown; charset=utf-8')] as const),
    ...locatedOperations(document).map((located) => [`/docs/operations/${located.operation.operationId}`, pageAsset(() => operationPage(reference, located))] as const),
    ...Object.entries(document.webhooks ?? {}).map(([type, { post }]) => [`/docs/events/${type}`, pageAsset(() => eventPage(reference, type, post))] as const),
    ...files,
  ]);
}

/** The page loads nothing from other hosts; inline styles are set by its script. */
const policy = (apiOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The explorer at `<prefix>/docs` (section Versioning), without a key and without the internet: a page for each operation and
 * event, `docs/try`, which sends calls, and the guides, as pages and as Markdown, with `llms.txt`. Everything is read once, with the first request.
 */
export function explorer(prefix: string, publicBaseUrl: string, describe: () => OpenApiDocument): ApiMiddleware {
  const contentSecurityPolicy = policy(new URL(publicBaseUrl).origin);
  const prepared = new Map<string, Promise<StaticResponse>>();
  let known: ReadonlyMap<string, Asset> | undefined;
  const prepare = (name: string, { type, read }: Asset): Promise<StaticResponse> => {
    const response = prepared.get(name) ?? read().then((body) => prepareStaticResponse(type, body));
    prepared.set(name, response);
    return response;
  };
  return async (ctx, next) => {
    const name = ctx.path.startsWith(`${prefix}/`) ? ctx.path.slice(prefix.length) : '';
    if (name !== '/docs' && name !== '/llms.txt' && !name.startsWith('/docs/')) {
      await next();
      return;
    }
    const asset = (known ??= assetsOf(describe())).get(name);
    if (name === '/docs/') {
      ctx.status = 308;
      ctx.set('Location', '../docs');
    } else if (asset !== undefined) {
      ctx.state.route = '/docs';
      ctx.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' });
      sendStatic(ctx, await prepare(name, asset), asset.maxAgeSeconds);
    } else if (ctx.accepts('json', 'html') === 'html') {
      ctx.state.route = '/docs';
      ctx.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' });
      ctx.status = 404;
      ctx.type = html;
      ctx.body = missingPage('../'.repeat(name.split('/').length - 3) || './').text;
    } else {
      ctx.state.route = '/docs';
      throw new DomainError('not_found', `No such page of the documents; they begin at ${prefix}/docs.`);
    }
  };
}
