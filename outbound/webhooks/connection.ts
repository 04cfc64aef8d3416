import type net from 'node:net';
import type tls from 'node:tls';
import { isIP } from 'node:net';
import { Client } from 'undici';
import { effectivePort } from '../../domain/webhooks/addresses';
import { toExchangeFailure } from './attemptFailure';
import type { HostAddresses } from './hostAddresses';
import { openSocket } from './openSocket';

/** Idle connections are closed after 4 s, or after what the receiver announces, at most these ms. */
const maxIdleMs = 30_000;
const defaultIdleMs = 4_000;

export interface ConnectionOptions {
  addresses: HostAddresses;
  secureContext: tls.SecureContext;
  /** Called when the connection has ended, for any reason. */
  onClosed(connection: Connection): void;
}

/**
 * One connection to an origin, kept alive between exchanges, with one exchange at a time on it. It connects when the
 * first request is dispatched, and again when a request finds it ended; each time the host is resolved and checked
 * again, and the socket connects to an address that passed.
 */
export class Connection {
  readonly origin: string;
  readonly client: Client;
  private socket: net.Socket | null = null;
  private cancelConnect: (() => void) | null = null;
  private connectedInMs: number | null = null;
  private bytesReadBefore = 0;
  private limit = 0;
  private onResponseTooLarge: (() => void) | null = null;

  constructor(
    url: URL,
    private readonly options: ConnectionOptions,
  ) {
    this.origin = url.origin;
    this.client = new Client(url.origin, {
      connect: (_target, callback) => {
        this.open(url).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(toExchangeFailure(error), null),
        );
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 16_384,
      keepAliveTimeout: defaultIdleMs,
      keepAliveMaxTimeout: maxIdleMs,
    });
    this.client.on('connect', () => this.watchResponseSize());
    this.client.on('disconnect', () => {
      this.socket = null;
      this.options.onClosed(this);
    });
  }

  /** Begins an exchange; calls `onResponseTooLarge` when more than `limit` bytes of the response have arrived. */
  begin(limit: number, onResponseTooLarge: () => void): void {
    this.connectedInMs = null;
    this.bytesReadBefore = this.socket?.bytesRead ?? 0;
    this.limit = limit;
    this.onResponseTooLarge = onResponseTooLarge;
  }

  /** Ends the exchange; the connection stays open. */
  end(): void {
    this.onResponseTooLarge = null;
  }

  /** Whether a socket to a checked address is connected. */
  get isOpen(): boolean {
    return this.socket !== null;
  }

  /** The duration of look-up, connect and handshake in this exchange, in ms; null if the connection was already open. */
  get connectMs(): number | null {
    return this.connectedInMs;
  }

  /** Whether any byte of a response has arrived in this exchange. */
  get hasReceived(): boolean {
    return this.socket !== null && this.socket.bytesRead > this.bytesReadBefore;
  }

  /** Closes the connection, or aborts connecting. */
  destroy(): void {
    this.onResponseTooLarge = null;
    this.cancelConnect?.();
    void this.client.destroy();
  }

  private async open(url: URL): Promise<net.Socket> {
    const startedAt = performance.now();
    let cancelled = false;
    this.cancelConnect = () => {
      cancelled = true;
    };
    const addresses = await this.options.addresses.resolve(url);
    const host = url.hostname;
    const servername = host.startsWith('[') || isIP(host) !== 0 ? undefined : host;
    const target = {
      addresses,
      port: effectivePort(url),
      tls: url.protocol === 'https:' ? { servername, context: this.options.secureContext } : null,
    };
    return new Promise((resolve, reject) => {
      if (cancelled) return;
      this.cancelConnect = openSocket(target, {
        connected: (socket) => {
          this.cancelConnect = null;
          this.connectedInMs = performance.now() - startedAt;
          this.socket = socket;
          this.bytesReadBefore = 0;
          resolve(socket);
        },
        failed: reject,
      });
    });
  }

  /** Runs after the parser's own listener, so that the received bytes have been parsed when the limit is checked. */
  private watchResponseSize(): void {
    const socket = this.socket;
    socket?.on('readable', () => {
      if (socket.bytesRead - this.bytesReadBefore > this.limit) this.onResponseTooLarge?.();
    });
  }
}
