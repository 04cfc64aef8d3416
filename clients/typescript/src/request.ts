import type { Fetch } from './fetch';
import { unwrapData } from './response';
import { defaultDelayMs, sendWithRetries, type RawResponse, type RetriedCall, type RetryOptions } from './retries';

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
  /** The fields of a multipart form, in place of `body`; a file is a `File` or `Blob`. */
  form?: unknown;
}

/** How a request is sent: how often, how long, and until when. */
export interface SendOptions extends RetryOptions {
  signal?: AbortSignal | undefined;
  /** Sends the requests in place of the `fetch` of Node. */
  fetch?: Fetch | undefined;
  observer?: RetriedCall['observer'];
  /** What a 404 calls the request, with the values of its path: a loop then knows which of them is missing. */
  asked?: string | undefined;
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

/** What a request carries: the same at each try. */
interface Content {
  headers: Record<string, string>;
  body?: string | FormData;
}

const isFile = (value: unknown): boolean => value instanceof FormData || value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value);

/** Returns a body as JSON; throws a TypeError for one that JSON cannot hold. */
function toJson(body: unknown): string {
  if (isFile(body)) throw new TypeError("body is sent as JSON: a file goes into form, as in { form: { file: new File([bytes], 'tests.zip') } }");
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new TypeError(`body cannot be sent as JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function toContent({ body, form }: ApiRequest): Content {
  if (isFile(form)) throw new TypeError("form takes its fields, as in { file: new File([bytes], 'tests.zip') }");
  if (form !== undefined) return { headers: {}, body: toFormData(form) };
  return body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body: toJson(body) };
}

async function sendContent(request: ApiRequest, { headers, body }: Content, signal: AbortSignal, sendBy: Fetch = fetch): Promise<RawResponse> {
  const authorization = request.token === undefined ? {} : { authorization: `Bearer ${request.token}` };
  const key = request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey };
  const response = await sendBy(String(request.url), {
    method: request.method, headers: { ...headers, ...request.headers, ...key, ...authorization }, signal, redirect: 'manual', ...(body === undefined ? {} : { body }),
  });
  const answered = new Headers();
  response.headers.forEach((value, name) => answered.append(name, value));
  return { status: response.status, headers: answered, text: await response.text() };
}

/** Sends a request once and reads the response to its end. It follows no redirect: that would make a GET of a POST, and take the token elsewhere. */
export const send = async (request: ApiRequest, signal: AbortSignal): Promise<RawResponse> => sendContent(request, toContent(request), signal);

/** Whether a body names its operation by a `ref`, which makes repeated calls idempotent. */
const hasRef = (body: unknown): boolean => typeof body === 'object' && body !== null && 'ref' in body && typeof body.ref === 'string' && body.ref !== '';

/**
 * Sends a request until its response stands, and returns its `data`. It waits on 429 and 503, and repeats reads, and writes
 * with an idempotency key or a `ref`, where no response came. Throws InstitutionError, whose message calls the request by `name`, and
 * a TypeError for what cannot be sent: every try would fail on it as if an answer were lost.
 */
export async function requestData(name: string, request: ApiRequest, { signal, asked, observer, fetch: sendBy, ...options }: SendOptions): Promise<unknown> {
  const content = toContent(request);
  const delayMs = defaultDelayMs(request.method === 'GET' || request.idempotencyKey !== undefined || hasRef(request.body));
  return unwrapData(name, await sendWithRetries({ delayMs, signal, observer, send: (limit) => sendContent(request, content, limit, sendBy) }, options), { asked, origin: new URL(request.url).origin, idempotencyKey: request.idempotencyKey });
}
