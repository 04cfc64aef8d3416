import type { Dispatcher } from 'undici';
import type { WebhookPost } from '../../domain/context';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import { responseText, headerText } from './responseText';
import { AttemptFailure, errorCode, isClosedByPeer, toExchangeFailure } from './attemptFailure';
import type { Connection } from './connection';
import type { ConnectionPool } from './connectionPool';

/** A webhook to post once. */
export interface WebhookRequest extends WebhookPost {
  /** Ends the attempt early; `post` then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** What the span of the request says about it, if its trace is recorded. */
  spanAttributes?: Record<string, string | number>;
}

export interface Settle {
  resolve(outcome: AttemptOutcome): void;
  reject(reason: unknown): void;
}

/** Maximum number of bytes read of a response, including headers and framing; then the connection is closed. */
const maxResponseBytes = 65_536;
const maxStoredBytes = 4_096;

/** One request and its response, from waiting for a connection to the last byte, with one deadline. */
export class Exchange {
  private readonly startedAt = performance.now();
  private readonly deadline: NodeJS.Timeout;
  private readonly onAbort: (() => void) | null;
  /** The connection in use; events of earlier ones are ignored. */
  private connection: Connection | null = null;
  private stopWaiting: (() => void) | null = null;
  private connectMs: number | null = null;
  private resent = false;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private abortHeader: string | null = null;
  private readonly bodyChunks: Buffer[] = [];
  private bodyLength = 0;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly url: URL,
    private readonly request: WebhookRequest,
    private readonly timeoutMs: number,
    private readonly settle: Settle,
  ) {
    this.deadline = setTimeout(() => this.handleTimeout(), timeoutMs);
    const { signal } = request;
    this.onAbort = signal === undefined ? null : () => this.abort(signal.reason);
    if (this.onAbort !== null) signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  start(): void {
    this.stopWaiting = this.pool.acquire(this.url, (connection) => {
      this.connection = connection;
      connection.begin(maxResponseBytes, () => this.handleOversizedResponse(connection));
      const { headers, body } = this.request;
      connection.client.dispatch({ method: 'POST', path: this.url.pathname + this.url.search, headers, body }, this.responseHandler(connection));
    });
  }

  private responseHandler(connection: Connection): Dispatcher.DispatchHandler {
    return {
      // Empty, but undici selects the kind of handler by its presence.
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, headers) => {
        // Statuses below 200 are interim responses.
        if (this.connection !== connection || status < 200) return;
        this.status = status;
        this.retryAfter = headerText(headers['retry-after']);
        this.abortHeader = headerText(headers['webhook-abort']);
      },
      onResponseData: (_controller, chunk) => {
        if (this.connection !== connection || this.bodyLength >= maxStoredBytes) return;
        this.bodyChunks.push(chunk);
        this.bodyLength += chunk.length;
      },
      onResponseEnd: () => {
        if (this.connection !== connection) return;
        this.detach(connection);
        this.classifyResponse();
        this.pool.release(connection);
      },
      onResponseError: (_controller, error) => this.handleConnectionError(connection, error),
    };
  }

  private handleConnectionError(connection: Connection, error: Error): void {
    if (this.connection !== connection) return;
    if (isInvalidRequest(error)) { this.abort(error); return; }
    if (!this.resent && isStaleConnection(connection, error)) { this.resend(); return; }
    this.dropConnection();
    const failure = toExchangeFailure(error);
    if (this.status === null || failure.errorClass === 'http') this.finish(failure);
    else this.classifyResponse();
  }

  /**
   * Once, on a new connection, within the same deadline. The receiver may have processed the first request; it deduplicates
   * by the event's id.
   */
  private resend(): void {
    this.resent = true;
    this.pool.closeIdle(this.url.origin);
    this.dropConnection();
    this.start();
  }

  private handleOversizedResponse(connection: Connection): void {
    if (this.connection !== connection) return;
    this.dropConnection();
    if (this.status === null) this.finish(new AttemptFailure('http', 'The headers of the answer were too large'));
    else this.classifyResponse();
  }

  private handleTimeout(): void {
    const message = `${this.timeoutMessage()} within ${this.timeoutMs / 1_000} s`;
    this.dropConnection();
    this.finish(new AttemptFailure('timeout', message));
  }

  private timeoutMessage(): string {
    if (this.status !== null) return 'The answer was not complete';
    return this.connection?.isOpen === true ? 'There was no answer' : 'No connection could be made';
  }

  private abort(reason: unknown): void {
    this.dropConnection();
    this.end();
    this.settle.reject(reason);
  }

  /** The response has arrived as far as it is read: only its status matters. */
  private classifyResponse(): void {
    const status = this.status ?? 0;
    if (status >= 200 && status < 300) { this.finish(null); return; }
    const message = status >= 300 && status < 400 ? `The receiver redirected (${status}), which is not followed` : `The receiver answered ${status}`;
    const abort = this.abortHeader?.trim().toLowerCase() === 'true';
    this.finish(new AttemptFailure('http', abort ? `${message}, and asked for no further attempts (Webhook-Abort)` : message), { abort });
  }

  private finish(failure: AttemptFailure | null, { abort = false } = {}): void {
    this.end();
    this.settle.resolve({
      ok: failure === null,
      responseCode: this.status,
      errorClass: failure?.errorClass ?? null,
      error: failure?.message ?? null,
      durationMs: performance.now() - this.startedAt,
      connectMs: this.connectMs,
      responseBody: responseText(this.bodyChunks),
      retryAfter: this.retryAfter,
      abort,
      resent: this.resent,
    });
  }

  private end(): void {
    clearTimeout(this.deadline);
    this.stopWaiting?.();
    if (this.onAbort !== null) this.request.signal?.removeEventListener('abort', this.onAbort);
  }

  private detach(connection: Connection): void {
    this.connectMs = connection.connectMs;
    connection.end();
    this.connection = null;
  }

  private dropConnection(): void {
    const { connection } = this;
    if (connection === null) return;
    this.detach(connection);
    this.pool.discard(connection, this.url);
  }
}

/** The receiver closed a kept-alive connection while the request was being sent, before any response. */
function isStaleConnection(connection: Connection, error: Error): boolean {
  return connection.connectMs === null && !connection.hasReceived && isClosedByPeer(error);
}

/** The request itself is invalid: an error of the caller, not of the receiver. */
function isInvalidRequest(error: Error): boolean {
  return errorCode(error) === 'UND_ERR_INVALID_ARG';
}
