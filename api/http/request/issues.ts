import { DomainError, type Issue } from '../../../domain/errors';
import { sentenceOf } from './issueText';

const maxPath = 200;
const maxMessage = 1_000;

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`);

/** A dotted path of at most 200 characters. */
export const cutPath = (path: string): string => cut(path, maxPath);

/** The issue of a field, or of a query parameter, that nobody knows; the validator itself would drop one called `__proto__` unseen. */
export const unknownField = (name: string, what: 'field' | 'query parameter' = 'field'): Issue => {
  const path = cutPath(name);
  return { path, message: `${path} is not a known ${what}` };
};

/** The issues without those that say the same of the same place as one before. */
function eachOnce(issues: readonly Issue[]): Issue[] {
  const said = new Set<string>();
  return issues.filter(({ path, message }) => {
    const before = said.size;
    return said.add(`${path}\n${message}`).size > before;
  });
}

/** A `validation_error` that names the first `limit` of all issues, each once, and in its message how many there are. */
export function refuse(found: readonly Issue[], limit: number): DomainError {
  const issues = eachOnce(found);
  const named = issues.slice(0, limit).map(({ path, message }) => ({ path: cutPath(path), message: cut(message, maxMessage) }));
  const [first] = named;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new DomainError('validation_error', `${first === undefined ? '' : sentenceOf(first)}${more}`, { issues: named });
}
