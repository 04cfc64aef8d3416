import { Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import type { Logger } from '../../../config/logger';
import { minimumThroughput, defaultThroughput } from './minimumThroughput';
import { attachmentDisposition } from '../../../lib/contentDisposition';

/** The request of a file response, for the log. */
type Context = ParameterizedContext<{ requestId: string; route?: string }>;

/** A text file that is generated while it is sent. */
export class StreamedFile {
  constructor(
    readonly contentType: string,
    readonly filename: string,
    readonly pieces: AsyncIterable<string>,
  ) {}
}

/** What streamed files need from their process. */
export interface StreamingOptions {
  logger: Logger;
  /** How long a client may take for 64 KiB, in ms; 60 s by default. */
  stallMs?: number | undefined;
}

/**
 * Sends a file piece by piece, at the client's pace: at most two pieces are in memory. An error before the first piece is
 * thrown. A later one is logged and closes the connection, so that a part is not mistaken for the whole file. The iterable
 * is always ended.
 */
export async function sendFile(ctx: Context, { contentType, filename, pieces }: StreamedFile, { logger, stallMs = defaultThroughput.withinMs }: StreamingOptions): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  ctx.status = 200;
  ctx.set({
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Disposition': attachmentDisposition(filename),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  if (ctx.method === 'HEAD' || !ctx.writable) {
    await iterator.return?.();
    return;
  }
  const body = Readable.from(remainingPieces(ctx, first, iterator, logger), { objectMode: false });
  // A generator that has not been started would not release what it reads from.
  body.once('close', () => {
    iterator.return?.().catch((error: unknown) => logger.error({ err: error, request_id: ctx.state.requestId }, 'a file did not end'));
  });
  ctx.body = body;
  minimumThroughput(ctx.res, { ...defaultThroughput, withinMs: stallMs });
}

async function* remainingPieces(ctx: Context, first: IteratorResult<string>, rest: AsyncIterator<string>, logger: Logger): AsyncGenerator<string, void> {
  try {
    for (let piece = first; piece.done !== true; piece = await rest.next()) yield piece.value;
  } catch (error) {
    logger.error({ err: error, request_id: ctx.state.requestId, route: ctx.state.route }, 'a file was cut off');
    // For HTTP/1.0 clients and proxies, an orderly end of the connection would mean the end of the file.
    if (!ctx.res.chunkedEncoding) ctx.req.socket.resetAndDestroy();
    throw error;
  }
}
