import tls from 'node:tls';
import { checkWebhookUrl } from '../../domain/webhooks/addresses';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import { ConnectionPool } from './connectionPool';
import { Exchange, type WebhookRequest } from './exchange';
import { createHostAddresses, type NameResolver } from './hostAddresses';
import { inWebhookSpan } from './webhookSpan';

export type { WebhookRequest } from './exchange';

/** Default timeout of an exchange, in ms (specification: Events, Delivery 1). */
export const exchangeTimeoutMs = 10_000;

export interface WebhookClientOptions {
  /** `host:port` entries that may be private and may use http; empty in production. */
  trustedHosts: readonly string[];
  resolver?: NameResolver;
  /** Whether `isPrivateHost` answers an unknown name like a private one, after the same time. */
  hidesNames?: boolean;
  /** For the whole exchange: waiting for a connection, look-up, connect, request, response. */
  timeoutMs?: number;
  /** Maximum number of concurrent exchanges with one origin; further ones wait, within their timeout. */
  connectionsPerOrigin?: number;
  /** Maximum number of idle connections over all origins. */
  idleConnections?: number;
  /** PEM certificates accepted as issuers besides the public ones (tests). */
  ca?: string;
}

export interface WebhookClient {
  /** How long an exchange of this client may take, in ms. */
  readonly timeoutMs: number;
  /**
   * Posts once and returns the outcome; redirects are not followed. Failures of the receiver are outcomes, never exceptions.
   * Rejects when the request cannot be written (an invalid header), when `signal` aborts, and after `close`.
   */
  post(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Whether the host is, or resolves at this moment to, an address that is not public; an unknown name is not, unless names are hidden. */
  isPrivateHost(url: URL): Promise<boolean>;
  /** Waits for the exchanges in progress (each within its timeout), then closes every connection. */
  close(): Promise<void>;
}

/**
 * Returns the client for customers' receivers (specification: Events, Delivery 1, 5 and 7): every connection goes to an
 * address just checked to be public, TLS certificates are always verified, and proxies of the environment are ignored.
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { trustedHosts, resolver, hidesNames = false, timeoutMs = exchangeTimeoutMs, connectionsPerOrigin = 128, idleConnections = 256, ca } = options;
  const addresses = createHostAddresses({ trustedHosts, hidesNames, ...(resolver === undefined ? {} : { resolver }) });
  // One context for all connections: creating it parses every root certificate.
  const secureContext = tls.createSecureContext(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] });
  const pool = new ConnectionPool({ addresses, secureContext, connectionsPerOrigin, maxIdle: idleConnections });
  const inFlight = new Set<Promise<AttemptOutcome>>();
  let closed = false;

  async function post(request: WebhookRequest): Promise<AttemptOutcome> {
    if (closed) throw new Error('The webhook client is closed');
    request.signal?.throwIfAborted();
    const checked = checkWebhookUrl(request.url, trustedHosts);
    if (!checked.ok) return blockedOutcome(checked.message);
    const outcome = inWebhookSpan(request, (traced) => new Promise<AttemptOutcome>((resolve, reject) => {
      new Exchange(pool, checked.url, traced, timeoutMs, { resolve, reject }).start();
    }));
    inFlight.add(outcome);
    const untrack = (): void => {
      inFlight.delete(outcome);
    };
    outcome.then(untrack, untrack);
    return outcome;
  }

  async function close(): Promise<void> {
    closed = true;
    await Promise.allSettled(inFlight);
    pool.closeIdle();
  }

  return { timeoutMs, post, isPrivateHost: (url) => addresses.isPrivate(url), close };
}

function blockedOutcome(error: string): AttemptOutcome {
  return {
    ok: false,
    responseCode: null,
    errorClass: 'blocked',
    error,
    durationMs: 0,
    connectMs: null,
    responseBody: null,
    retryAfter: null,
    abort: false,
    resent: false,
  };
}
