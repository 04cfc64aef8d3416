import { unwrapData } from './response';
import { defaultDelayMs, sendWithRetries, type RawResponse, type RetryOptions } from './retries';

/** One HTTP request of an API. */
export interface ApiRequest {
  method: string;
  url: string | URL;
  /** Goes into `Authorization: Bearer …`; left out where it is undefined. */
  token: string | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Idempotency-Key`: the API does a call with it once, even if it is sent several times. */
  idempotencyKey?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** The fields of a multipart form, in place of `body`. */
  form?: unknown;
}

/** How a request is sent: how often, how long, and until when. */
export interface SendOptions extends RetryOptions {
  signal?: AbortSignal | undefined;
}

/** Returns the fields of an object; none for anything else. */
export const toEntries = (fields: unknown): [string, unknown][] => (typeof fields === 'object' && fields !== null ? Object.entries(fields) : []);

function toFormData(fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of toEntries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, String(value));
  }
  return form;
}

function toContent({ body, form }: ApiRequest): { headers: Record<string, string>; body?: string | FormData } {
  if (form !== undefined) return { headers: {}, body: toFormData(form) };
  return body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Sends a request once and reads the response to its end. It follows no redirect: that would make a GET of a POST, and take the token elsewhere. */
export async function send(request: ApiRequest, signal: AbortSignal): Promise<RawResponse> {
  const { headers, body } = toContent(request);
  const authorization = request.token === undefined ? {} : { authorization: `Bearer ${request.token}` };
  const key = request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey };
  const response = await fetch(request.url, {
    method: request.method, headers: { ...headers, ...request.headers, ...key, ...authorization }, signal, redirect: 'manual', ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Whether a body names its operation by a `ref`, which makes repeated calls idempotent. */
const hasRef = (body: unknown): boolean => typeof body === 'object' && body !== null && 'ref' in body && typeof body.ref === 'string' && body.ref !== '';

/** Throws a TypeError for a body that JSON cannot hold, which every try would fail on as if an answer were lost. */
function requireJson(body: unknown): void {
  try {
    JSON.stringify(body);
  } catch (error) {
    throw new TypeError(`body cannot be sent as JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * Sends a request until its response stands, and returns its `data`. It waits on 429 and 503, and repeats reads, and writes
 * with an idempotency key or a `ref`, where no response came. Throws InstitutionError, whose message calls the request by `name`.
 */
export async function requestData(name: string, request: ApiRequest, { signal, ...options }: SendOptions): Promise<unknown> {
  requireJson(request.body);
  const delayMs = defaultDelayMs(request.method === 'GET' || request.idempotencyKey !== undefined || hasRef(request.body));
  return unwrapData(name, await sendWithRetries({ delayMs, signal, send: (limit) => send(request, limit) }, options));
}
