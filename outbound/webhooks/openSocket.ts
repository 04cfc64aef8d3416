import net from 'node:net';
import tls from 'node:tls';
import { type AttemptFailure, connectFailure, tlsFailure } from './attemptFailure';

export interface SocketTarget {
  /** Tried in this order until one connects; IP addresses, each of them already checked. */
  addresses: readonly string[];
  port: number;
  /** TLS with verification, or null for a plain connection (trusted hosts only). */
  tls: TlsTarget | null;
}

export interface TlsTarget {
  /** The name sent and verified; undefined where the URL holds an address, which the certificate must then name. */
  servername: string | undefined;
  context: tls.SecureContext;
}

export interface OpenSocketCallbacks {
  connected(socket: net.Socket): void;
  failed(failure: AttemptFailure): void;
}

/** How long one of several addresses may take to connect before the next one is tried, in ms. */
const connectShareMs = 2_500;

/**
 * Connects to the first of the given addresses that answers, and to nothing else: no name is resolved here. A failed
 * handshake or certificate is final, only a failed connection moves on to the next address. Calls back once, or never
 * after the returned function has been called, which drops what is under way; there is no time limit of its own.
 */
export function openSocket(target: SocketTarget, { connected, failed }: OpenSocketCallbacks): () => void {
  let current: net.Socket | undefined;
  let over = false;

  function tryAddress(index: number): void {
    const address = target.addresses[index];
    if (address === undefined) throw new RangeError('A socket needs an address');
    const isLast = index === target.addresses.length - 1;
    const socket = start(address, target);
    current = socket;
    let reached = false;
    let given = false;
    const share = isLast ? undefined : setTimeout(() => socket.destroy(timedOut()), connectShareMs);

    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.once('connect', () => {
      reached = true;
      clearTimeout(share);
    });
    socket.once(target.tls === null ? 'connect' : 'secureConnect', () => {
      if (over) return;
      over = given = true;
      connected(socket);
    });
    // Stays for the life of the socket: an error after the exchange concerns nobody.
    socket.on('error', (error) => fail(error));
    socket.once('close', () => fail(undefined));

    function fail(error: Error | undefined): void {
      clearTimeout(share);
      if (over || given) return;
      given = true;
      socket.destroy();
      if (reached || isLast) {
        over = true;
        failed(reached ? tlsFailure(error) : connectFailure(error));
      } else {
        tryAddress(index + 1);
      }
    }
  }

  tryAddress(0);
  return () => {
    if (over) return;
    over = true;
    current?.destroy();
  };
}

function start(address: string, { port, tls: secured }: SocketTarget): net.Socket {
  if (secured === null) return net.connect({ host: address, port });
  return tls.connect({
    host: address,
    port,
    ...(secured.servername === undefined ? {} : { servername: secured.servername }),
    secureContext: secured.context,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
}

function timedOut(): Error {
  return Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' });
}
