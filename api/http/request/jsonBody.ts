import type { IncomingMessage } from 'node:http';
import type Joi from 'joi';
import getRawBody from 'raw-body';
import { validationError } from '../../../domain/errors';
import { hasBody } from './deadlines';
import { requireSafeJson } from './safeJson';
import { jsonSyntaxErrorPosition } from './jsonSyntaxError';
import { jsonDepthOrSizeError } from './jsonTextLimits';
import { onlyListOf } from './sizeLimits';

/** The largest JSON body, in bytes: for operations with a body, and for those without one, which reject any field. */
export const maxBodyBytes = { withSchema: 2 * 1024 * 1024, withoutSchema: 16 * 1024 };

const jsonType = /^application\/json\s*(;|$)/i;
const identityEncoding = /^(identity)?$/i;

/**
 * Reads a JSON object from a request; undefined if it has no body. `validation_error` with the path `body` for a body that
 * is too large, incomplete, compressed, of another content type, not UTF-8, not JSON, not an object, too deep, or of too
 * many values.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number, schema?: Joi.ObjectSchema): Promise<object | undefined> {
  if (!hasBody(request)) return undefined;
  if (!jsonType.test(request.headers['content-type'] ?? '')) {
    throw validationError({ path: 'body', message: 'must be sent with Content-Type application/json' });
  }
  if (!identityEncoding.test(request.headers['content-encoding'] ?? '')) {
    throw validationError({ path: 'body', message: 'must be sent without Content-Encoding' });
  }
  const raw = await getRawBody(request, { limit: maxBytes, length: request.headers['content-length'] ?? null }).catch((error: unknown) => {
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    throw validationError({ path: 'body', message: tooLarge ? `must be at most ${maxBytes} bytes` : 'was cut off' });
  });
  if (raw.length === 0) return undefined;
  return parseObject(raw, schema);
}

function decodeUtf8(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw validationError({ path: 'body', message: 'must be encoded in UTF-8' });
  }
}

/** Parses a JSON text; the error names line and column, which the parser's own message often lacks. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = jsonSyntaxErrorPosition(text);
    throw validationError({ path: 'body', message: `must be valid JSON; it breaks at line ${line}, column ${column}` });
  }
}

/** What would be right in place of a body that is no object; where a list was sent bare, the field that it belongs into. */
function objectWanted(value: unknown, schema: Joi.ObjectSchema | undefined): string {
  const list = Array.isArray(value) && schema !== undefined ? onlyListOf(schema) : undefined;
  return `must be a JSON object${list === undefined ? '' : `: {"${list}": [ … ]}`}`;
}

function parseObject(raw: Buffer, schema: Joi.ObjectSchema | undefined): object {
  const limitError = jsonDepthOrSizeError(raw);
  if (limitError !== undefined) throw validationError({ path: 'body', message: limitError });
  const value = parse(decodeUtf8(raw));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationError({ path: 'body', message: objectWanted(value, schema) });
  }
  requireSafeJson(value);
  return value;
}
