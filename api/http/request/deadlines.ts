import type { IncomingMessage, Server } from 'node:http';
import { rejectTimedOutRequest } from './malformedRequests';

/** How long a client may take, in ms. */
export interface Deadlines {
  /** Over a body; an upload has until the server's own limit for whole requests. */
  body: number;
  /** Over its headers. */
  headers: number;
  /** Over a whole request, an upload above all. */
  request: number;
}

/** Slow lines take minutes over 50 MiB, and no JSON body is so large. */
export const defaultDeadlines: Deadlines = { body: 60_000, headers: 15_000, request: 600_000 };

/** The deadlines of bodies that are coming in. */
const bodyTimers = new WeakMap<IncomingMessage, { start: () => void; stop: () => void }>();

/** Whether the request says that it carries a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Cuts off every request whose body is not there in time; a client without a response yet gets an error response. */
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

/** Lets this request take as long as the server lets any; answers how to give it, from then on, the time of any body. */
export function suspendBodyDeadline(request: IncomingMessage): () => void {
  const deadline = bodyTimers.get(request);
  deadline?.stop();
  return () => {
    if (!request.complete && !request.destroyed) deadline?.start();
  };
}
