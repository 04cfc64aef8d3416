import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Event } from '../clients/typescript/src/openapi';
import { isLoopback } from './connection';
import { InterruptedError, usageError } from './errors';
import { webhookHeaders } from './webhookSignature';

/** What a receiver made of an event. */
export interface ForwardResult {
  id: string;
  type: string;
  created_at: string;
  /** Null if there was no response. */
  response_code: number | null;
  /** Whether the response was 2xx, as the service demands it. */
  delivered: boolean;
  duration_ms: number;
  /** Why there was no response: `timeout`, or the code of the system, such as `ECONNREFUSED`. */
  error: string | null;
}

/** Where events go, and how. */
export interface Receiver {
  url: URL;
  secret: string;
  signal: AbortSignal;
}

/** As long as the service itself waits. */
const responseTimeoutMs = 10_000;

/** Whether a text names no host: neither before its path nor before its port. */
const isPathAlone = (text: string): boolean => /^[/?#]/.test(text);

/** The port that an address names, in digits; undefined if it names none. */
const portOf = (address: string): string | undefined => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(address)?.[1];

/** Whether something can listen there: 0 is none that a receiver has. */
const isPort = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 65_535;

/** Returns the text of a URL with its scheme: a port alone, and an address without a scheme, mean http. */
function withScheme(text: string): string {
  if (/^\d+(\/|$)/.test(text)) return `http://localhost:${text}`;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/**
 * Returns the URL of a receiver: `localhost:3000/hooks` and `3000/hooks` mean http. Rejects one that is not on this machine, unless
 * that is allowed, and one with neither a port nor a scheme: port 80 is rarely what was meant.
 */
export function parseReceiver(text: string, allowRemote: boolean): URL {
  if (isPathAlone(text)) throw usageError('--forward-to begins with a host or a port: 3000/hooks.');
  const address = withScheme(text);
  const port = portOf(address);
  if (port !== undefined && !isPort(port)) throw usageError(`--forward-to names the port ${port}: ports are 1 to 65535.`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw usageError('--forward-to is no http or https URL, such as localhost:3000/hooks.');
  if (url.username !== '' || url.password !== '') throw usageError('--forward-to must not hold a user or a password.');
  if (!allowRemote && !isLoopback(url.hostname)) throw usageError(`${url.hostname} is not this machine; localhost:3000/hooks would be. --allow-remote sends events there all the same.`);
  if (address !== text && port === undefined) throw usageError('--forward-to names no port, as localhost:3000/hooks does; for port 80 begin with http://.');
  return url;
}

/** Returns a secret as it is. Its base64 part is the key of the second signature. */
export function parseSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) throw usageError('--secret (or WEBHOOK_SECRET) is no signing secret: it must be whsec_ and base64, as an endpoint has it.');
  return text;
}

/** Posts with these headers alone, which fetch would not, and returns the status of the response. */
function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  const request = url.protocol === 'https:' ? requestByHttps : requestByHttp;
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).once('error', reject).end(body);
  });
}

/**
 * Posts an event to a receiver once, as the service does: the same body, headers and signatures. There is no delivery behind it,
 * so its delivery id is made of the event's. Failures of the receiver are results; only an interruption is thrown.
 */
export async function forward(event: Event, { url, secret, signal }: Receiver): Promise<ForwardResult> {
  const body = JSON.stringify(event);
  const deliveryId = event.id.replace(/^evt_/, 'whd_');
  const headers = webhookHeaders({ secret, eventId: event.id, eventType: event.type, deliveryId, timestampSeconds: Math.floor(Date.now() / 1_000), body });
  const began = performance.now();
  const of = (response_code: number | null, error: string | null): ForwardResult => ({
    id: event.id, type: event.type, created_at: event.created_at, response_code, delivered: response_code !== null && response_code >= 200 && response_code < 300, duration_ms: Math.round(performance.now() - began), error,
  });
  const limit = AbortSignal.timeout(responseTimeoutMs);
  try {
    return of(await post(url, headers, body, AbortSignal.any([signal, limit])), null);
  } catch (error) {
    if (signal.reason instanceof InterruptedError) throw signal.reason;
    if (limit.aborted) return of(null, 'timeout');
    return of(null, error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'connection broken');
  }
}
