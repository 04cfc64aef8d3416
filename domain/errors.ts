/** Every error code of the specification's table "Errors"; `api/http/errors.ts` alone knows their statuses. */
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

/** One thing wrong with a body or a query: where (dotted path) and what would be right. */
export interface Issue {
  path: string;
  message: string;
}

/** What an answer says beside code and message. */
export interface ErrorDetails {
  issues?: Issue[];
  required?: string[];
  missing?: string[];
}

/** What lies behind a refusal, for the log alone. */
interface ErrorCause {
  cause?: unknown;
}

/** The only way that a rule says no: a code of the specification and a sentence for the caller. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    behind: ErrorCause = {},
  ) {
    super(message, behind);
  }
}

/** A 404 for one kind of resource, and which where several were named; the same words whether it never existed or is another institution's. */
export function notFound(resource: string, named?: string): DomainError {
  return new DomainError('not_found', `No such ${resource} in this institution${named === undefined ? '' : `: ${named}`}.`);
}

/** The same for what was looked for among all institutions, or is one itself. */
export const noSuch = (thing: string): DomainError => new DomainError('not_found', `No such ${thing}.`);

/** The same for an id that names nothing, whatever was looked for. */
export const nothingHasThisId = (): DomainError => new DomainError('not_found', 'Nothing has this id.');

/** The 404 for a login email, or an internal id in its place, that names nobody. */
export const userNotFound = (): DomainError => new DomainError('user_not_found', 'No student or faculty member of this institution has this login email.');

/** A `validation_error` with one issue a problem. */
export function validationError(...issues: Issue[]): DomainError {
  return new DomainError('validation_error', issues.map((issue) => `${issue.path}: ${issue.message}`).join('; '), { issues });
}
