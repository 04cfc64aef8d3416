import tls from 'node:tls';
import { checkWebhookUrl } from '../../domain/webhooks/addresses';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import { ConnectionPool } from './connectionPool';
import { Exchange, type WebhookRequest } from './exchange';
import { createHostAddresses, type NameResolver } from './hostAddresses';

export type { WebhookRequest } from './exchange';

/** How long an exchange may take unless it is said otherwise, in ms (specification: Events, Delivery 1). */
export const exchangeTimeoutMs = 10_000;

export interface WebhookClientOptions {
  /** `host:port` entries that may be private and may use http; empty in production. */
  trustedHosts: readonly string[];
  resolver?: NameResolver;
  /** For the whole exchange: waiting for a connection, look-up, connect, request, answer. */
  timeoutMs?: number;
  /** Exchanges above this many to one origin at the same time wait, within their time. */
  connectionsPerOrigin?: number;
  /** Idle connections kept over all origins. */
  idleConnections?: number;
  /** PEM certificates accepted as issuers besides the public ones (tests). */
  ca?: string;
}

export interface WebhookClient {
  /** How long an exchange of this client may take, in ms. */
  readonly timeoutMs: number;
  /**
   * Posts once and returns the outcome; redirects are not followed. Everything that the receiver does is an outcome, never
   * an exception. Rejects when the request cannot be written (an invalid header), when `signal` aborts, and after
   * `close`.
   */
  post(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Whether the host is, or resolves at this moment to, an address that is not public; an unknown name is not. */
  isPrivateHost(url: URL): Promise<boolean>;
  /** Lets the exchanges under way end (each within its time), then closes every connection. */
  close(): Promise<void>;
}

/**
 * The one way to a customer's receiver (specification: Events, Delivery 1, 5 and 7): every connection goes to an
 * address that was checked to be public just before, https is always verified, and no proxy is taken from the
 * environment.
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { trustedHosts, resolver, timeoutMs = exchangeTimeoutMs, connectionsPerOrigin = 128, idleConnections = 256, ca } = options;
  const addresses = createHostAddresses({ trustedHosts, ...(resolver === undefined ? {} : { resolver }) });
  // One context for all: building it parses every root certificate.
  const secureContext = tls.createSecureContext(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] });
  const pool = new ConnectionPool({ addresses, secureContext, connectionsPerOrigin, maxIdle: idleConnections });
  const inFlight = new Set<Promise<AttemptOutcome>>();
  let closed = false;

  async function post(request: WebhookRequest): Promise<AttemptOutcome> {
    if (closed) throw new Error('The webhook client is closed');
    request.signal?.throwIfAborted();
    const checked = checkWebhookUrl(request.url, trustedHosts);
    if (!checked.ok) return blockedOutcome(checked.message);
    const outcome = new Promise<AttemptOutcome>((resolve, reject) => {
      new Exchange(pool, checked.url, request, timeoutMs, { resolve, reject }).start();
    });
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
    resent: false,
  };
}
