import type { ServerResponse } from 'node:http';
import { closeSignal } from './closeSignal';

/** The minimum throughput: at least `bytes` within `withinMs`. */
export interface Throughput {
  bytes: number;
  withinMs: number;
}

/** The same as for uploads. */
export const defaultThroughput: Throughput = { bytes: 64 * 1024, withinMs: 60_000 };

/**
 * Disconnects a client that reads its response more slowly: single bytes would hold its resources indefinitely. A response
 * that has been written completely is in the kernel's buffers, and no longer checked.
 */
export function minimumThroughput(response: ServerResponse, { bytes, withinMs }: Throughput): void {
  const { socket } = response;
  const closed = closeSignal(response);
  if (socket === null || closed.aborted) return;
  let taken = socket.bytesWritten;
  const timer = setInterval(() => {
    if (socket.bytesWritten - taken < bytes) socket.resetAndDestroy();
    taken = socket.bytesWritten;
  }, withinMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  response.once('finish', stop);
  closed.addEventListener('abort', stop);
}
