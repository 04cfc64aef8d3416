import { setTimeout as sleep } from 'node:timers/promises';
import { send, type ApiRequest } from '../clients/typescript/src/request';
import { parseBody, parseData, parseError } from '../clients/typescript/src/response';
import { sendWithRetries, type AttemptResult, type RawResponse } from '../clients/typescript/src/retries';
import { cutOffSentence } from '../lib/typeId';
import type { Connection } from './connection';
import { CliError, InterruptedError, unreachableError } from './errors';
import { getField } from './fields';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Query = Record<string, string | number | undefined>;

/** What is sent along with a call. */
export interface CallOptions {
  query?: Query;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Gets the headers of the response that stands. */
  onHeaders?: (headers: Headers) => void;
}

/** Returns `data`; throws a CliError if the service refuses or does not respond. `path` comes after the connection's URL. */
export type Call = (method: HttpMethod, path: string, sent?: CallOptions) => Promise<unknown>;

/** How long calls go on. */
export interface CallLimits {
  /** How long a call may take, in ms, with the waits that the service asks for. */
  timeoutMs: number;
  /** Ends a call that is under way; its reason is an InterruptedError. */
  signal: AbortSignal;
  /** Writes a line for people: what a long wait is for. */
  note?: (line: string) => void;
}

/** A path whose values are encoded: path`/institutions/${id}`. */
export const path = (texts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));

/** Failures to connect: the service has received nothing. */
const connectionErrorMessages: Record<string, string> = {
  ECONNREFUSED: 'refuses connections; is it running?',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'has no address',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'takes no connections',
};

const outcomeUnknownMessage = 'whether it was done is not known: look before doing it again';

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

export function toUnreachableError(error: unknown, { origin }: URL, method: string, { timeoutMs }: CallLimits): CliError {
  const code = getField(error, 'cause.code');
  const message = typeof code === 'string' ? connectionErrorMessages[code] : undefined;
  if (message !== undefined) return unreachableError(`${origin} ${message}`, error);
  const reason = isTimeout(error) ? `did not answer within ${timeoutMs / 1000} s` : 'broke the connection off';
  return unreachableError(`${origin} ${reason}${method === 'GET' ? '' : `; ${outcomeUnknownMessage}`}`, error);
}

/** Says of what was not found that its id is not a whole one; undefined of any other error. */
function cutOffIn({ pathname, searchParams }: URL, code: string): string | undefined {
  if (code !== 'not_found') return undefined;
  const filters = [...searchParams].filter(([name]) => name.endsWith('_id')).map(([, value]) => value);
  return cutOffSentence([...pathname.split('/').map((part) => decodeURIComponent(part)), ...filters]);
}

/** Returns the error of a response that is no success; a response that is not the service's own counts as none. */
export function responseError(response: RawResponse, target: URL): CliError {
  const { origin } = target;
  const error = parseError(response, parseBody(response));
  if (error?.message === undefined) return unreachableError(`${origin} answered ${response.status}, but not as the API does`);
  const { code, message, requestId, issues, details: fields } = error;
  const cutOff = cutOffIn(target, code);
  return new CliError(cutOff === undefined || message.includes(cutOff) ? message : `${message} ${cutOff}`, { kind: 'refused', code, requestId: requestId ?? undefined, issues, fields });
}

const minRetryWaitMs = 1_000;

/** A wait of this length is announced. */
const announcedWaitMs = 3_000;

/** Errors that the service raises before it does anything. */
const retryableErrorCodes = new Set(['rate_limited', 'rate_limiter_unavailable']);

/** How long to wait before the same call is sent again, in ms; undefined if it must not be, or the service asks for no wait. */
function retryWaitMs({ status, headers }: RawResponse, method: string, { details }: CliError): number | undefined {
  const seconds = headers.get('retry-after');
  if ((status !== 429 && status !== 503) || seconds === null || !/^\d+$/.test(seconds)) return undefined;
  const isSafeToRetry = method === 'GET' || (details.kind === 'refused' && retryableErrorCodes.has(details.code));
  return isSafeToRetry ? Math.max(Number(seconds) * 1_000, minRetryWaitMs) : undefined;
}

/** Returns the last response of a call. A read that times out later has only been refused; a write that was sent again may have been done. */
function lastResponse(result: AttemptResult, isRead: boolean): RawResponse | undefined {
  if ('reply' in result) return result.reply;
  return isRead && isTimeout(result.failure) ? result.earlier : undefined;
}

/** Returns calls of one service by the typed client's own fetch. The token goes into a header and nowhere else. */
export function createCall({ url, token }: Connection, limits: CallLimits): Call {
  const { timeoutMs, signal, note } = limits;
  const announced = (waitMs: number | undefined): number | undefined => {
    if (waitMs !== undefined && waitMs >= announcedWaitMs && waitMs < timeoutMs) note?.(`Waits for ${Math.ceil(waitMs / 1_000)} s, as the service asks.`);
    return waitMs;
  };
  return async (method, path, { query = {}, body, headers = {}, onHeaders } = {}) => {
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(name, String(value));
    const request: ApiRequest = { method, url: target, token, body, headers };
    let isUnderWay = false;
    const result = await sendWithRetries({
      signal,
      delayMs: (attempt) => ('reply' in attempt ? announced(retryWaitMs(attempt.reply, method, responseError(attempt.reply, target))) : undefined),
      send: async (limit) => {
        isUnderWay = true;
        const response = await send(request, limit);
        isUnderWay = false;
        return response;
      },
    }, { tries: Infinity, answerWithinMs: timeoutMs, deadlineMs: timeoutMs }).catch((error: unknown) => {
      throw error instanceof InterruptedError && isUnderWay && method !== 'GET' ? error.withMessage(`Interrupted; ${outcomeUnknownMessage}.`) : error;
    });
    const response = lastResponse(result, method === 'GET');
    if (response === undefined) throw toUnreachableError('failure' in result ? result.failure : undefined, target, method, limits);
    onHeaders?.(response.headers);
    const success = parseData(response, parseBody(response));
    if (success === undefined) throw responseError(response, target);
    return success.data;
  };
}

/** Waits; an interruption ends the wait and is thrown. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
