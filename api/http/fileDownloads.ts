import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Domain } from '../../domain/context';
import { findSignedFile } from '../../db/repositories/files';
import { attachmentNamed } from '../../domain/files/contentDisposition';
import { isSignedFileUrl } from '../../domain/files/fileUrls';
import { DomainError, noSuch } from '../../domain/errors';
import { keepPace, usualPace } from './pace';
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

/**
 * `GET <prefix>/files/{id}?expires=&signature=`: hands a file of the folder store to whoever holds a URL that we signed
 * less than an hour ago, without a key (section Limits). Anything else is `not_found`; `rate_limited` while
 * 500 are being fetched.
 */
export function fileDownloads(prefix: string, { database, secrets, files }: Pick<Domain, 'database' | 'secrets' | 'files'>): ApiMiddleware {
  const start = `${prefix}/files/`;
  let open = 0;
  /** Counted from before it is opened, until it is closed: with its connection at the latest. */
  const fetched = async (id: string, socket: Socket): Promise<Readable> => {
    if (open >= mostOpen) throw new DomainError('rate_limited', 'Too many files are being fetched; try again.');
    open += 1;
    const giveBack = (): void => {
      open -= 1;
    };
    const end = (): void => {
      bytes.destroy();
    };
    const bytes = await files.open(id).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    socket.once('close', end);
    bytes.once('close', () => {
      giveBack();
      socket.off('close', end);
    });
    if (socket.destroyed) end();
    return bytes;
  };
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
    if (file === undefined) throw noSuch('file');
    const bytes = ctx.method === 'HEAD' ? undefined : await fetched(id, ctx.req.socket);
    ctx.status = 200;
    if (bytes !== undefined) {
      keepPace(ctx.res, usualPace);
      ctx.body = bytes;
    }
    ctx.set({ ...guarding, 'Content-Type': file.content_type, 'Content-Length': String(file.size), 'Content-Disposition': attachmentNamed(file.filename) });
  };
}
