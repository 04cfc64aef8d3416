import getRawBody from 'raw-body';
import type { RequestContext } from '../api/http/state';
import { validationError } from '../domain/errors';

const maxBytes = 16 * 1024;
const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The fields of a form; larger than 16 KiB, cut off or anything but a form: `validation_error`. */
export async function readForm({ req }: RequestContext): Promise<URLSearchParams> {
  if (!formType.test(req.headers['content-type'] ?? '')) throw validationError({ path: 'body', message: 'must be a form' });
  const raw = await getRawBody(req, { limit: maxBytes, length: req.headers['content-length'] ?? null }).catch(() => {
    throw validationError({ path: 'body', message: `must be a form of at most ${maxBytes} bytes` });
  });
  return new URLSearchParams(raw.toString());
}
