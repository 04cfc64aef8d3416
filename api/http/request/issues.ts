import { DomainError, type Issue } from '../../../domain/errors';
import { issueSentence } from './issueText';

const maxPath = 200;
const maxMessage = 1_000;

const truncate = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`);

/** A dotted path of at most 200 characters. */
export const truncatePath = (path: string): string => truncate(path, maxPath);

/** The issue of a field, or of a query parameter, that nobody knows; the validator itself would drop one called `__proto__` unseen. */
export const unknownFieldIssue = (name: string, what: 'field' | 'query parameter' = 'field'): Issue => {
  const path = truncatePath(name);
  return { path, message: `${path} is not a known ${what}` };
};

/** The issues without those that say the same of the same place as one before. */
function uniqueIssues(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path, message }) => {
    const before = seen.size;
    return seen.add(`${path}\n${message}`).size > before;
  });
}

/** A `validation_error` that names the first `limit` of all issues, each once, and in its message how many there are. */
export function validationErrorFrom(found: readonly Issue[], limit: number): DomainError {
  const issues = uniqueIssues(found);
  const named = issues.slice(0, limit).map(({ path, message }) => ({ path: truncatePath(path), message: truncate(message, maxMessage) }));
  const [first] = named;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new DomainError('validation_error', `${first === undefined ? '' : issueSentence(first)}${more}`, { issues: named });
}
