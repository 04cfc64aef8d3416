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
}

/** In ms. */
export interface S3Timeouts {
  connect: number;
  /** Timeout without a byte in either direction, in ms. */
  idle: number;
  /** Until an answer begins. */
  response: number;
  /** Timeout until the response to an upload begins, in ms. */
  put: number;
}

const defaultTimeouts: S3Timeouts = { connect: 5_000, idle: 20_000, response: 30_000, put: 180_000 };

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
async function withRetries(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send();
      return;
    } catch (error) {
      if (attempt === maxAttempts || isPermanent(error)) throw error;
      await pause(retryDelayMs * attempt);
    }
  }
}

/** Returns a store in a bucket, with an object per file under its id. The bucket's server serves the files by presigned URLs. */
export async function openS3Store({ bucket, region, endpoint, credentials, timeouts = defaultTimeouts }: S3StoreOptions): Promise<FileStore & { close(): void }> {
  // Loaded only if a bucket is used: it takes 20 MB of memory.
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
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
  const send = async (id: string, { path, size, sha256, contentType }: SpooledContent): Promise<void> => {
    const body = (await open(path)).createReadStream();
    const unreadable = new AbortController();
    body.once('error', () => unreadable.abort());
    try {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: id,
        Body: body,
        ContentLength: size,
        ContentType: contentType,
        ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
      });
      await client.send(command, { requestTimeout: timeouts.put, abortSignal: unreadable.signal });
    } finally {
      body.destroy();
    }
  };
  return {
    put: (id, spooled) => withRetries(() => send(id, spooled)),
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
