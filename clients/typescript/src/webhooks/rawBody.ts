/** Why the body of a request cannot be verified. */
export type WebhookBodyReason = 'body_consumed' | 'body_too_large';

/** The error of a request whose body is too large, or was read before the handler. */
export class WebhookBodyError extends Error {
  override readonly name = 'WebhookBodyError';

  constructor(readonly reason: WebhookBodyReason, message: string) {
    super(message);
  }
}

/** A request of node:http, or of a framework on top of it, such as Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  readableDidRead?: boolean | undefined;
  /** What a parser left: `express.raw()` leaves the bytes. */
  body?: unknown;
  /** What some frameworks leave next to the parsed body. */
  rawBody?: unknown;
}

const tooLarge = (maxBytes: number): WebhookBodyError => new WebhookBodyError('body_too_large', `The body is longer than ${maxBytes} bytes (maxBodyBytes).`);

const consumed = (): WebhookBodyError =>
  new WebhookBodyError(
    'body_consumed',
    'Something read the body before the webhook handler, and its raw bytes are gone. Mount the handler before any body parser '
    + '(express.json(), koa-body), or let the parser keep the raw body in request.rawBody.',
  );

function bounded(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function readChunks(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    read.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of read) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** The raw bytes that something before the handler has kept; undefined if there are none. */
function keptBytes(candidates: readonly unknown[]): Uint8Array | undefined {
  for (const kept of candidates) {
    if (kept instanceof Uint8Array) return kept;
    if (typeof kept === 'string') return new TextEncoder().encode(kept);
  }
  return undefined;
}

/** Returns the raw body of a request of node:http; `kept` are further places where a framework may have left it. Throws WebhookBodyError. */
export async function readNodeBody(request: NodeRequest, maxBytes: number, kept: readonly unknown[] = []): Promise<Uint8Array> {
  const found = keptBytes([request.rawBody, request.body, ...kept]);
  if (found !== undefined) return bounded(found, maxBytes);
  if (request.readableDidRead === true) throw consumed();
  return readChunks(request, maxBytes);
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Nobody reads the rest of a body that is too large.
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns the raw body of a fetch request. Throws WebhookBodyError. */
export async function readFetchBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) throw consumed();
  return request.body === null ? new Uint8Array() : readChunks(chunksOf(request.body), maxBytes);
}
