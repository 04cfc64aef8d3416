import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Where a call is interrupted: before the API gets it, after the API has done it and before its response, in the middle of the
 * response, or when all of the response is sent.
 */
export type InterruptionPoint = 'before the request' | 'before the response' | 'in the response' | 'after the response';

/** What happens to one call; undefined lets it pass. The connection is cut at this point, and `interrupt` is called. */
export interface Interruption {
  at: InterruptionPoint;
  interrupt?: () => void;
}

/** A proxy to an API that cuts connections. */
export interface InterruptingProxy {
  baseUrl: string;
  close(): Promise<void>;
}

/** Headers that belong to one connection, or that Node writes. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'content-encoding', 'keep-alive', 'accept-encoding', 'date'];

const passedOn = (headers: Iterable<readonly [string, string]>): Record<string, string> => Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));

/** Sends the first half of a response and resets the connection. */
function sendHalf(response: ServerResponse, status: number, headers: Record<string, string>, body: Buffer): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

/** Forwards calls to an API (`baseUrl` ends with `/v1`), and asks for each, by its method, which interruption it gets. */
export async function startInterruptingProxy(baseUrl: string, nextInterruption: (method: string) => Interruption | undefined): Promise<InterruptingProxy> {
  const { origin } = new URL(baseUrl);
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const { method = 'GET' } = request;
      const interruption = nextInterruption(method);
      const cut = (): void => {
        interruption?.interrupt?.();
        response.destroy();
      };
      if (interruption?.at === 'before the request') {
        cut();
        return;
      }
      const headers = passedOn(Object.entries(request.headersDistinct).map(([name, values]): [string, string] => [name, String(values)]));
      const answer = await fetch(origin + (request.url ?? ''), { method, headers, ...(body.length === 0 ? {} : { body }) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (interruption?.at === 'before the response') {
        cut();
        return;
      }
      const answered = passedOn(answer.headers);
      if (interruption?.at === 'in the response') {
        interruption.interrupt?.();
        sendHalf(response, answer.status, answered, bytes);
        return;
      }
      response.writeHead(answer.status, { ...answered, 'content-length': bytes.length }).end(bytes, interruption?.interrupt);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
