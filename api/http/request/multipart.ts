import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { DomainError, validationError, type Issue } from '../../../domain/errors';
import type { SpooledFile } from '../../../domain/files/fileStore';
import { isDiskFull, noSpace, requireSpace } from '../../../domain/files/noSpace';
import type { UploadFields } from '../operation';
import { sanitizeContentType, sanitizeFilename } from './fileNames';
import { validationErrorFrom, unknownFieldIssue } from './issues';

/** Limits of an upload: sizes in bytes, and how long its client may pause, in ms. */
interface Bounds {
  maxBytes: number;
  idleMs: number;
  hasSpace: () => Promise<boolean>;
}

/** More than a request with one file needs. */
const partLimits = { parts: 10, fieldSize: 1_024, headerPairs: 20, headerSize: 8 * 1024 };
const maxIssues = 20;
/** How long the rest of a rejected body is read before the error response, in ms. */
const drainMs = 30_000;

const bodyError = (message: string): DomainError => validationError({ path: 'body', message });

function createParser(request: IncomingMessage, maxBytes: number): BusboyInstance {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = request.headers;
  if (!/^multipart\/form-data\s*;/i.test(type)) throw bodyError('must be sent with Content-Type multipart/form-data and its boundary');
  if (!/^(identity)?$/i.test(encoding)) throw bodyError('must be sent without Content-Encoding');
  try {
    return new Busboy({ headers: { ...request.headers, 'content-type': type }, limits: { ...partLimits, fileSize: maxBytes } });
  } catch {
    throw bodyError('must be sent with Content-Type multipart/form-data and its boundary');
  }
}

/** Writes a stream to a new file that only this user may read, while the disk has space; hashes and counts its bytes. */
async function spool(stream: Readable, path: string, hasSpace: Bounds['hasSpace'], signal: AbortSignal): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      await requireSpace(hasSpace);
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(stream, counted, target, { signal });
  } catch (error) {
    throw isDiskFull(error) ? noSpace() : error;
  } finally {
    // The file may be created after the pipeline has failed, so it is removed here.
    if (!target.closed) await once(target, 'close');
  }
  return { size, sha256: hash.digest('hex') };
}

/** The issue of a part that an upload does not have. */
const unknownPart = (name: string, known: UploadFields): Issue => unknownFieldIssue(name, { known: [...Object.keys(known), 'file'] });

/** Collects the text parts of an upload, and every problem with them. */
function collectFields(known: UploadFields, issues: Issue[]) {
  const given = new Map<string, string>();
  return {
    add: (name: string, value: string): void => {
      const oneOf = Object.hasOwn(known, name) ? known[name]?.oneOf : undefined;
      if (oneOf === undefined) issues.push(unknownPart(name, known));
      else if (given.has(name)) issues.push({ path: name, message: `${name} must be given once` });
      else if (!oneOf.includes(value)) issues.push({ path: name, message: `${name} must be one of ${oneOf.join(', ')}` });
      given.set(name, value);
    },
    /** The text parts, once all have been received. */
    finish: (): Record<string, string> => {
      for (const name of Object.keys(known)) if (!given.has(name)) issues.push({ path: name, message: `${name} is required` });
      return Object.fromEntries(given);
    },
  };
}

/** A received upload: its file, and the values of its text parts. */
type ReceivedUpload = SpooledFile & { fields: Record<string, string> };

