import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type Koa from 'koa';
import { enforceBodyDeadlines, defaultDeadlines, type Deadlines } from './http/request/deadlines';
import { rejectMalformedRequests, rejectExpectHeader, requireHostAndTarget } from './http/request/malformedRequests';
import type { RequestState } from './http/state';

/** How long an idle connection is kept, in ms. */
const keepAliveTimeout = 65_000;

/** A listening port, and the function that closes it. */
export interface Listener {
  port: number;
  /**
   * Still accepts requests for `drainMs`, the last one of each connection; then no new connections. Lets requests in flight finish within
   * `timeoutMs` from the call, then closes their connections.
   */
  close(timeoutMs: number, drainMs?: number): Promise<void>;
}

/** Maximum number of pipelined requests of one connection. */
const maxPipelinedRequests = 100;

const maxListeners = 20;

/** What a listener accepts. */
export interface ListenerLimits {
  deadlines?: Deadlines;
  /** Maximum number of open connections; further ones are closed at once, before they cost memory. Without bound by default. */
  maxConnections?: number;
  /** Called for each connection that is closed because there are too many. */
  onRefused?: () => void;
}

/**
 * Processes the pipelined requests of a connection one after the other, each after the previous response has been sent: the
 * resources of a response waiting behind another would not be released when the connection closes. A client with 100
 * requests ahead is disconnected.
 */
function handleSequentially(handle: (request: IncomingMessage, response: ServerResponse) => void): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket) ?? [];
    const begin = (): void => {
      // A streamed response has more than the default ten listeners that release something at its end.
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

/** Tracks the request in progress on each connection. */
function trackConnections(server: Server): { endAfterResponses(): void; closeIdle(): void } {
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
    endAfterResponses: () => {
      closing = true;
      for (const response of busy.values()) if (response !== undefined) response.shouldKeepAlive = false;
    },
    closeIdle: () => {
      for (const [socket, response] of busy) if (response === undefined) socket.destroy();
    },
  };
}

/** Starts a listener for an app; fails if the port is in use. */
export async function listen(app: Koa<RequestState>, host: string, port: number, { deadlines = defaultDeadlines, maxConnections, onRefused }: ListenerLimits = {}): Promise<Listener> {
  const handleRequest = app.callback();
  // Node rejects a request without a Host with an empty response; requireHostAndTarget sends the usual error response instead.
  const server = createServer({ headersTimeout: deadlines.headers, requestTimeout: deadlines.request, keepAliveTimeout, requireHostHeader: false });
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  if (onRefused !== undefined) server.on('drop', onRefused);
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
    close: async (timeoutMs, drainMs = 0) => {
      connections.endAfterResponses();
      const draining = Math.min(drainMs, timeoutMs);
      await pause(draining);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), timeoutMs - draining);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        connections.closeIdle();
      });
    },
  };
}
