import { randomUUID } from 'node:crypto';
import { observerOf, requireHooks, type CallHooks } from './callHooks';
import { parseApiKey, parseBaseUrl, parseIdempotencyKey, parseRetryOptions, requireKnownOptions, type ClientOptions } from './clientOptions';
import { requireFetch, type Fetch } from './fetch';
import { requestData, toEntries } from './request';
import { buildUrl, fillPath, requireCall, type AnyInput } from './requestUrl';
import { parsePage } from './response';
import type { RetryOptions } from './retries';
import type { DataOf, InputOf, ItemOf, ListInputOf, Method, PagedPath, PathOf } from './operations';
import { verifyWebhook } from './webhooks/verifyWebhook';
import { webhookHandler } from './webhooks/webhookHandler';

/** What is asked of the event feed: `since`, `type`, `limit`. */
export type EventQuery = NonNullable<NonNullable<InputOf<'GET', '/events'>[0]>['query']>;

/** The same with a `since` of null, which `next_since` is where no event was there and none was passed: the feed from its beginning. */
export type FeedQuery = Omit<EventQuery, 'since'> & { since?: string | null | undefined };

/** What ends a call early. */
interface Ending {
  signal?: AbortSignal | undefined;
}

const endingNames: readonly (keyof Ending)[] = ['signal'];
const maxPageSize = 200;
const optionNames: readonly (keyof ClientOptions)[] = ['baseUrl', 'apiKey', 'allowHttp', 'fetch', 'onRetry', 'onAnswer', 'tries', 'answerWithinMs', 'deadlineMs'];

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
  readonly #fetch: Fetch | undefined;
  readonly #hooks: CallHooks;

  /** The event feed: one answer of it, or one after the other. */
  readonly events = {
    list: async ({ since, ...query }: FeedQuery = {}, options: Ending = {}): Promise<DataOf<'GET', '/events'>> => {
      requireKnownOptions('events.list', options, endingNames);
      return this.call('GET', '/events', { query: { ...query, since: since ?? undefined }, signal: options.signal });
    },
    feed: (query: FeedQuery = {}, options: Ending = {}): AsyncGenerator<DataOf<'GET', '/events'>> => this.feed(query, options),
  };

  /** What receives webhooks; it needs no API key, so that `webhookHandler` and `verifyWebhook` are exported, too. */
  readonly webhooks = { handler: webhookHandler, verify: verifyWebhook };

  constructor(options: ClientOptions) {
    requireKnownOptions('InstitutionClient', options, optionNames);
    const { baseUrl, apiKey, allowHttp, fetch, onRetry, onAnswer, ...given } = options;
    this.#baseUrl = parseBaseUrl(baseUrl, allowHttp);
    this.#apiKey = parseApiKey(apiKey);
    this.#retryOptions = parseRetryOptions(given);
    this.#hooks = requireHooks({ onRetry, onAnswer });
    this.#fetch = fetch === undefined ? undefined : requireFetch(fetch);
  }

  /** Calls an operation by its method and its path as the document spells it: `call('GET', '/students/{id}', { path: { id } })`. */
  async call<M extends Method, P extends PathOf<M>>(method: M, path: P, ...input: InputOf<M, P>): Promise<DataOf<M, P>>;
  async call(method: Method, path: string, input: AnyInput = {}): Promise<unknown> {
    return this.#request(method, path, input);
  }

  /**
   * Yields every item of a list, 200 per call by default: each item that is there throughout appears exactly once, regardless of
   * what is created, changed or deleted in the meantime. It begins at the beginning: throws a TypeError where `page` or `cursor` is
   * given, which would leave out what comes before.
   */
  paginate<P extends PagedPath>(path: P, ...input: ListInputOf<P>): AsyncGenerator<ItemOf<P>>;
  async *paginate(path: string, input: AnyInput = {}): AsyncGenerator {
    const { page, cursor: begin, limit = maxPageSize, ...query } = Object.fromEntries(toEntries(input.query));
    if (page !== undefined || begin !== undefined) throw new TypeError('paginate walks the whole list: page and cursor are for call');
    for (let cursor = ''; ; ) {
      const { items, next_cursor } = parsePage(await this.#request('GET', path, { ...input, query: { limit, ...query, cursor } }));
      yield* items;
      if (next_cursor === null) return;
      cursor = next_cursor;
    }
  }

  /**
   * The event feed from `since` on (from the oldest event that is kept without it), answer after answer, up to what has
   * happened by now. Process the `items`, then store `next_since`: it is where to go on. It ends with `signal`, as a call
   * does.
   */
  async *feed({ since: begin, limit = maxPageSize, ...query }: FeedQuery = {}, options: Ending = {}): AsyncGenerator<DataOf<'GET', '/events'>> {
    requireKnownOptions('feed', options, endingNames);
    for (let since = begin; ; ) {
      const step = await this.events.list({ limit, ...query, since }, { signal: options.signal });
      yield step;
      if (!step.has_more || step.next_since === null) return;
      since = step.next_since;
    }
  }

  async #request(method: Method, path: string, input: AnyInput): Promise<unknown> {
    requireCall(method, path, input);
    const url = buildUrl(this.#baseUrl, path, input);
    const { body, form, signal, idempotencyKey = randomUUID() } = input;
    const key = method === 'GET' ? {} : { idempotencyKey: parseIdempotencyKey(idempotencyKey) };
    const asked = `${method} ${decodeURIComponent(fillPath(path, input.path))}`;
    const options = { ...this.#retryOptions, signal, fetch: this.#fetch, observer: observerOf(method, path, this.#hooks), asked };
    return requestData(`${method} ${path}`, { method, url, token: this.#apiKey, body, form, ...key }, options);
  }
}
