import type { IncomingMessage, Server } from 'node:http';
import { rejectTimedOutRequest } from './malformedRequests';

/** How long a client may take, in ms. */
export interface Deadlines {
  /** For a body; an upload has until the server's limit for whole requests. */
  body: number;
  /** Over its headers. */
  headers: number;
  /** For a whole request; only uploads take this long. */
  request: number;
}

/** 50 MiB take minutes on a slow line; no JSON body is as large. */
export const defaultDeadlines: Deadlines = { body: 60_000, headers: 15_000, request: 600_000 };

/** The deadlines of request bodies. */
const bodyTimers = new WeakMap<IncomingMessage, { start: () => void; stop: () => void }>();

/** Whether the request headers announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Closes every request whose body is incomplete at its deadline; a client without a response gets an error response. */
export function enforceBodyDeadlines(server: Server, { body }: Deadlines): void {
  server.on('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    let timer: NodeJS.Timeout | undefined;
    const start = (): void => {
      timer = setTimeout(() => rejectTimedOutRequest(request.socket), body).unref();
    };
    const stop = (): void => clearTimeout(timer);
    start();
    bodyTimers.set(request, { start, stop });
    request.once('close', stop);
  });
}

/** Removes the deadline of this request's body; the returned function restores the usual one, counted from that moment. */
export function suspendBodyDeadline(request: IncomingMessage): () => void {
  const deadline = bodyTimers.get(request);
  deadline?.stop();
  return () => {
    if (!request.complete && !request.destroyed) deadline?.start();
  };
}
