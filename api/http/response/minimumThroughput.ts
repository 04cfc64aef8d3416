import type { ServerResponse } from 'node:http';
import { closeSignal } from './closeSignal';

/** How slowly a client may take a file: so many bytes within so many ms, at least. */
export interface Throughput {
  bytes: number;
  withinMs: number;
}

/** As uploads, which must keep coming. */
export const defaultThroughput: Throughput = { bytes: 64 * 1024, withinMs: 60_000 };

/**
 * Cuts off a client that takes less of its answer: a byte now and then would hold what is made for it, indefinitely. What is
 * left of an answer that is written whole is the kernel's, and no longer looked at.
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
