import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '../../../domain/context';
import { validationError } from '../../../domain/errors';
import type { OperationRecord, Upload } from '../operation';
import type { RequestContext } from '../state';

/** The header that makes a write of the public API one that may be repeated. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** The header of a response that was stored by an earlier call with the same key. */
export const replayedHeader = 'Idempotent-Replayed';

/** Characters of a key, at most. */
export const maxIdempotencyKeyLength = 255;

const visibleAscii = /^[\x21-\x7e]+$/;

/** Whether an operation takes keys: every write of the public API. */
export const takesIdempotencyKey = ({ method, access }: Pick<OperationRecord<never>, 'method' | 'access'>): boolean => access.by === 'key' && method !== 'GET';

/** Returns the key that a call was sent with, if its operation takes one; `validation_error` for one that is none. */
export function readIdempotencyKey(record: OperationRecord<never>, ctx: RequestContext): string | undefined {
  const key = ctx.headers[idempotencyKeyHeader.toLowerCase()];
  if (key === undefined || !takesIdempotencyKey(record)) return undefined;
  if (typeof key === 'string' && key.length <= maxIdempotencyKeyLength && visibleAscii.test(key)) return key;
  throw validationError({ path: idempotencyKeyHeader, message: `must be sent once, with 1 to ${maxIdempotencyKeyLength} visible ASCII characters, without blanks` });
}

/** The body as the fingerprint has it: an upload's bytes by their SHA-256, because its boundary differs with each call. */
async function bodyText(sent: object | undefined, upload: Upload | undefined): Promise<string> {
  if (upload === undefined) return sent === undefined ? '' : JSON.stringify(sent);
  const { sha256, filename, contentType, fields } = await upload.receive();
  return JSON.stringify({ sha256, filename, contentType, fields });
}

/** Returns the key with the fingerprint of its request: SHA-256 of method, path, query and body. Receives an upload. */
export async function fingerprintRequest(key: string, ctx: RequestContext, sent: object | undefined, upload: Upload | undefined): Promise<IdempotencyKey> {
  const parts = [ctx.method, ctx.path, ctx.querystring, await bodyText(sent, upload)];
  return { key, requestSha256: createHash('sha256').update(parts.join('\n')).digest() };
}
