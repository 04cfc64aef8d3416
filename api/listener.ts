import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { enforceBodyDeadlines, defaultDeadlines } from './http/request/deadlines';
import { rejectMalformedRequests, rejectExpectHeader, requireHostAndTarget } from './http/request/malformedRequests';
import type { RequestState } from './http/state';

/** How long an idle connection is kept, in ms. */
const keepAliveTimeout = 65_000;

/** A port that answers requests, and the one way to close it. */
export interface Listener {
  port: number;
  /** Takes no new connection, lets requests in flight finish for so many ms, then cuts them off. */
  close(timeoutMs: number): Promise<void>;
}

/** Requests that may wait on one connection for the answers before theirs. */
const maxPipelinedRequests = 100;

const maxListeners = 20;

/**
 * Hands over the requests of a connection one after the other, each once the answer before it has been sent: what an
 * answer holds while it waits behind another, nobody would give back when the connection goes. A client that sends 100
 * ahead is cut off.
 */
function handleSequentially(handle: (request: IncomingMessage, response: ServerResponse) => void): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket) ?? [];
    const begin = (): void => {
      // Those who give something back when a streamed answer ends are more than the usual ten.
      response.setMaxListeners(maxListeners);
      response.once('close', () => {
        queue.shift();
        if (!socket.destroyed) queue[0]?.();
      });
      handle(request, response);
    };
    waiting.set(socket, queue);
    queue.push(begin);
    if (queue.length > maxPipelinedRequests) socket.destroy();
    else if (queue.length === 1) begin();
  };
}

/** Knows of every connection which request it is busy with, if any. */
function trackConnections(server: Server): { closeIdle(): void } {
  const busy = new Map<Socket, ServerResponse | undefined>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    busy.set(socket, undefined);
    socket.once('close', () => busy.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    response.shouldKeepAlive = response.shouldKeepAlive && !closing;
    busy.set(socket, response);
    response.once('close', () => {
      if (busy.has(socket)) busy.set(socket, undefined);
      if (closing) socket.end();
    });
  });
  return {
    closeIdle: () => {
      closing = true;
      for (const [socket, response] of busy) {
        if (response === undefined) socket.destroy();
        else response.shouldKeepAlive = false;
      }
    },
  };
}

/** Listens for an app's requests; fails with the reason when the port is taken. */
export async function listen(app: Koa<RequestState>, host: string, port: number, deadlines = defaultDeadlines): Promise<Listener> {
  const handleRequest = app.callback();
  // Node rejects a request without a Host with an empty response; requireHostAndTarget sends the usual error response instead.
  const server = createServer({ headersTimeout: deadlines.headers, requestTimeout: deadlines.request, keepAliveTimeout, requireHostHeader: false });
  enforceBodyDeadlines(server, deadlines);
  const connections = trackConnections(server);
  server.on('request', handleSequentially((request, response) => {
    if (requireHostAndTarget(request, response)) void handleRequest(request, response);
  }));
  server.on('checkExpectation', rejectExpectHeader);
  rejectMalformedRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        connections.closeIdle();
      }),
  };
}
