import type { ServerResponse } from 'node:http';

/** How slowly a client may take a file: so many bytes within so many ms, at least. */
export interface Pace {
  bytes: number;
  withinMs: number;
}

/** As uploads, which must keep coming. */
export const usualPace: Pace = { bytes: 64 * 1024, withinMs: 60_000 };

/**
 * Cuts off a client that takes next to nothing of its answer: a byte now and then would hold what is made for it, for ever.
 * What is left of an answer that is written whole is the kernel's, and no longer looked at.
 */
export function keepPace(response: ServerResponse, { bytes, withinMs }: Pace): void {
  const { socket } = response;
  if (socket === null) return;
  let taken = socket.bytesWritten;
  const looking = setInterval(() => {
    if (socket.bytesWritten - taken < bytes) socket.resetAndDestroy();
    taken = socket.bytesWritten;
  }, withinMs);
  looking.unref();
  const stop = (): void => clearInterval(looking);
  response.once('finish', stop);
  response.once('close', stop);
}
