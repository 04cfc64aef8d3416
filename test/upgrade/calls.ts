import { randomUUID } from 'node:crypto';
import { send, type ApiRequest } from '../../clients/typescript/src/request';
import { unwrapData } from '../../clients/typescript/src/response';
import { defaultDelayMs, retryAfterMs, sendWithRetries, type RawResponse } from '../../clients/typescript/src/retries';

/** One request and its answer; a call that is repeated is several of them. */
export interface Try {
  operation: string;
  phase: string;
  ms: number;
  /** 0 if no answer came. */
  status: number;
  /** Whether the answer said when to come back: a 429 or 503 that asks to come back, and has done nothing. */
  asksToRetry: boolean;
  /** When it was sent. */
  at: number;
}

/** A call that did not succeed in the end. */
export interface FailedCall {
  operation: string;
  phase: string;
  /** When it was begun, in ms since 1970. */
  at: number;
  message: string;
}

/** Who calls: with a key, a session or the platform's token, or without any. */
export interface CallOptions {
  token?: string | undefined;
  body?: object;
  headers?: Readonly<Record<string, string>>;
}

const tries = 30;
const answerWithinMs = 60_000;
const deadlineMs = 120_000;

/** Makes calls as a client does, which repeats them on 429 and 503, and records every request. */
export class Caller {
  readonly tries: Try[] = [];
  readonly failed: FailedCall[] = [];
  /** What is being done to the service. */
  phase = 'setting up';

  /** `repeats`: which calls are sent again after an answer that says nothing of what was done: a key lets a POST be repeated too. */
  constructor(private readonly repeats: 'all' | 'idempotent' = 'idempotent') {}

  /** Makes a call by its method and address; its name has no ids. The caller states the type of its data. */
  async call<Data>(operation: string, method: string, url: string, { token, body, headers = {} }: CallOptions = {}): Promise<Data> {
    const { phase } = this;
    const at = Date.now();
    const idempotencyKey = method === 'POST' ? randomUUID() : undefined;
    const request: ApiRequest = { method, url, token, headers, idempotencyKey, ...(body === undefined ? {} : { body }) };
    const isRepeatable = this.repeats === 'all' || method !== 'POST';
    const result = await sendWithRetries(
      { delayMs: defaultDelayMs(isRepeatable), signal: undefined, send: (signal) => this.record(operation, request, signal) },
      { tries, answerWithinMs, deadlineMs },
    );
    try {
      return unwrapData(operation, result) as Data;
    } catch (error) {
      this.failed.push({ operation, phase, at, message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  private async record(operation: string, request: ApiRequest, signal: AbortSignal): Promise<RawResponse> {
    const { phase } = this;
    const begun = performance.now();
    const at = Date.now();
    const add = (status: number, asksToRetry: boolean): void => {
      this.tries.push({ operation, phase, ms: performance.now() - begun, status, asksToRetry, at });
    };
    try {
      const reply = await send(request, signal);
      add(reply.status, (reply.status === 429 || reply.status === 503) && retryAfterMs(reply) !== undefined);
      return reply;
    } catch (error) {
      add(0, false);
      throw error;
    }
  }
}