/** Collects the file and the text parts of an upload, and every problem with them. */
function collectParts(parser: BusboyInstance, path: string, { maxBytes, hasSpace }: Bounds, known: UploadFields, signal: AbortSignal, fail: (error: unknown) => void) {
  const issues: Issue[] = [];
  const fields = collectFields(known, issues);
  let file: Promise<SpooledFile> | undefined;
  const store = async (stream: Readable, filename: string, contentType: string): Promise<SpooledFile> => {
    const { size, sha256 } = await spool(stream, path, hasSpace, signal);
    if (size === 0) issues.push({ path: 'file', message: 'file must not be empty' });
    return { path, size, sha256, contentType, filename };
  };
  parser.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, type) => {
    // Errors after the end of a broken part are ignored: the parser raises them itself.
    stream.on('error', () => undefined);
    stream.once('limit', () => fail(new DomainError('file_too_large', `The file is larger than the ${maxBytes} bytes that an upload may have.`)));
    const kept = sanitizeFilename(filename ?? '');
    if (Object.hasOwn(known, name ?? '')) issues.push({ path: name ?? '', message: `${name} must be text, without a filename` });
    else if (name !== 'file') issues.push(unknownPart(name ?? '', known));
    else if (file !== undefined) issues.push({ path: 'file', message: 'file must be given once' });
    else if ('fault' in kept) issues.push({ path: 'file', message: `file ${kept.fault}` });
    else {
      file = store(stream, kept.filename, sanitizeContentType(type));
      file.catch(fail);
      return;
    }
    stream.resume();
  });
  parser.on('field', (name: string | undefined, value: string) => {
    if (name === 'file') issues.push({ path: 'file', message: 'file must be a file, with a filename' });
    else fields.add(name ?? '', value);
  });
  const parts = 1 + Object.keys(known).length;
  parser.on('partsLimit', () => issues.push({ path: 'body', message: `must have ${parts === 1 ? 'one part' : `${parts} parts`}` }));
  return {
    /** Resolves when all writing has ended. */
    settled: async () => {
      await file?.catch(() => undefined);
    },
    /** The received upload, once the parser has ended. */
    finish: async (): Promise<ReceivedUpload> => {
      const received = await file;
      const chosen = fields.finish();
      if (received === undefined && !issues.some((issue) => issue.path === 'file')) issues.unshift({ path: 'file', message: 'file is required' });
      if (received === undefined || issues.length > 0) throw validationErrorFrom(issues, maxIssues);
      return { ...received, fields: chosen };
    },
  };
}

/** Minimum number of bytes within the allowed pause: otherwise a client could hold a file indefinitely with single bytes. */
const minimumBytes = 64 * 1024;

/** Calls back when the client is too slow or disconnects. Returns a function that stops watching. */
function watchForStall(request: IncomingMessage, idleMs: number, lose: (error: DomainError) => void): () => void {
  const idle = setTimeout(() => lose(bodyError('was not sent in time')), idleMs);
  let sinceRefresh = 0;
  const onData = (chunk: Buffer): void => {
    sinceRefresh += chunk.length;
    if (sinceRefresh < minimumBytes) return;
    sinceRefresh = 0;
    idle.refresh();
  };
  const onClose = (): void => {
    if (!request.complete) lose(bodyError('was cut off'));
  };
  request.on('data', onData);
  request.on('error', onClose);
  request.once('close', onClose);
  if (request.destroyed) onClose();
  return () => {
    clearTimeout(idle);
    request.off('data', onData);
  };
}

/** Reads and discards the rest of a rejected body: many clients read no response before they have sent everything. */
async function drain(request: IncomingMessage, lost: AbortSignal): Promise<void> {
  request.resume();
  if (request.readableEnded) return;
  await once(request, 'end', { signal: AbortSignal.any([lost, AbortSignal.timeout(drainMs)]) }).catch(() => undefined);
}

/**
 * Streams the one file of a multipart body to `path`, as fast as it can be written, and reads the text parts before and
 * after it. Throws `validation_error` for the path `file`, another part's name, or `body`; `file_too_large`. An error is
 * thrown once the remaining body has been read and discarded, or after 30 s. `rate_limiter_unavailable` while a disk is full.
 */
export async function receiveFile(request: IncomingMessage, path: string, bounds: Bounds, fields: UploadFields): Promise<ReceivedUpload> {
  const { maxBytes, idleMs } = bounds;
  const parser = createParser(request, maxBytes);
  const stopWriting = new AbortController();
  const failure = new AbortController();
  const fail = (error: unknown): void => failure.abort(error);
  const file = collectParts(parser, path, bounds, fields, stopWriting.signal, fail);
  parser.on('error', () => fail(bodyError('must be multipart/form-data, and whole')));
  const disconnected = new AbortController();
  const stopWatching = watchForStall(request, idleMs, (error) => {
    disconnected.abort();
    fail(error);
  });
  request.pipe(parser);
  try {
    await once(parser, 'finish', { signal: failure.signal });
    return await file.finish();
  } catch (error) {
    stopWriting.abort();
    request.unpipe(parser);
    await Promise.all([file.settled(), drain(request, disconnected.signal)]);
    throw failure.signal.aborted ? failure.signal.reason : error;
  } finally {
    stopWatching();
    request.resume();
  }
}
