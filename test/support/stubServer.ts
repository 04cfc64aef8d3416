import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the server got it. */
export interface StubRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  atMs: number;
}

/** How the server responds. */
export type Responder = (response: ServerResponse) => void;

/** A server that returns the given responses in order; the last one repeats. */
export interface StubServer {
  baseUrl: string;
  requests: StubRequest[];
  close(): Promise<void>;
}

/** Returns JSON. */
export const respondsWith = (status: number, body: object, headers: Record<string, string> = {}): Responder =>
  (response) => response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1', ...headers }).end(JSON.stringify(body));

export const succeeds = (data: unknown): Responder => respondsWith(200, { success: true, data });

/** Closes the connection without a word. */
export const closesConnection: Responder = (response) => response.destroy();

/** Sends a Content-Length, and closes the connection before the body is complete. */
export const truncatesResponse: Responder = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"success":true,', () => response.destroy());
};

/** Never answers. */
export const neverResponds: Responder = () => undefined;

export async function startStubServer(manners: readonly Responder[]): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const manner = manners[Math.min(requests.length, manners.length - 1)];
        requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body, atMs: performance.now() });
        manner?.(response);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
