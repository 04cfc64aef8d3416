import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Event } from '../clients/typescript/src/openapi';
import { connectMessages, generalMessages, isTlsCode, messageFor, tlsMessages } from '../lib/exchangeMessages';
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
  /** The same in words. */
  message: string | null;
  /** The first 200 characters of a response that is not 2xx; null without a body. */
  response_body: string | null;
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

const shownCharacters = 200;

/** A response, and the beginning of its body unless it is 2xx. */
interface Answer {
  status: number;
  text: string | null;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Returns the beginning of a body, or what came of it before it broke off. */
async function readBeginning(response: IncomingMessage): Promise<string | null> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      // A character has up to two code units.
      if (text.length >= shownCharacters * 2) break;
    }
  } catch {
    // The status has come, and counts.
  }
  return text === '' ? null : Array.from(text).slice(0, shownCharacters).join('');
}

/** Returns the response as far as it is shown; the body of a success is of no interest. */
async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  if (!isSuccess(status)) return { status, text: await readBeginning(response) };
  response.resume();
  return { status, text: null };
}

/** Says in words, those of an attempt of the service, why there was no response. */
function failureText(code: string, url: URL): string {
  if (url.protocol === 'https:' && (code in tlsMessages || isTlsCode(code)) && code !== 'ECONNRESET') return messageFor(tlsMessages, generalMessages.tls, code);
  return code.startsWith('HPE_') ? messageFor({}, generalMessages.http, code) : messageFor(connectMessages, generalMessages.connect, code);
}

/** Posts with these headers alone, which fetch would not, and returns the response. */
function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Answer> {
  const request = url.protocol === 'https:' ? requestByHttps : requestByHttp;
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal }, (response) => {
      void readAnswer(response).then(resolve, reject);
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
  const of = (outcome: Pick<ForwardResult, 'response_code' | 'error' | 'message' | 'response_body'>): ForwardResult => ({
    id: event.id, type: event.type, created_at: event.created_at, delivered: outcome.response_code !== null && isSuccess(outcome.response_code), duration_ms: Math.round(performance.now() - began), ...outcome,
  });
  const noResponse = (error: string, message: string): ForwardResult => of({ response_code: null, error, message, response_body: null });
  const limit = AbortSignal.timeout(responseTimeoutMs);
  try {
    const { status, text } = await post(url, headers, body, AbortSignal.any([signal, limit]));
    return of({ response_code: status, error: null, message: null, response_body: text });
  } catch (error) {
    if (signal.reason instanceof InterruptedError) throw signal.reason;
    if (limit.aborted) return noResponse('timeout', `No response within ${responseTimeoutMs / 1_000} s`);
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    return code === undefined ? noResponse('connection broken', generalMessages.lost) : noResponse(code, failureText(code, url));
  }
}
