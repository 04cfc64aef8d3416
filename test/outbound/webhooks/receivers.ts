import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

/** A receiver on loopback that counts who connects. */
export interface Receiver {
  port: number;
  connections: number;
  /** Ends every connection and listens no more. */
  close(): Promise<void>;
}

async function listen(server: net.Server, host: string, port = 0): Promise<Receiver> {
  const sockets = new Set<net.Socket>();
  const receiver: Receiver = {
    port: 0,
    connections: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connection', (socket: net.Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  receiver.port = address.port;
  return receiver;
}

/** An ordinary HTTP receiver. */
export function startHttp(handle: http.RequestListener, port = 0): Promise<Receiver> {
  return listen(http.createServer({ keepAliveTimeout: 5_000 }, handle), '127.0.0.1', port);
}

/** One that does what it likes with the bytes. */
export function startRaw(handle: (socket: net.Socket) => void, host = '127.0.0.1'): Promise<Receiver> {
  return listen(net.createServer(handle), host);
}

const answerOk = (socket: tls.TLSSocket): unknown => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');

/** A TLS receiver with a certificate of `certificates/` that responds to every request, with 200 by default. */
export async function startTls(name: string, options: tls.TlsOptions = {}, answer = answerOk): Promise<Receiver & { handshakes: number }> {
  const server = tls.createServer({ cert: certificate(name), key: certificate(`${name}.key`), ...options }, (socket) => {
    counted.handshakes += 1;
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket));
  });
  const counted = Object.assign(await listen(server, '127.0.0.1'), { handshakes: 0 });
  return counted;
}

/** Made for these tests, valid from 2020 to 2120; `issuer` signed `receiver`, `otherHost` and `expired`. */
export function certificate(name: string): string {
  return readFileSync(path.join(__dirname, 'certificates', `${name}.pem`), 'utf8');
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
