import net from 'node:net';
import tls from 'node:tls';
import { type AttemptFailure, toConnectFailure, toTlsFailure } from './attemptFailure';

export interface SocketTarget {
  /** Tried in this order until one connects; IP addresses, each of them already checked. */
  addresses: readonly string[];
  port: number;
  /** TLS options with verification, or null for a plain connection (trusted hosts only). */
  tls: TlsTarget | null;
}

export interface TlsTarget {
  /** The name for SNI and verification; undefined if the URL has an IP address, which the certificate must then contain. */
  servername: string | undefined;
  context: tls.SecureContext;
}

export interface OpenSocketCallbacks {
  connected(socket: net.Socket): void;
  failed(failure: AttemptFailure): void;
}

/** How long one of several addresses may take to connect before the next one is tried, in ms. */
const addressTimeoutMs = 2_500;

/**
 * Connects to the first of the given addresses that answers, and to nothing else: no name is resolved here. A failed
 * handshake or certificate is final, only a failed connection moves on to the next address. Calls back once, or never after
 * the returned function has been called, which aborts connecting; it has no timeout of its own.
 */
export function openSocket(target: SocketTarget, { connected, failed }: OpenSocketCallbacks): () => void {
  let current: net.Socket | undefined;
  let settled = false;

  function tryAddress(index: number): void {
    const address = target.addresses[index];
    if (address === undefined) throw new RangeError('A socket needs an address');
    const isLast = index === target.addresses.length - 1;
    const socket = connectTo(address, target);
    current = socket;
    let tcpConnected = false;
    let attemptEnded = false;
    const addressTimer = isLast ? undefined : setTimeout(() => socket.destroy(timeoutError()), addressTimeoutMs);

    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.once('connect', () => {
      tcpConnected = true;
      clearTimeout(addressTimer);
    });
    socket.once(target.tls === null ? 'connect' : 'secureConnect', () => {
      if (settled) return;
      settled = attemptEnded = true;
      connected(socket);
    });
    // Stays for the life of the socket: errors after the exchange are ignored.
    socket.on('error', (error) => fail(error));
    socket.once('close', () => fail(undefined));

    function fail(error: Error | undefined): void {
      clearTimeout(addressTimer);
      if (settled || attemptEnded) return;
      attemptEnded = true;
      socket.destroy();
      if (tcpConnected || isLast) {
        settled = true;
        failed(tcpConnected ? toTlsFailure(error) : toConnectFailure(error));
      } else {
        tryAddress(index + 1);
      }
    }
  }

  tryAddress(0);
  return () => {
    if (settled) return;
    settled = true;
    current?.destroy();
  };
}

function connectTo(address: string, { port, tls: tlsTarget }: SocketTarget): net.Socket {
  if (tlsTarget === null) return net.connect({ host: address, port });
  return tls.connect({
    host: address,
    port,
    ...(tlsTarget.servername === undefined ? {} : { servername: tlsTarget.servername }),
    secureContext: tlsTarget.context,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
}

function timeoutError(): Error {
  return Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' });
}
