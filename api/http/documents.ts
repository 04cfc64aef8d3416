import { createHash } from 'node:crypto';
import type { OpenApiDocument } from './openapi/document';
import { MethodNotImplemented } from './router';
import type { ApiMiddleware } from './state';

/** Serves an API's own description at `<prefix>/openapi.json`, without a key; the text is made once. */
export function serveDocument(prefix: string, document: OpenApiDocument): ApiMiddleware {
  const path = `${prefix}/openapi.json`;
  const text = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  return async (ctx, next) => {
    if (ctx.path !== path) {
      await next();
      return;
    }
    ctx.state.route = '/openapi.json';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET');
      throw new MethodNotImplemented(['GET']);
    }
    ctx.status = 200;
    ctx.set({ ETag: etag, 'Cache-Control': 'public, max-age=60', 'X-Content-Type-Options': 'nosniff' });
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'application/json';
    ctx.body = text;
  };
}
