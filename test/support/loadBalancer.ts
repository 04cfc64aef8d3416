import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';

/** An address in front of several processes. */
export interface LoadBalancer {
  port: number;
  /** The origins that requests go to, one after the other. */
  origins: string[];
  /** Resolves when no request to an origin is under way any more. */
  drained(origin: string): Promise<void>;
  close(): Promise<void>;
}

/** Forwards a request as it is, on a connection of its own: none is left open that a process would end while it stops. */
function forward(origin: string, request: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(origin);
  const { connection: _connection, ...headers } = request.headers;
  const forwarded = httpRequest({ host: hostname, port, method: request.method, path: request.url, headers, agent: false }, (answer) => {
    const { connection: _closed, 'keep-alive': _kept, ...answered } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  forwarded.on('error', (error) => response.destroy(error));
  request.pipe(forwarded);
}

/** Listens on a port of the loopback; 0 is a free one. */
export async function startLoadBalancer(port: number): Promise<LoadBalancer> {
  const origins: string[] = [];
  const underWay = new Map<string, number>();
  const count = (origin: string, by: number): void => void underWay.set(origin, (underWay.get(origin) ?? 0) + by);
  let requests = 0;
  const server: Server = createServer((request, response) => {
    const origin = origins[(requests += 1) % origins.length];
    if (origin === undefined) {
      response.destroy();
      return;
    }
    count(origin, 1);
    response.once('close', () => count(origin, -1));
    forward(origin, request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    origins,
    drained: async (origin) => {
      await eventually(`no request to ${origin}`, () => (underWay.get(origin) ?? 0) === 0);
    },
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
