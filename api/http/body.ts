import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { invalid } from '../../domain/errors';
import { unknownField } from './validate';

/** The largest JSON body, in bytes. */
const maxBodyBytes = 2 * 1024 * 1024;

const jsonType = /^application\/json\s*(;|$)/i;

/** Whether the request says that it carries a body. */
function carriesBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a JSON object from a request; an absent body is `{}`. Too large, cut off, of another content type,
 * not UTF-8, not JSON or not an object: `validation_error` with the path `body`.
 */
export async function readJsonBody(request: IncomingMessage): Promise<object> {
  if (!carriesBody(request)) return {};
  if (!jsonType.test(request.headers['content-type'] ?? '')) {
    throw invalid({ path: 'body', message: 'must be sent with Content-Type application/json' });
  }
  const raw = await getRawBody(request, { limit: maxBodyBytes, length: request.headers['content-length'] ?? null }).catch((error: unknown) => {
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    throw invalid({ path: 'body', message: tooLarge ? `must be at most ${maxBodyBytes} bytes` : 'was cut off' });
  });
  if (raw.length === 0) return {};
  return parseObject(raw);
}

/** Where `__proto__` stands as a field: JSON may carry one, and the validator would drop it unseen. */
function protoPaths(value: unknown, path: readonly (string | number)[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === '__proto__' ? [[...path, name].join('.')] : protoPaths(part, [...path, name]),
  );
}

// An escape may spell the name too.
const mayNameProto = (text: string): boolean => text.includes('__proto__') || text.includes('\\u');

function parseObject(raw: Buffer): object {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
    value = JSON.parse(text);
  } catch {
    throw invalid({ path: 'body', message: 'must be valid JSON in UTF-8' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ path: 'body', message: 'must be a JSON object' });
  }
  const unknown = mayNameProto(text) ? protoPaths(value) : [];
  if (unknown.length > 0) throw invalid(...unknown.map(unknownField));
  return value;
}
