import { andMore, DomainError, type Issue } from '../../../domain/errors';
import { didYouMean } from '../../../lib/closestMatch';
import { issueSentence } from '../../../domain/issueText';

const maxPath = 200;
const maxMessage = 1_000;

const truncate = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`);

/** A dotted path of at most 200 characters. */
export const truncatePath = (path: string): string => truncate(path, maxPath);

/** What an unknown name could have been. */
interface Unknown {
  what?: 'field' | 'query parameter';
  /** The names that are known in its place. */
  known?: Iterable<string>;
}

/** Maximum number of known names that a message lists. */
const maxKnownNames = 20;

/** Returns the names that are known in the place of an unknown one, as the end of a message. */
export function knownNames(known: readonly string[]): string {
  if (known.length === 0) return '';
  const more = known.length > maxKnownNames ? ` and ${known.length - maxKnownNames} more` : '';
  return `; known: ${known.slice(0, maxKnownNames).join(', ')}${more}`;
}

/** The issue of an unknown field or query parameter; the validator itself would silently drop one named `__proto__`. */
export const unknownFieldIssue = (name: string, { what = 'field', known = [] }: Unknown = {}): Issue => {
  const path = truncatePath(name);
  return { path, message: `${path} is not a known ${what}${didYouMean(name, known) || knownNames([...known])}` };
};

/** Maximum number of fields that a log line names. */
const maxLoggedFields = 5;

/** A path of names that the service has given: with the positions of lists, without what callers name, such as headers. */
const ownNames = /^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/;

const isOfUnknownName = ({ path, message }: Issue): boolean => message.startsWith(`${path} is not a known `);

/** Returns the fields of a refused call for the log: `?` in place of a name that the caller made up, which may say anything. */
export const loggedFields = (issues: readonly Issue[]): string[] =>
  [...new Set(issues.map((issue) => (isOfUnknownName(issue) || !ownNames.test(issue.path) ? '?' : issue.path)))].slice(0, maxLoggedFields);

/** Removes issues with the same path and message as an earlier one. */
function uniqueIssues(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path, message }) => {
    const before = seen.size;
    return seen.add(`${path}\n${message}`).size > before;
  });
}

/** Returns a `validation_error` with the first `limit` issues, each once; its message has their total number. */
export function validationErrorFrom(found: readonly Issue[], limit: number): DomainError {
  const issues = uniqueIssues(found);
  const named = issues.slice(0, limit).map(({ path, message }) => ({ path: truncatePath(path), message: truncate(message, maxMessage) }));
  const [first] = named;
  return new DomainError('validation_error', `${first === undefined ? '' : issueSentence(first)}${andMore(issues)}`, { issues: named });
}
