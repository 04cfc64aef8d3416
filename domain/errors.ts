import { issueSentence, withLabel } from './issueText';

/** Every error code of the specification's table "Errors"; only `api/http/errors.ts` maps them to HTTP statuses. */
export type ErrorCode =
  | 'institution_required'
  | 'unauthorized' | 'invalid_api_key'
  | 'insufficient_scope' | 'forbidden' | 'institution_not_approved'
  | 'not_found' | 'user_not_found' | 'no_secret'
  | 'conflict' | 'already_added' | 'already_verified' | 'user_inactive' | 'insufficient_allowance' | 'endpoint_inactive' | 'void_failed'
  | 'event_pruned'
  | 'validation_error' | 'invalid_faculty' | 'invalid_scopes' | 'no_owner' | 'no_valid_students' | 'https_required'
  | 'private_host' | 'events_required' | 'endpoint_limit' | 'key_limit' | 'file_too_large'
  | 'rate_limited'
  | 'internal_error'
  | 'not_implemented'
  | 'rate_limiter_unavailable';

/** One problem of a body or a query: where (dotted path) and the rule. */
export interface Issue {
  path: string;
  message: string;
}

/** What an error response contains in addition to code and message. */
export interface ErrorDetails {
  issues?: Issue[];
  required?: string[];
  missing?: string[];
  /** The student who has the `student_id` that must be unique. */
  existing?: { id: string; login_email: string };
  /** Identifiers that several students have. */
  student_ids?: string[];
}

/** What is behind a rejection, for the log only. */
interface ErrorCause {
  cause?: unknown;
  /** Which of the cases that have one code: a word of the rule, never a value. */
  reason?: string;
}

/** The error that rules raise: a code of the specification and a sentence for the caller. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly reason: string | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    behind: ErrorCause = {},
  ) {
    super(message, behind);
    this.reason = behind.reason;
  }
}

/** Nothing was found where it was looked for: in one institution, in its sandbox, or in the whole service. */
export class NotFoundError extends DomainError {}

/** What a 404 says of a lookup: the `id`, if several were named, whether it was within one institution or the whole service, and what to look for instead. */
interface Lookup {
  id?: string;
  within?: 'institution' | 'service';
  hint?: string;
}

/** How the ids of a kind begin, for the kinds that have no other identifier. */
const idPrefixes: Readonly<Record<string, string>> = { group: 'grp', exam: 'exm', submission: 'sub', delivery: 'whd', 'webhook endpoint': 'we', license: 'lic', enrollment: 'enr', curriculum: 'cur' };

/** Returns how the id of a kind begins, as a sentence; undefined for a kind with other identifiers. */
const idHint = (kind: string): string | undefined => (idPrefixes[kind] === undefined ? undefined : `Its id begins with ${idPrefixes[kind]}_.`);

/**
 * Returns the 404 for one kind of resource, or for an id without a known kind. The message is the same for a resource
 * that never existed and for one of another institution.
 */
export function notFound(kind?: string, { id, within = 'institution', hint }: Lookup = {}): DomainError {
  if (kind === undefined) return new NotFoundError('not_found', 'Nothing has this id.');
  const place = within === 'institution' ? ' in this institution' : '';
  const more = hint ?? (id === undefined ? idHint(kind) : undefined);
  return new NotFoundError('not_found', `No such ${kind}${place}${id === undefined ? '' : `: ${id}`}.${more === undefined ? '' : ` ${more}`}`);
}

/** Returns the row if there is one; `not_found` otherwise. */
export function requireFound<Row>(row: Row | undefined, kind: string, lookup?: Lookup): Row {
  if (row === undefined) throw notFound(kind, lookup);
  return row;
}

/** Returns the 404 for a login email or internal id that belongs to no person. */
export const userNotFound = (): DomainError => new NotFoundError('user_not_found', 'No student or faculty member of this institution has this login email or id; GET /v1/students?student_id= finds a student by your identifier.');

/** Returns the error of a call about a suspended student, with what lets them back in. */
export const suspendedStudent = (): DomainError => new DomainError('user_inactive', 'The student is suspended: POST /v1/students/{id}/reactivate lets them back in.');

/** What a message about the first of several problems ends with. */
export const andMore = (issues: readonly Issue[]): string => (issues.length > 1 ? ` (and ${issues.length - 1} more)` : '');

/** Returns the error of a rule about fields, one issue per problem; that of a nested field names it. Without a message of its own it says what the first issue says, and how many more there are. */
export const fieldError = (code: ErrorCode, issues: Issue[], message = `${issues.slice(0, 1).map(issueSentence).join('')}${andMore(issues)}`): DomainError =>
  new DomainError(code, message, { issues: issues.map(withLabel) });

/** Returns a `validation_error` with one issue per problem. */
export function validationError(...issues: Issue[]): DomainError {
  return fieldError('validation_error', issues);
}
