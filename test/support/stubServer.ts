import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the server got it. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  atMs: number;
}

/** A way to answer, or not to. */
export type Manner = (response: ServerResponse) => void;

/** A server that answers each request as it was told, in turn; the last manner goes on. */
export interface OddServer {
  baseUrl: string;
  asked: Asked[];
  close(): Promise<void>;
}

/** Answers JSON. */
export const answers = (status: number, body: object, headers: Record<string, string> = {}): Manner =>
  (response) => response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1', ...headers }).end(JSON.stringify(body));

export const succeeds = (data: unknown): Manner => answers(200, { success: true, data });

/** Closes the connection without a word. */
export const hangsUp: Manner = (response) => response.destroy();

/** Says how long its answer is, and closes the connection in the middle. */
export const breaksOff: Manner = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"success":true,', () => response.destroy());
};

/** Never answers. */
export const keepsSilent: Manner = () => undefined;

export async function startOddServer(manners: readonly Manner[]): Promise<OddServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const manner = manners[Math.min(asked.length, manners.length - 1)];
        asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body, atMs: performance.now() });
        manner?.(response);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
