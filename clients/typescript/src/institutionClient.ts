import { randomUUID } from 'node:crypto';
import { requestData, toEntries } from './request';
import { buildUrl, parseBaseUrl, type AnyInput } from './requestUrl';
import { parsePage } from './response';
import type { RetryOptions } from './retries';
import type { DataOf, InputOf, ItemOf, Method, PagedPath, PathOf } from './operations';
import { verifyWebhook } from './webhooks/verifyWebhook';
import { webhookHandler } from './webhooks/webhookHandler';

/** The API, the key, and the limits of a call. */
export interface ClientOptions extends Partial<RetryOptions> {
  /** Ends with `/v1`: `https://api.example.org/v1`. */
  baseUrl: string;
  /** `svc_live_…`, or the test key of a sandbox, `svc_test_…`. */
  apiKey: string;
}

/** What is asked of the event feed: `since`, `type`, `limit`. */
export type EventQuery = NonNullable<NonNullable<InputOf<'GET', '/events'>[0]>['query']>;

const defaultRetryOptions: RetryOptions = { tries: 5, answerWithinMs: 60_000, deadlineMs: 120_000 };
const maxPageSize = 200;

/**
 * A client of the Institution API, for servers: a key does not belong in a browser.
 *
 * Every call answers the operation's `data`, or raises InstitutionError. It waits where the API asks for it (429 and
 * 503, as `Retry-After` says), and where no answer came (a broken connection, 500, 502, 503, 504) it is sent again: every
 * write carries an `Idempotency-Key`, so that it is done once. Give `idempotencyKey` to repeat a call after a restart of
 * your own. `tries` (5) and `deadlineMs` (two minutes) bound all of that.
 */
export class InstitutionClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #retryOptions: RetryOptions;

  /** The event feed: one answer of it, or one after the other. */
  readonly events = {
    list: (query: EventQuery = {}, { signal }: { signal?: AbortSignal } = {}): Promise<DataOf<'GET', '/events'>> =>
      this.call('GET', '/events', { query, ...(signal === undefined ? {} : { signal }) }),
    feed: (query: EventQuery = {}, options: { signal?: AbortSignal } = {}): AsyncGenerator<DataOf<'GET', '/events'>> => this.feed(query, options),
  };

  /** What receives webhooks; it needs no API key, so that `webhookHandler` and `verifyWebhook` are exported, too. */
  readonly webhooks = { handler: webhookHandler, verify: verifyWebhook };

  constructor({ baseUrl, apiKey, ...given }: ClientOptions) {
    // Undefined, too: as a program in JavaScript gives it from an unset variable.
    if (!apiKey) throw new TypeError('apiKey is empty: it must be an API key of the institution (svc_live_… or svc_test_…)');
    this.#baseUrl = parseBaseUrl(baseUrl);
    this.#apiKey = apiKey;
    this.#retryOptions = { ...defaultRetryOptions, ...given };
  }

  /** Calls an operation by its method and its path as the document spells it: `call('GET', '/students/{id}', { path: { id } })`. */
  async call<M extends Method, P extends PathOf<M>>(method: M, path: P, ...input: InputOf<M, P>): Promise<DataOf<M, P>>;
  async call(method: Method, path: string, input: AnyInput = {}): Promise<unknown> {
    return this.#request(method, path, input);
  }

  /**
   * Yields every item of a list, 200 per call by default: each item that is there throughout appears exactly once, regardless of
   * what is created, changed or deleted in the meantime. `cursor` (the `next_cursor` of a call) or `page` in the query is where
   * to begin.
   */
  paginate<P extends PagedPath>(path: P, ...input: InputOf<'GET', P>): AsyncGenerator<ItemOf<P>>;
  async *paginate(path: string, input: AnyInput = {}): AsyncGenerator {
    const { page, cursor = '', ...query } = Object.fromEntries(toEntries(input.query));
    for (let part: Record<string, unknown> = page === undefined ? { cursor } : { page }; ; ) {
      const { items, next_cursor } = parsePage(await this.#request('GET', path, { ...input, query: { limit: maxPageSize, ...query, ...part } }));
      yield* items;
      if (next_cursor === null) return;
      part = { cursor: next_cursor };
    }
  }

  /**
   * The event feed from `since` on (from the oldest event that is kept without it), answer after answer, up to what has
   * happened by now. Process the `items`, then store `next_since`: it is where to go on. It ends with `signal`, as a call
   * does.
   */
  async *feed(query: EventQuery = {}, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<DataOf<'GET', '/events'>> {
    for (let { since } = query; ; ) {
      const step = await this.events.list({ limit: maxPageSize, ...query, ...(since === undefined ? {} : { since }) }, signal === undefined ? {} : { signal });
      yield step;
      if (!step.has_more || step.next_since === null) return;
      since = step.next_since;
    }
  }

  async #request(method: Method, path: string, input: AnyInput): Promise<unknown> {
    const url = buildUrl(this.#baseUrl, path, input);
    const { body, form, signal, idempotencyKey = randomUUID() } = input;
    const key = method === 'GET' ? {} : { idempotencyKey };
    return requestData(`${method} ${path}`, { method, url, token: this.#apiKey, body, form, ...key }, { ...this.#retryOptions, signal });
  }
}
