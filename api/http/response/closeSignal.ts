import type { ServerResponse } from 'node:http';
import { validationError } from '../../../domain/errors';

/**
 * Aborts when a response is closed, sent or cut off; at once where it is closed already. A listener of `close` alone gets
 * nothing of a client that has gone while something else was waited for, and keeps indefinitely what it was to give back.
 */
export function closeSignal(response: ServerResponse): AbortSignal {
  const closing = new AbortController();
  const close = (): void => closing.abort(validationError({ path: 'request', message: 'was cut off' }));
  if (response.destroyed) close();
  else response.once('close', close);
  return closing.signal;
}
