import type { ErrorCode, Issue } from './openapi';

/** A code of the API, or the client's own: `no_answer` and `unexpected_answer`. Codes of later releases may come too. */
export type Code = ErrorCode | 'no_answer' | 'unexpected_answer' | (string & Record<never, never>);

/** The student who has a `student_id` already. */
export interface ExistingStudent {
  id: string;
  login_email: string;
}

/** The fields of an InstitutionError. */
export interface InstitutionErrorDetails {
  /** The HTTP status; 0 without a response. */
  status: number;
  /** Decide by this, never by the message. */
  code: Code;
  /** Of a `validation_error`: each problem with the path of its field. */
  issues: readonly Issue[];
  /** What to quote to support; null without a response. */
  requestId: string | null;
  /** Of a `conflict` of a `student_id` that must be unique: the student who has it; null otherwise. */
  existing: ExistingStudent | null;
  /** Of `insufficient_scope`: the scopes that the operation requires; empty otherwise. */
  required?: readonly string[];
  /** Of `insufficient_scope`: those of them that the key lacks; empty otherwise. */
  missing?: readonly string[];
  /** Of a `conflict` of turning on `unique_student_ids`: identifiers that several students have, up to 20; empty otherwise. */
  studentIds?: readonly string[];
  /** Every field of the response besides `error`, `message` and `issues`, as it came: also those of later releases. */
  details?: Readonly<Record<string, unknown>>;
  /** Seconds after which the same call may be sent again, as `Retry-After` says; null where nothing says it. */
  retryAfterSeconds?: number | null;
  /** Of a write: the key that it carried. The same call with it, within 24 hours, is done once, whether this one was done or not; null for a read. */
  idempotencyKey?: string | null;
}

/**
 * The error of the client: the API rejected the call (`code` is the reason), did not respond (`no_answer`), or a system in
 * between sent a response that is not the API's (`unexpected_answer`). After these two a write may have been done: call again
 * with its `idempotencyKey`.
 */
export class InstitutionError extends Error implements InstitutionErrorDetails {
  override readonly name = 'InstitutionError';
  readonly status: number;
  readonly code: Code;
  readonly issues: readonly Issue[];
  readonly requestId: string | null;
  readonly existing: ExistingStudent | null;
  readonly required: readonly string[];
  readonly missing: readonly string[];
  readonly studentIds: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  readonly idempotencyKey: string | null;

  constructor(message: string, given: InstitutionErrorDetails, options?: { cause?: unknown }) {
    super(message, options);
    const { status, code, issues, requestId, existing, required = [], missing = [], studentIds = [], details = {}, retryAfterSeconds = null, idempotencyKey = null } = given;
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = requestId;
    this.existing = existing;
    this.required = required;
    this.missing = missing;
    this.studentIds = studentIds;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.idempotencyKey = idempotencyKey;
  }
}
