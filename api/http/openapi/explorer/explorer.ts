import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sendStatic, prepareStaticResponse, type StaticResponse } from '../../response/staticResponse';
import type { ApiMiddleware } from '../../state';
import { page, startScript, styles } from './page';

const day = 86_400;
const hour = 3_600;

interface Asset {
  type: string;
  maxAgeSeconds: number;
  read: () => Promise<Buffer>;
}

const swaggerFolder = dirname(require.resolve('swagger-ui-dist/package.json'));
const fromSwagger = (name: string, type: string): Asset => ({ type, maxAgeSeconds: day, read: () => readFile(join(swaggerFolder, name)) });
const inlineAsset = (text: string, type: string): Asset => ({ type, maxAgeSeconds: hour, read: () => Promise.resolve(Buffer.from(text)) });

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/** Every file that is served, by its path after the prefix; no other file is ever read. */
const assets: ReadonlyMap<string, Asset> = new Map([
  ['/docs', inlineAsset(page, html)],
  ['/docs/explorer.js', inlineAsset(startScript, script)],
  ['/docs/explorer.css', inlineAsset(styles, css)],
  ['/docs/swagger-ui.css', fromSwagger('swagger-ui.css', css)],
  ['/docs/swagger-ui-bundle.js', fromSwagger('swagger-ui-bundle.js', script)],
  ['/docs/favicon-32x32.png', fromSwagger('favicon-32x32.png', 'image/png')],
]);

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

/** The interactive explorer at `<prefix>/docs` (section Versioning), without a key and without the internet. */
export function explorer(prefix: string, publicBaseUrl: string): ApiMiddleware {
  const contentSecurityPolicy = policy(new URL(publicBaseUrl).origin);
  const prepared = new Map<string, Promise<StaticResponse>>();
  const prepare = (name: string, { type, read }: Asset): Promise<StaticResponse> => {
    const response = prepared.get(name) ?? read().then((body) => prepareStaticResponse(type, body));
    prepared.set(name, response);
    return response;
  };
  return async (ctx, next) => {
    const name = ctx.path.startsWith(prefix) ? ctx.path.slice(prefix.length) : '';
    const asset = assets.get(name);
    if (name === '/docs/') {
      ctx.status = 308;
      ctx.set('Location', '../docs');
    } else if (asset !== undefined) {
      ctx.state.route = '/docs';
      ctx.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' });
      sendStatic(ctx, await prepare(name, asset), asset.maxAgeSeconds);
    } else {
      await next();
    }
  };
}
