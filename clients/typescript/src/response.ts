import type { Ended, Reply } from './retries';
import { InstitutionError } from './institutionError';
import type { Issue } from './openapi';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isIssue = (value: unknown): value is Issue => isFields(value) && typeof value.path === 'string' && typeof value.message === 'string';

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isJson = ({ headers }: Reply): boolean => headers.get('content-type')?.startsWith('application/json') === true;

function refused(what: string, { status, headers }: Reply, answer: unknown): InstitutionError {
  const requestId = headers.get('x-request-id');
  if (!isFields(answer) || typeof answer.error !== 'string') {
    return new InstitutionError(`${what} answered ${status}, and not as the API does`, { status, code: 'unexpected_answer', issues: [], requestId });
  }
  const { error: code, message = '', issues } = answer;
  return new InstitutionError(`${what} answered ${status} ${code}: ${String(message)}`, {
    status, code, issues: Array.isArray(issues) ? issues.filter(isIssue) : [], requestId,
  });
}

/** What a call answered: `data` of a JSON answer, the text of a file. Raises InstitutionError for everything else. */
export function dataOf(what: string, ended: Ended): unknown {
  if (!('reply' in ended)) {
    throw new InstitutionError(`${what} got no answer`, { status: 0, code: 'no_answer', issues: [], requestId: null }, { cause: ended.failure });
  }
  const { reply } = ended;
  const done = reply.status === 200;
  if (done && !isJson(reply)) return reply.text;
  const answer = isJson(reply) ? readJson(reply.text) : undefined;
  if (done && isFields(answer) && answer.success === true) return answer.data;
  throw refused(what, reply, answer);
}

/** A page of a list, as far as paging goes. */
export function pageOf(data: unknown): { items: readonly unknown[]; has_more: boolean } {
  if (!isFields(data) || !Array.isArray(data.items)) throw new TypeError('This is not a page of a list');
  return { items: data.items, has_more: data.has_more === true };
}
