import getRawBody from 'raw-body';
import type { RequestContext } from '../api/http/state';
import { validationError } from '../domain/errors';

const maxBytes = 16 * 1024;
const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Returns the fields of a form. Throws `validation_error` if it is larger than 16 KiB, incomplete, or not a form. */
export async function readForm({ req }: RequestContext): Promise<URLSearchParams> {
  if (!formType.test(req.headers['content-type'] ?? '')) throw validationError({ path: 'body', message: 'must be a form' });
  const raw = await getRawBody(req, { limit: maxBytes, length: req.headers['content-length'] ?? null }).catch(() => {
    throw validationError({ path: 'body', message: `must be a form of at most ${maxBytes} bytes` });
  });
  return new URLSearchParams(raw.toString());
}
