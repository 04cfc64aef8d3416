import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy to an API that drops responses. */
export interface ResponseDroppingProxy {
  baseUrl: string;
  /** How many responses are dropped from now on: the API has handled the request, and its caller gets no response. */
  dropNextResponses(count: number): void;
  close(): Promise<void>;
}

/** Forwards to an API (`baseUrl` ends with `/v1`). */
export async function startResponseDroppingProxy(baseUrl: string): Promise<ResponseDroppingProxy> {
  const { origin } = new URL(baseUrl);
  let remainingDrops = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const passed = ['authorization', 'content-type', 'idempotency-key'].map((name) => [name, request.headers[name]] as const);
      const headers = Object.fromEntries(passed.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
      const answer = await fetch(origin + (request.url ?? ''), { method: request.method ?? 'GET', headers, ...(body.length === 0 ? {} : { body }) });
      const text = await answer.text();
      if (remainingDrops > 0) {
        remainingDrops -= 1;
        response.destroy();
        return;
      }
      response.writeHead(answer.status, Object.fromEntries(['content-type', 'x-request-id', 'idempotent-replayed'].flatMap((name) => (answer.headers.has(name) ? [name] : [])).map((name) => [name, answer.headers.get(name) ?? '']))).end(text);
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    dropNextResponses: (count) => {
      remainingDrops = count;
    },
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
