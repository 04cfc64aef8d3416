import type { AttemptResult, RawResponse } from './retries';
import { InstitutionError } from './institutionError';
import type { Issue } from './openapi';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isIssue = (value: unknown): value is Issue => isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isJson = ({ headers }: RawResponse): boolean => headers.get('content-type')?.startsWith('application/json') === true;

function responseError(call: string, { status, headers }: RawResponse, body: unknown): InstitutionError {
  const requestId = headers.get('x-request-id');
  if (!isObject(body) || typeof body.error !== 'string') {
    return new InstitutionError(`${call} answered ${status}, and not as the API does`, { status, code: 'unexpected_answer', issues: [], requestId });
  }
  const { error: code, message = '', issues } = body;
  return new InstitutionError(`${call} answered ${status} ${code}: ${String(message)}`, {
    status, code, issues: Array.isArray(issues) ? issues.filter(isIssue) : [], requestId,
  });
}

/** What a call answered: `data` of a JSON answer, the text of a file. Raises InstitutionError for everything else. */
export function unwrapData(call: string, result: AttemptResult): unknown {
  if (!('reply' in result)) {
    throw new InstitutionError(`${call} got no answer`, { status: 0, code: 'no_answer', issues: [], requestId: null }, { cause: result.failure });
  }
  const { reply } = result;
  const ok = reply.status === 200;
  if (ok && !isJson(reply)) return reply.text;
  const body = isJson(reply) ? readJson(reply.text) : undefined;
  if (ok && isObject(body) && body.success === true) return body.data;
  throw responseError(call, reply, body);
}

/** A page of a list, as far as paging goes. */
export function parsePage(data: unknown): { items: readonly unknown[]; has_more: boolean } {
  if (!isObject(data) || !Array.isArray(data.items)) throw new TypeError('This is not a page of a list');
  return { items: data.items, has_more: data.has_more === true };
}
