import { DomainError, type ErrorCode, type ErrorDetails } from '../../domain/errors';
import { issueSentence } from '../../domain/issueText';

/** The only table from a code of the specification (section Errors) to its HTTP status. */
export const statusOf: Record<ErrorCode, number> = {
  institution_required: 400,
  unauthorized: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  forbidden: 403,
  institution_not_approved: 403,
  not_found: 404,
  user_not_found: 404,
  no_secret: 404,
  conflict: 409,
  already_added: 409,
  already_verified: 409,
  user_inactive: 409,
  insufficient_allowance: 409,
  endpoint_inactive: 409,
  void_failed: 409,
  event_pruned: 410,
  validation_error: 422,
  invalid_faculty: 422,
  invalid_scopes: 422,
  no_owner: 422,
  no_valid_students: 422,
  https_required: 422,
  private_host: 422,
  events_required: 422,
  endpoint_limit: 422,
  key_limit: 422,
  file_too_large: 422,
  rate_limited: 429,
  internal_error: 500,
  not_implemented: 501,
  rate_limiter_unavailable: 503,
};

/** The body of every error response (section Errors). */
export interface ErrorBody extends ErrorDetails {
  success: false;
  error: ErrorCode;
  message: string;
}

/** Returns the error's message; a message that repeats the path of its issue names the field once. */
function messageOf({ message, details: { issues: [first] = [] } }: DomainError): string {
  return first === undefined ? message : message.replace(`${first.path}: ${first.message}`, () => issueSentence(first));
}

/** Returns status and body of the error response; anything but a DomainError is `internal_error`. */
export function errorResponse(error: unknown, requestId: string): { status: number; body: ErrorBody } {
  if (error instanceof DomainError) {
    const { code, details } = error;
    return { status: statusOf[code], body: { success: false, error: code, message: messageOf(error), ...details } };
  }
  return {
    status: 500,
    body: { success: false, error: 'internal_error', message: `Something went wrong on our side. Quote ${requestId}.` },
  };
}
