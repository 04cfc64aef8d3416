import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { attachmentDisposition } from '../../lib/contentDisposition';
import type { FileStore, SpooledContent } from '../../domain/files/fileStore';
import { fileUrlSeconds } from '../../domain/files/fileUrls';

/** An existing bucket, and the timeouts and retries of its server. */
export interface S3StoreOptions {
  bucket: string;
  region: string;
  /** The address of a server other than Amazon's; clients also download files from it. */
  endpoint: string | null;
  /** If absent, the SDK uses its default sources: environment, profile, role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  timeouts?: S3Timeouts;
  /** The bytes from which on a file is stored in parts, and of a part at least. */
  partBytes?: number;
}

/** In ms. */
export interface S3Timeouts {
  connect: number;
  /** Timeout without a byte in either direction, in ms. */
  idle: number;
  /** Until an answer begins. */
  response: number;
  /** Timeout until the response to an upload of a file, or of a part, begins, in ms. */
  put: number;
}

const defaultTimeouts: S3Timeouts = { connect: 5_000, idle: 20_000, response: 30_000, put: 180_000 };

/** An archive may have any size, and one call takes 5 GiB at most, within its timeout. */
const defaultPartBytes = 64 * 1024 * 1024;

/** A little less than the 10,000 that a file may have. */
const maxParts = 9_000;

/** Number of tries of a call, and the delays between them, in ms. */
const maxAttempts = 3;
const retryDelayMs = 300;

/** Errors that a retry cannot fix: rejections by the server, and a missing temporary file. */
function isPermanent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const isRejected = '$fault' in error && error.$fault === 'client' && !('$retryable' in error && error.$retryable !== undefined);
  return isRejected || ('syscall' in error && error.syscall === 'open');
}

const noop = (): void => undefined;
/** Errors are thrown, so the SDK must not write to the console. */
const silentLogger = { debug: noop, info: noop, warn: noop, error: noop };

/** The SDK cannot send a stream twice, so each try opens a new one. */
async function withRetries<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt === maxAttempts || isPermanent(error)) throw error;
      await pause(retryDelayMs * attempt);
    }
  }
}

/** A part of a file: its bytes from `start` to `end`, this one included. */
interface Part {
  start: number;
  end: number;
  /** Base64. */
  sha256: string;
}

/** Returns the parts of a file with their digests; fails if the bytes are not those of the file's digest. */
async function partsOf({ path, size, sha256 }: SpooledContent, partBytes: number): Promise<Part[]> {
  const length = Math.max(partBytes, Math.ceil(size / maxParts));
  const whole = createHash('sha256');
  const parts: Part[] = [];
  for (let start = 0; start < size; start += length) {
    const end = Math.min(start + length, size) - 1;
    const part = createHash('sha256');
    const chunks: AsyncIterable<Buffer> = (await open(path)).createReadStream({ start, end });
    for await (const chunk of chunks) {
      part.update(chunk);
      whole.update(chunk);
    }
    parts.push({ start, end, sha256: part.digest('base64') });
  }
  if (whole.digest('hex') !== sha256) throw new Error('The bytes are not those of the digest');
  return parts;
}

/** Returns a store in a bucket, with an object per file under its id. The bucket's server serves the files by presigned URLs. */
export async function openS3Store({ bucket, region, endpoint, credentials, timeouts = defaultTimeouts, partBytes = defaultPartBytes }: S3StoreOptions): Promise<FileStore & { close(): void }> {
  // Loaded only if a bucket is used: it takes 20 MB of memory.
  const { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CreateMultipartUploadCommand, DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } =
    await import('@aws-sdk/client-s3');
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts,
    logger: silentLogger,
    // Other servers than Amazon's do not support the checksums that the SDK would add; the service stores a SHA-256 itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: timeouts.connect, socketTimeout: timeouts.idle, requestTimeout: timeouts.response, throwOnRequestTimeout: true },
  });
  /** Sends bytes of a temporary file with a timeout of their own. */
  const sendBytes = async <Result>(path: string, range: { start?: number; end?: number }, send: (body: Readable, options: { requestTimeout: number; abortSignal: AbortSignal }) => Promise<Result>): Promise<Result> => {
    const body = (await open(path)).createReadStream(range);
    const unreadable = new AbortController();
    body.once('error', () => unreadable.abort());
    try {
      return await send(body, { requestTimeout: timeouts.put, abortSignal: unreadable.signal });
    } finally {
      body.destroy();
    }
  };
  const putWhole = (id: string, { path, size, sha256, contentType }: SpooledContent): Promise<unknown> =>
    sendBytes(path, {}, (body, options) => {
      const of = { Bucket: bucket, Key: id, ContentType: contentType, ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64') };
      return client.send(new PutObjectCommand({ ...of, Body: body, ContentLength: size }), options);
    });
  const putInParts = async (id: string, spooled: SpooledContent): Promise<void> => {
    const parts = await partsOf(spooled, partBytes);
    const object = { Bucket: bucket, Key: id };
    const { UploadId: upload } = await withRetries(() => client.send(new CreateMultipartUploadCommand({ ...object, ContentType: spooled.contentType, ChecksumAlgorithm: 'SHA256' })));
    try {
      const stored = [];
      for (const [nth, { start, end, sha256 }] of parts.entries()) {
        const part = { PartNumber: nth + 1, ChecksumSHA256: sha256 };
        const { ETag: tag } = await withRetries(() =>
          sendBytes(spooled.path, { start, end }, (body, options) =>
            client.send(new UploadPartCommand({ ...object, ...part, UploadId: upload, Body: body, ContentLength: end - start + 1 }), options)));
        stored.push({ ...part, ETag: tag });
      }
      await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId: upload, MultipartUpload: { Parts: stored } }), { requestTimeout: timeouts.put });
    } catch (error) {
      // What has arrived is not listed as a file, and would stay.
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: upload })).catch(() => undefined);
      throw error;
    }
  };
  return {
    put: async (id, spooled) => {
      if (spooled.size > partBytes) await putInParts(id, spooled);
      else await withRetries(() => putWhole(id, spooled));
    },
    open: async (id) => {
      const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: id }));
      if (!(body instanceof Readable)) throw new Error('The file store answered without a body');
      return body;
    },
    delete: async (id) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: id }));
    },
    signedUrl: async ({ id, filename, contentType }, now) => {
      const command = new GetObjectCommand({ Bucket: bucket, Key: id, ResponseContentDisposition: attachmentDisposition(filename), ResponseContentType: contentType });
      const signedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
      const url = await getSignedUrl(client, command, { expiresIn: fileUrlSeconds, signingDate: signedAt });
      return { url, expiresAt: new Date(signedAt.getTime() + fileUrlSeconds * 1_000) };
    },
    close: () => client.destroy(),
  };
}
