import type { DataOf, InputOf, Method, PathOf } from '../clients/typescript/src/operations';
import { toEntries } from '../clients/typescript/src/request';
import { fillPath } from '../clients/typescript/src/requestUrl';
import type { Call, CallOptions, HttpMethod, Query } from './call';
import { CliError } from './errors';

const toQuery = (fields: unknown): Query => Object.fromEntries(toEntries(fields).map(([name, value]) => [name, typeof value === 'string' || typeof value === 'number' ? value : undefined]));

/** The public API as commands call it: its operations with their types, as the typed client has them. */
export class PublicApi {
  readonly #call: Call;
  #isAheadKnown = false;

  constructor(
    call: Call,
    /** Its address; ends with /v1. */
    readonly url: string,
    /** Whether the key is one of a sandbox. */
    readonly isTest: boolean,
  ) {
    this.#call = call;
  }

  /** Returns `data`; throws a CliError if the service refuses or does not respond. */
  async call<M extends Method, P extends PathOf<M>>(method: M, path: P, ...input: InputOf<M, P>): Promise<DataOf<M, P>>;
  async call(method: Method, path: string, { path: values, query, body }: { path?: unknown; query?: unknown; body?: unknown } = {}): Promise<unknown> {
    return this.#call(method, fillPath(path, values), { query: toQuery(query), body });
  }

  /** The same for a path that is filled already, without its types. */
  callPath(method: HttpMethod, path: string, sent?: CallOptions): Promise<unknown> {
    return this.#call(method, path, sent);
  }

  /**
   * Returns the time of the service: of the sandbox for its keys, unless they must not read it; otherwise to the second. `onAhead` is
   * called, once, if the clock of the sandbox was moved.
   */
  async now(onAhead?: (now: Date, aheadMs: number) => void): Promise<Date> {
    if (this.isTest) {
      try {
        const clock = await this.call('GET', '/sandbox/clock');
        const now = new Date(clock.now);
        if (clock.offset_seconds > 0 && !this.#isAheadKnown) onAhead?.(now, clock.offset_seconds * 1_000);
        this.#isAheadKnown = true;
        return now;
      } catch (error) {
        if (!(error instanceof CliError) || error.details.code !== 'insufficient_scope') throw error;
      }
    }
    let now = new Date();
    await this.#call('GET', '/me', { onHeaders: (headers) => (now = new Date(headers.get('date') ?? now)) });
    return now;
  }
}
