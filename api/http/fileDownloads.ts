import type { Domain } from '../../domain/context';
import { findSignedFile } from '../../db/repositories/files';
import { attachmentNamed } from '../../domain/files/contentDisposition';
import { isSignedFileUrl } from '../../domain/files/fileUrls';
import { DomainError, notFound } from '../../domain/errors';
import { MethodNotImplemented } from './router';
import type { ApiMiddleware } from './state';

/** Whatever a file says, no browser shows it on our origin, and nobody keeps it. */
const guarding = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "sandbox; default-src 'none'",
};

/** Files that are being fetched at the same time: each holds a connection and a file, and nobody counts these calls. */
const mostOpen = 500;
/** How long a client may read nothing, in ms. */
const idleMs = 30_000;

/**
 * `GET <prefix>/files/{id}?expires=&signature=`: hands a file of the folder store to whoever holds a URL that we signed
 * less than an hour ago, without a key (section Limits). Anything else is `not_found`; `rate_limited` while
 * 500 are being fetched.
 */
export function fileDownloads(prefix: string, { database, secrets, files }: Pick<Domain, 'database' | 'secrets' | 'files'>): ApiMiddleware {
  const start = `${prefix}/files/`;
  let open = 0;
  return async (ctx, next) => {
    const id = ctx.path.slice(start.length);
    if (!ctx.path.startsWith(start) || id === '' || id.includes('/')) {
      await next();
      return;
    }
    ctx.state.route = '/files/:id';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const refusal = new MethodNotImplemented(['GET']);
      ctx.set('Allow', refusal.allow);
      throw refusal;
    }
    const { expires, signature } = Object.fromEntries(new URLSearchParams(ctx.querystring)) as { expires?: string; signature?: string };
    const signed = isSignedFileUrl(secrets, { id, expires: expires ?? '', signature: signature ?? '' }, ctx.state.now);
    const file = signed ? await findSignedFile(database.sql, id) : undefined;
    if (file === undefined) throw notFound('file');
    if (open >= mostOpen) throw new DomainError('rate_limited', 'Too many files are being fetched; try again.');
    const bytes = ctx.method === 'HEAD' ? undefined : await files.open(id);
    ctx.status = 200;
    if (bytes !== undefined) {
      open += 1;
      bytes.once('close', () => (open -= 1));
      ctx.res.setTimeout(idleMs, () => ctx.res.destroy());
      ctx.body = bytes;
    }
    ctx.set({ ...guarding, 'Content-Type': file.content_type, 'Content-Length': String(file.size), 'Content-Disposition': attachmentNamed(file.filename) });
  };
}
