import { DomainError, type Issue } from '../../domain/errors';
import { sentenceOf } from './summary';

const maxPath = 200;
const maxMessage = 1_000;

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`);

/** A dotted path of at most 200 characters. */
export const cutPath = (path: string): string => cut(path, maxPath);

/** The issue of a field that nobody knows; the validator itself would drop one called `__proto__` unseen. */
export const unknownField = (name: string): Issue => {
  const path = cutPath(name);
  return { path, message: `${path} is not a known field` };
};

/** A `validation_error` that names the first `limit` of all issues, and in its message how many there are. */
export function refuse(issues: readonly Issue[], limit: number): DomainError {
  const named = issues.slice(0, limit).map(({ path, message }) => ({ path: cutPath(path), message: cut(message, maxMessage) }));
  const [first] = named;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new DomainError('validation_error', `${first === undefined ? '' : sentenceOf(first)}${more}`, { issues: named });
}
