import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { MethodNotImplemented } from '../router';
import type { RequestContext } from '../state';

/** Something that does not change while the process runs, ready to be sent plain or compressed. */
export interface StaticAnswer {
  type: string;
  body: Buffer;
  zipped: Buffer;
  etag: string;
}

const compress = promisify(gzip);

export async function prepareAnswer(type: string, body: Buffer): Promise<StaticAnswer> {
  return { type, body, zipped: await compress(body), etag: createHash('sha256').update(body).digest('base64url') };
}

/** Answers it, or 304 to whoever has it; any method but GET and HEAD is `not_implemented`. */
export function answerStatic(ctx: RequestContext, { type, body, zipped, etag }: StaticAnswer, maxAgeSeconds: number): void {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    const refusal = new MethodNotImplemented(['GET']);
    ctx.set('Allow', refusal.allow);
    throw refusal;
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
  const wantsZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (wantsZipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = wantsZipped ? zipped : body;
  ctx.set('Content-Type', type);
}
