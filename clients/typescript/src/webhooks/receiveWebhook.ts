import { randomUUID } from 'node:crypto';
import { positive, requireKnownOptions } from '../clientOptions';
import type { Event } from '../openapi';
import { requireHandlers } from './eventHandlers';
import { WebhookBodyError } from './rawBody';
import { requireSecrets, requireSignature, verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './verifyWebhook';
import { memoryStore, requireStore, type WebhookStore } from './webhookStore';

/** The names of the types of events: `student.created`. */
export type EventTypeName = Event['type'];

/** The event of a type. */
export type EventOf<T extends EventTypeName> = Extract<Event, { type: T }>;

/** A function for each type of event that matters. */
export type EventHandlers = { [T in EventTypeName]?: (event: EventOf<T>) => unknown };

/** How webhooks are received. */
export interface WebhookHandlerOptions {
  /** The secret of the endpoint (`whsec_…`) or its public key (`whpk_…`), or several: those of several endpoints, or the old and the new one. */
  secret: string | readonly string[];
  /** Where processed events are recorded; in the memory of this process by default. */
  store?: WebhookStore | undefined;
  /** What processes the events of a type; it takes exact types, no patterns. */
  on?: EventHandlers | undefined;
  /** What processes all other events, those of types that this release does not know included. Without it they are answered 204 and ignored; one of `on` and `onEvent` must be given. */
  onEvent?: ((event: Event) => unknown) | undefined;
  /** Gets what fails: a function above, the store, a body parser that read the body first. Writes to the console by default. */
  onError?: ((error: unknown, event: Event | undefined) => void) | undefined;
  /** 1 MiB by default; a longer body is answered 413. */
  maxBodyBytes?: number | undefined;
  /** After this time, 8 s by default and 10 s at most, the answer is 503 while the function goes on; the service waits for 10 s. */
  answerWithinMs?: number | undefined;
  /** How long a claim holds, a minute by default: longer than a function takes, and no less than `answerWithinMs`. Until it ends, the events of a process that was killed are answered 503 `in_progress`. */
  leaseMs?: number | undefined;
}

/** A request of any framework. */
export interface WebhookRequest {
  method: string;
  headers: WebhookHeaders;
  readBody(maxBytes: number): Promise<Uint8Array>;
}

/** The answer to a webhook. */
export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Called as a method, so that it takes a function for one type of event. */
interface AnyHandler {
  handle(event: Event): unknown;
}

/** How long the service waits for a response. */
const serviceWaitsMs = 10_000;
const defaults = { maxBodyBytes: 1_048_576, answerWithinMs: 8_000, leaseMs: 60_000 };

const optionNames: readonly (keyof WebhookHandlerOptions)[] = ['secret', 'store', 'on', 'onEvent', 'onError', 'maxBodyBytes', 'answerWithinMs', 'leaseMs'];

/** A ping without a function goes through the store all the same: a test that succeeds says that the store works, too. */
const ignorePing = (): void => undefined;

const done: WebhookResponse = { status: 204, headers: {}, body: '' };
const retryAfter = { 'retry-after': '5' };

/** What `attempt_log` of the delivery shows. */
const refuse = (status: number, error: string, message: string, headers: Record<string, string> = {}): WebhookResponse =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ error, message }) });

function logError(error: unknown): void {
  // eslint-disable-next-line no-console -- what fails must be seen, also where nobody has given onError
  console.error(error);
}

/** Returns what the promise returns, or `late` after the time; the promise goes on. */
async function within<Result, Late>(promise: Promise<Result>, ms: number, late: Late): Promise<Result | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Returns what answers a webhook: 2xx once the event was processed, now or before. While it is being processed, and after
 * a failure, the answer is an error, so that the service delivers it again.
 */
export function webhookReceiver(options: WebhookHandlerOptions): (request: WebhookRequest) => Promise<WebhookResponse> {
  requireKnownOptions('webhookHandler', options, optionNames);
  const { on = {}, onEvent, onError = logError } = options;
  const secrets = requireSecrets(options.secret);
  const store = requireStore(options.store ?? memoryStore());
  requireHandlers(on, onEvent);
  const maxBodyBytes = positive('maxBodyBytes', options.maxBodyBytes, defaults.maxBodyBytes);
  const answerWithinMs = positive('answerWithinMs', options.answerWithinMs, defaults.answerWithinMs);
  if (answerWithinMs > serviceWaitsMs) throw new TypeError(`answerWithinMs must be at most ${serviceWaitsMs}: the service waits no longer`);
  const leaseMs = positive('leaseMs', options.leaseMs, defaults.leaseMs);
  if (leaseMs < answerWithinMs) throw new TypeError(`leaseMs must be at least answerWithinMs (${answerWithinMs}): after it another call may process the same event`);

  const handlerOf = ({ type }: Event): AnyHandler['handle'] | undefined => (Object.hasOwn(on, type) ? on[type] : undefined) ?? onEvent ?? (type === 'ping' ? ignorePing : undefined);

  const attempt = async (event: Event, call: () => unknown): Promise<void> => {
    try {
      await call();
    } catch (error) {
      onError(error, event);
    }
  };

  /** Processes a claimed event; its claim ends with it. */
  const process = async (event: Event, token: string, handle: AnyHandler['handle']): Promise<WebhookResponse> => {
    try {
      await handle(event);
    } catch (error) {
      onError(error, event);
      // A claim that stays ends with its lease.
      await attempt(event, () => store.release(event.id, token));
      return refuse(500, 'handler_failed', 'The event could not be processed; send it again.');
    }
    // The event was processed: to have it sent again because its record is missing would process it twice.
    await attempt(event, () => store.complete(event.id));
    return done;
  };

  const receive = async (event: Event, handle: AnyHandler['handle']): Promise<WebhookResponse> => {
    const token = randomUUID();
    let claim;
    try {
      claim = await store.claim(event.id, token, leaseMs);
    } catch (error) {
      onError(error, event);
      return refuse(503, 'store_unavailable', 'Whether the event was processed is not known; send it again.', retryAfter);
    }
    if (claim === 'processed') return done;
    if (claim === 'processing') return refuse(503, 'in_progress', 'The event is being processed; send it again.', retryAfter);
    return process(event, token, handle);
  };

  /** Returns the event; throws where there is none to process. */
  const readEvent = async ({ headers, readBody }: WebhookRequest): Promise<Event> => {
    requireSignature(headers, secrets);
    return verifyWebhook(await readBody(maxBodyBytes), headers, secrets);
  };

  const errorResponseOf = (error: unknown): WebhookResponse => {
    if (error instanceof WebhookVerificationError) return refuse(error.reason === 'body_invalid' ? 400 : 401, error.reason, error.message);
    // The rest of the body stays unread, so nothing that comes over the connection afterwards would be answered.
    if (error instanceof WebhookBodyError && error.reason === 'body_too_large') return refuse(413, error.reason, error.message, { connection: 'close' });
    // The connection broke off.
    if (!(error instanceof WebhookBodyError)) return refuse(400, 'body_unreadable', 'The body could not be read to its end.');
    onError(error, undefined);
    return refuse(500, error.reason, error.message);
  };

  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'method_not_allowed', 'Webhooks are posted.', { allow: 'POST' });
    let event;
    try {
      event = await readEvent(request);
    } catch (error) {
      return errorResponseOf(error);
    }
    const handle = handlerOf(event);
    if (handle === undefined) return done;
    const late = refuse(503, 'in_progress', 'The event is still being processed; send it again.', retryAfter);
    return within(receive(event, handle), answerWithinMs, late);
  };
}
