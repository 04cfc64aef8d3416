import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Domain } from '../../../domain/context';
import { findSignedFile, type SignedFileRow } from '../../../db/repositories/files/files';
import { attachmentDisposition } from '../../../lib/contentDisposition';
import { isValidFileUrlSignature, verifyReader } from '../../../domain/files/fileUrls';
import { notFound } from '../../../domain/errors';
import { closeSignal } from './closeSignal';
import { createDownloadSlots, defaultDownloadLimits } from './downloadLimits';
import { minimumThroughput } from './minimumThroughput';
import { MethodNotImplemented } from '../router';
import type { ApiMiddleware } from '../state';

/** Browsers never display a file on our origin, regardless of its content type, and caches do not store it. */
const fileSecurityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** The same for every cause, so that nobody learns from it which files there are. */
const urlHint = 'A URL of a file is good for one hour, and only as it came: read again what it came with, such as the submission, for a new one.';

/**
 * `GET <prefix>/files/{id}?expires=&signature=&reader=`: serves a file of the folder store to anyone with a URL that we
 * signed less than an hour ago, without a key (section Limits). Anything else is `not_found`; `rate_limited` while the
 * maximum number of downloads is running. A client below the minimum throughput, or not done some time after the URL has
 * expired, is disconnected.
 */
export function fileDownloads(
  prefix: string,
  { database, secrets, files }: Pick<Domain, 'database' | 'secrets' | 'files'>,
  limits = defaultDownloadLimits,
): ApiMiddleware {
  const start = `${prefix}/files/`;
  const slots = createDownloadSlots(limits);
  /** Opens the file's bytes; the stream is closed with the response. */
  const openFileFor = async (response: ServerResponse, file: SignedFileRow, reader: string | undefined): Promise<Readable> => {
    const closed = closeSignal(response);
    await slots.acquireUntil(file, reader, closed);
    const bytes = await files.open(file.id);
    const end = (): void => {
      bytes.destroy();
    };
    if (closed.aborted) end();
    else closed.addEventListener('abort', end);
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
      const error = new MethodNotImplemented(['GET']);
      ctx.set('Allow', error.allow);
      throw error;
    }
    const query = new URLSearchParams(ctx.querystring);
    const [expires, signature, reader] = [query.get('expires') ?? '', query.get('signature') ?? '', query.get('reader') ?? ''];
    const signed = isValidFileUrlSignature(secrets, { id, expires, signature }, ctx.state.now);
    const file = signed ? await findSignedFile(database.sql, id) : undefined;
    if (file === undefined) throw notFound('file', { within: 'service', hint: urlHint });
    const bytes = ctx.method === 'HEAD' ? undefined : await openFileFor(ctx.res, file, verifyReader(secrets, { id, expires, reader }));
    ctx.status = 200;
    if (bytes !== undefined) {
      minimumThroughput(ctx.res, limits.throughput);
      cutOffAt(ctx.res, Number(expires) * 1_000 + limits.graceMs);
      ctx.body = bytes;
    }
    ctx.set({ ...fileSecurityHeaders, 'Content-Type': file.content_type, 'Content-Length': String(file.size), 'Content-Disposition': attachmentDisposition(file.filename) });
  };
}

/** Disconnects, at this time, a client that is still receiving. */
function cutOffAt(response: ServerResponse, atMs: number): void {
  const { socket } = response;
  const closed = closeSignal(response);
  if (socket === null || closed.aborted) return;
  const timer = setTimeout(() => socket.resetAndDestroy(), atMs - Date.now()).unref();
  closed.addEventListener('abort', () => clearTimeout(timer));
}
