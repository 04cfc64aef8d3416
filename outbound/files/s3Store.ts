import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { attachmentDisposition } from '../../lib/contentDisposition';
import type { FileStore, SpooledContent } from '../../domain/files/fileStore';
import { fileUrlSeconds } from '../../domain/files/fileUrls';

/** A bucket that exists, and how patient we are with its server. */
export interface S3StoreOptions {
  bucket: string;
  region: string;
  /** Of a server that is not Amazon's; clients fetch files there, too. */
  endpoint: string | null;
  /** Left out, the SDK looks where it always does: environment, profile, role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  timeouts?: S3Timeouts;
}

/** In ms. */
export interface S3Timeouts {
  connect: number;
  /** Without a byte in either direction. */
  idle: number;
  /** Until an answer begins. */
  response: number;
  /** Until the answer to a file that is being sent begins. */
  put: number;
}

const defaultTimeouts: S3Timeouts = { connect: 5_000, idle: 20_000, response: 30_000, put: 180_000 };

/** A call is tried so often in all, with these ms in between. */
const maxAttempts = 3;
const retryDelayMs = 300;

/** What the server refuses it refuses again; a temporary file that is gone stays gone. */
function isPermanent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const isRejected = '$fault' in error && error.$fault === 'client' && !('$retryable' in error && error.$retryable !== undefined);
  return isRejected || ('syscall' in error && error.syscall === 'open');
}

const noop = (): void => undefined;
/** Every error is thrown; the SDK writes nothing to the console. */
const silentLogger = { debug: noop, info: noop, warn: noop, error: noop };

/** The SDK does not send a stream twice: each try begins with a new one. */
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

/** Files as objects of a bucket, each under its id. Its server hands them out itself, by presigned URLs. */
export async function openS3Store({ bucket, region, endpoint, credentials, timeouts = defaultTimeouts }: S3StoreOptions): Promise<FileStore & { close(): void }> {
  // Loaded only where there is a bucket: it takes 20 MB of memory.
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts,
    logger: silentLogger,
    // Others than Amazon's do not know the checksums that the SDK would add; ours is the SHA-256.
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
