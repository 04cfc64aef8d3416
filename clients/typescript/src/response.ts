import { retryAfterMs, type CallResult, type RawResponse } from './retries';
import { InstitutionError, type ExistingStudent } from './institutionError';
import type { Issue } from './openapi';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isStudent = (value: unknown): value is ExistingStudent => isObject(value) && typeof value.id === 'string' && typeof value.login_email === 'string';
const stringsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
const isIssue = (value: unknown): value is Issue => isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasType = ({ headers }: RawResponse, type: string): boolean => headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type;
const isJson = (reply: RawResponse): boolean => hasType(reply, 'application/json');

/** The one type of a file that the API answers; a page of HTML comes of something in between, such as a sign-in of the network. */
const fileType = 'text/csv';

/** What the API says when it refuses. */
export interface ApiError {
  code: string;
  /** Undefined if it is no text. */
  message: string | undefined;
  issues: readonly Issue[];
  /** What to quote to support. */
  requestId: string | null;
  /** The student who has a `student_id` that must be unique. */
  existing: ExistingStudent | null;
  /** The scopes that the operation requires. */
  required: readonly string[];
  /** The scopes that the key lacks. */
  missing: readonly string[];
  /** Identifiers that several students have. */
  studentIds: readonly string[];
  /** Every field besides those that all errors have. */
  details: Fields;
}

/** What every error has; the other fields are its details. */
const fieldsOfEveryError: ReadonlySet<string> = new Set(['success', 'error', 'message', 'issues']);

/** Returns the JSON of a response; undefined if it is none. */
export const parseBody = (reply: RawResponse): unknown => (isJson(reply) ? readJson(reply.text) : undefined);

/** Returns the `data` of a response that succeeded; undefined for any other response. */
export function parseData({ status }: RawResponse, body: unknown): { data: unknown } | undefined {
  return status === 200 && isObject(body) && body.success === true ? { data: body.data } : undefined;
}

/** Returns the error that a response holds; undefined if it is not a response of the API. */
export function parseError({ headers }: RawResponse, body: unknown): ApiError | undefined {
  if (!isObject(body) || typeof body.error !== 'string') return undefined;
  const { error: code, message, issues, existing, required, missing, student_ids } = body;
  return {
    code,
    message: typeof message === 'string' ? message : undefined,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    requestId: headers.get('x-request-id'),
    existing: isStudent(existing) ? { id: existing.id, login_email: existing.login_email } : null,
    required: stringsOf(required),
    missing: stringsOf(missing),
    studentIds: stringsOf(student_ids),
    details: Object.fromEntries(Object.entries(body).filter(([name]) => !fieldsOfEveryError.has(name))),
  };
}

const NOT_FOUND = 404;
const shownIssues = 5;

/** Returns what the API says; where it says how many more problems there are, up to five of them by name. */
function messageOf({ message = '', issues }: ApiError): string {
  const summary = ` (and ${issues.length - 1} more)`;
  if (issues.length < 2 || !message.endsWith(summary)) return message;
  const more = issues.length - shownIssues;
  const others = issues.slice(1, shownIssues).map((issue) => `${issue.path}: ${issue.message}`);
  return `${[message.slice(0, -summary.length), ...others].join('; ')}${more > 0 ? ` (and ${more} more)` : ''}`;
}

const notOurs = { issues: [], existing: null };

/** Returns what says who answered in place of the API: the host of a redirect, the type of the content. */
function answererOf({ headers }: RawResponse): string {
  const location = headers.get('location') ?? '';
  if (URL.canParse(location)) return `: a redirect to ${new URL(location).host}`;
  const type = headers.get('content-type')?.split(';')[0]?.trim();
  return type === undefined || type === '' ? '' : `: ${type}`;
}

/** Names the key of a write that may have been done: a log may have the message alone. */
const keyNote = (idempotencyKey: string | null): string => (idempotencyKey === null ? '' : `; its idempotencyKey is ${idempotencyKey}`);

function responseError(name: string, reply: RawResponse, body: unknown, idempotencyKey: string | null, spent: string): InstitutionError {
  const { status, headers } = reply;
  const waitMs = retryAfterMs(reply);
  const retryAfterSeconds = waitMs === undefined ? null : Math.ceil(waitMs / 1_000);
  const error = parseError(reply, body);
  const requestId = headers.get('x-request-id');
  const request = requestId === null ? '' : ` (${requestId})`;
  if (error === undefined) return new InstitutionError(`${name} answered ${status}${spent}, and not as the API does${answererOf(reply)}${keyNote(idempotencyKey)}${request}`, { status, code: 'unexpected_answer', requestId, retryAfterSeconds, idempotencyKey, ...notOurs });
  return new InstitutionError(`${name} answered ${status} ${error.code}${spent}: ${messageOf(error)}${request}`, { status, retryAfterSeconds, idempotencyKey, ...error });
}

/** The innermost cause of an error: `fetch` says there alone what went wrong. */
const causeOf = (error: unknown): unknown => (isObject(error) && isObject(error.cause) ? causeOf(error.cause) : error);

/** What OpenSSL says where the other side speaks no TLS. */
const noTls = /wrong.version.number|packet.length.too.long|record.layer.failure/i;

/** Why no answer came, as the end of a sentence; empty where nothing says it. */
function reasonOf(failure: unknown): string {
  const cause = causeOf(failure);
  // Any other error of `fetch` itself may quote a header, and so the key.
  if (!isObject(cause) || (cause === failure && cause.name !== 'TimeoutError')) return '';
  const reason = [cause.message, cause.code].find((text) => typeof text === 'string' && text !== '');
  if (typeof reason !== 'string') return '';
  return `: ${reason}${noTls.test(`${reason} ${String(cause.code)}`) ? ' (does it speak http?)' : ''}`;
}

/** What an error says of its call besides the name. */
interface CallDetails {
  /** What a 404 calls it. */
  asked?: string | undefined;
  /** The server that it was sent to. */
  origin?: string;
  /** The key of a write. */
  idempotencyKey?: string | undefined;
}

/** Returns what a call answered: `data` of JSON, the text of a file. Throws InstitutionError for everything else; its message calls the call by `name`. */
export function unwrapData(name: string, result: CallResult, { asked = name, origin, idempotencyKey: key }: CallDetails = {}): unknown {
  const idempotencyKey = key ?? null;
  const { spent = '' } = result;
  if (!('reply' in result)) {
    throw new InstitutionError(`${name} got no answer${origin === undefined ? '' : ` from ${origin}`}${spent}${reasonOf(result.failure)}${keyNote(idempotencyKey)}`, { status: 0, code: 'no_answer', requestId: null, idempotencyKey, ...notOurs }, { cause: result.failure });
  }
  const { reply } = result;
  if (reply.status === 200 && hasType(reply, fileType)) return reply.text;
  const body = parseBody(reply);
  const success = parseData(reply, body);
  if (success === undefined) throw responseError(reply.status === NOT_FOUND ? asked : name, reply, body, idempotencyKey, spent);
  return success.data;
}

/** A page of a list, as far as paging goes. */
export function parsePage(data: unknown): { items: readonly unknown[]; next_cursor: string | null } {
  if (!isObject(data) || !Array.isArray(data.items)) throw new TypeError('This answer has no items: read it with call, and cursor if it has a next_cursor');
  return { items: data.items, next_cursor: typeof data.next_cursor === 'string' ? data.next_cursor : null };
}
