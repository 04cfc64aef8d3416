import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as a customer's receiver saw it. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
  /** Who sent it, as `senderOf` says of its connection. */
  sender: string | undefined;
}

type ReceiverResponse = number | { status: number; headers?: Record<string, string>; /** `seen` by default. */ body?: string };

/** A customer's receiver on loopback. */
export interface Receiver {
  url: string;
  /** `host:port`, for the trusted hosts. */
  host: string;
  received: Received[];
  /** Decides each response; 200 by default. */
  respond: (received: Received, nth: number) => ReceiverResponse | Promise<ReceiverResponse>;
  /** Names who has opened a connection, by its port at the other end, before the first response on it; nobody by default. */
  senderOf: ((port: number) => Promise<string | undefined>) | undefined;
  close(): Promise<void>;
}

/** Listens on a free port (or the one given) and keeps what it is sent. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const senders = new WeakMap<Socket, Promise<string | undefined>>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry: Received = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), at: Date.now(), sender: undefined };
      const nth = received.push(entry);
      void (async () => {
        const sender = senders.get(request.socket);
        if (sender !== undefined) entry.sender = await sender;
        const answer = await receiver.respond(entry, nth);
        const { status, headers = {}, body = 'seen' } = typeof answer === 'number' ? { status: answer } : answer;
        response.writeHead(status, headers).end(body);
      })();
    });
  });
  server.on('connection', (socket) => {
    const sender = receiver.senderOf?.(socket.remotePort ?? 0);
    if (sender !== undefined) senders.set(socket, sender);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    url: `http://${host}/hook`,
    host,
    received,
    respond: () => 200,
    senderOf: undefined,
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
  return receiver;
}

/** Returns the first attempt of a delivery with 500, all of them or the part that is given, and every other with 200. */
export function failFirstAttempts(part = 1, random = Math.random): Receiver['respond'] {
  const seen = new Set<string>();
  return ({ headers }) => {
    const id = String(headers['x-svc-delivery-id']);
    if (seen.has(id)) return 200;
    seen.add(id);
    return random() < part ? 500 : 200;
  };
}
