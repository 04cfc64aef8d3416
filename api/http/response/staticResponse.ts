import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { MethodNotImplemented } from '../router';
import type { RequestContext } from '../state';

/** A response that does not change while the process runs, prepared plain and compressed. */
export interface StaticResponse {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  etag: string;
}

const compress = promisify(gzip);

export async function prepareStaticResponse(type: string, body: Buffer): Promise<StaticResponse> {
  return { type, body, gzipped: await compress(body), etag: createHash('sha256').update(body).digest('base64url') };
}

/** Sends it, or 304 to a client with a current copy; any method except GET and HEAD is `not_implemented`. */
export function sendStatic(ctx: RequestContext, { type, body, gzipped, etag }: StaticResponse, maxAgeSeconds: number): void {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    const error = new MethodNotImplemented(['GET']);
    ctx.set('Allow', error.allow);
    throw error;
  }
  ctx.status = 200;
  ctx.set({
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    ETag: `W/"${etag}"`,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const acceptsGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (acceptsGzip) ctx.set('Content-Encoding', 'gzip');
  ctx.body = acceptsGzip ? gzipped : body;
  ctx.set('Content-Type', type);
}
