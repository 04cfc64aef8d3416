/** What a request is sent with, as `fetch` takes it. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** JSON, or the form of an upload. */
  body?: string | FormData;
  /** Ends the request: at the time that a try may take, or with the caller's signal. */
  signal: AbortSignal;
  redirect: 'manual';
}

/** What the client reads of an answer; a `Response` has it. */
export interface FetchAnswer {
  status: number;
  headers: { forEach(callback: (value: string, name: string) => void): void };
  text(): Promise<string>;
}

/** A function that sends a request as `fetch` does. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** Returns the function; throws a TypeError for what is none, as a program in JavaScript may give it. */
export function requireFetch(given: Fetch): Fetch {
  if (typeof given !== 'function') throw new TypeError('fetch must be a function');
  return given;
}
