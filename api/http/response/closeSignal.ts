import type { ServerResponse } from 'node:http';
import { validationError } from '../../../domain/errors';

/**
 * Returns a signal that aborts when a response is closed, complete or not; immediately if it is already closed. A listener
 * of `close` alone misses a client that disconnected earlier, and would never release what it holds.
 */
export function closeSignal(response: ServerResponse): AbortSignal {
  const closing = new AbortController();
  const close = (): void => closing.abort(validationError({ path: 'request', message: 'was cut off' }));
  if (response.destroyed) close();
  else response.once('close', close);
  return closing.signal;
}
