import type { DomainError, ErrorCode, ErrorDetails } from '../../../domain/errors';
import { errorResponse, statusOf } from '../errors';
import type { OperationRecord } from '../operation';
import { takesIdempotencyKey } from '../request/idempotencyKey';
import type { JsonSchema } from './jsonSchema';

/** The meaning of each code, for the documents and their examples. */
export const errorDescriptions: Record<ErrorCode, string> = {
  institution_required: 'Name the institution: a platform admin belongs to none.',
  unauthorized: 'No bearer token, or one that is not a key of this service.',
  invalid_api_key: 'The key is unknown, revoked or expired, or its institution is not approved.',
  insufficient_scope: 'The key lacks the scope of this operation.',
  forbidden: 'This caller may not do this, or the request came from a foreign browser origin.',
  institution_not_approved: 'The institution is not approved.',
  not_found: 'No such resource, or it belongs to another institution.',
  user_not_found: 'No person of this institution has this login email.',
  no_secret: 'No hidden-test key has been set for this exam.',
  conflict: 'The present state does not allow this, the Idempotency-Key was used with another request or its first call is still under way, or the sandbox of a test key is being reset.',
  already_added: 'This student and guardian are linked already.',
  already_verified: 'The guardian has already accepted the invitation.',
  user_inactive: 'The person is suspended.',
  insufficient_allowance: "The credit exceeds what is left of the institution's allowance.",
  endpoint_inactive: 'The webhook endpoint is paused or disabled.',
  void_failed: 'This submission cannot be voided any more.',
  event_pruned: 'The event is older than the retention period and was removed.',
  validation_error: 'Body or query is not valid; `issues` names every problem.',
  invalid_faculty: 'The faculty member is unknown or suspended.',
  invalid_scopes: 'The list of scopes is empty or names an unknown one.',
  no_owner: 'The institution admin, who would own this, is missing or suspended.',
  no_valid_students: 'None of the students named is known.',
  https_required: 'Webhook URLs must be https.',
  private_host: 'The host of the URL is not a public one.',
  events_required: 'The list of subscriptions is empty or names an unknown event type.',
  endpoint_limit: 'The institution has as many webhook endpoints as it may, or has created as many within the hour as it may.',
  key_limit: 'The institution has as many active keys as it may.',
  file_too_large: 'The file is larger than an upload may be, or than what a quota leaves; the message names it.',
  rate_limited: 'The limit of requests per minute is exceeded, or too much of the institution is under way at once; wait for `Retry-After` seconds.',
  internal_error: 'Something went wrong on our side; quote `X-Request-Id`.',
  not_implemented: 'The path does not have this method.',
  rate_limiter_unavailable: 'A store of the service, that of the rate limiter for one, cannot be reached, or there is no room for an upload; nothing was done, try again after 5 seconds.',
};

/** What decides how an operation fails. */
export type Failing = Pick<OperationRecord<never>, 'method' | 'errors' | 'access' | 'errorExamples'>;

/** Returns the meaning of a code as one of an operation's own rules. */
export const describeOwnError = (code: ErrorCode): string => (code === 'conflict' ? 'The present state does not allow this.' : errorDescriptions[code]);

/** Why an operation can be answered `conflict`, its own rules first; empty if it cannot. */
function conflictReasons({ method, errors, access }: Failing): string[] {
  return [
    ...(errors.includes('conflict') ? ['the present state does not allow this'] : []),
    ...(takesIdempotencyKey({ method, access }) ? ['the Idempotency-Key was used with another request, or its first call is still under way'] : []),
    ...(access.by === 'key' && access.duringReset !== true ? ['the sandbox of the test key is being reset'] : []),
  ];
}

/** Returns the meaning of a code where an operation answers it. */
export const describeError = (code: ErrorCode, failing: Failing): string => {
  const [first = '', ...others] = code === 'conflict' ? conflictReasons(failing) : [];
  return first === '' ? errorDescriptions[code] : `${[first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; or ')}.`;
};

/** The codes that every operation with this access and method can return, in addition to its own. */
export function commonErrors(failing: Failing): ErrorCode[] {
  const { access } = failing;
  const always: ErrorCode[] = ['validation_error', 'internal_error'];
  if (access.by === 'platform') return [...always, 'unauthorized', 'forbidden', 'rate_limited', 'rate_limiter_unavailable'];
  const scoped: ErrorCode[] = access.scope === null ? [] : ['insufficient_scope'];
  const testOnly: ErrorCode[] = access.environment === 'test' ? ['not_found'] : [];
  const conflicts: ErrorCode[] = conflictReasons(failing).length === 0 ? [] : ['conflict'];
  return [...always, 'unauthorized', 'invalid_api_key', ...scoped, ...testOnly, ...conflicts, 'forbidden', 'rate_limited', 'rate_limiter_unavailable'];
}

/** What any call with a key can be answered, whichever the operation. */
export const commonErrorsOfKeys: readonly ErrorCode[] = [
  'unauthorized', 'invalid_api_key', 'insufficient_scope', 'forbidden', 'conflict', 'validation_error', 'rate_limited', 'internal_error', 'not_implemented', 'rate_limiter_unavailable',
];

/** Codes by status, each once, in the order of the specification's table. */
export function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const wanted = new Set(codes);
  const grouped = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(statusOf) as ErrorCode[]) {
    if (wanted.has(code)) grouped.set(statusOf[code], [...(grouped.get(statusOf[code]) ?? []), code]);
  }
  return grouped;
}

/** What an error has in addition to code and message. */
interface ErrorFields {
  properties: Record<string, JsonSchema>;
  isOptional?: true;
  example?: ErrorDetails;
}

const stringArray = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

/** The fields of an error about fields of the request. */
const withIssues = (path: string, message: string): ErrorFields => ({
  properties: { issues: { type: 'array', items: { $ref: '#/components/schemas/Issue' }, description: 'One entry per problem.' } },
  example: { issues: [{ path, message }] },
});

/** The fields of some codes in addition to code and message (section Errors). */
const details: Partial<Record<ErrorCode, ErrorFields>> = {
  insufficient_scope: {
    properties: { required: stringArray('The scopes that the operation requires.'), missing: stringArray('Those of them that the key lacks.') },
    example: { required: ['students:write'], missing: ['students:write'] },
  },
  validation_error: withIssues('limit', 'limit must be a number'),
  invalid_faculty: withIssues('faculty_id', 'no active faculty member of this institution has this id or login email; GET /v1/faculty lists them.'),
  invalid_scopes: withIssues('scopes.0', 'unknown scope: student:read (did you mean students:read?)'),
  no_owner: withIssues('faculty_id', 'the institution has no active admin to own it; name a faculty member.'),
  no_valid_students: withIssues('student_ids', 'None of student_ids is a student of this institution who can be enrolled.'),
  https_required: withIssues('url', 'url must begin with https://'),
  private_host: withIssues('url', 'The host of url must be public'),
  events_required: withIssues('events.0', 'unknown event type: student.craeted (did you mean student.created?)'),
  conflict: {
    properties: {
      existing: {
        type: 'object',
        required: ['id', 'login_email'],
        properties: { id: { type: 'string' }, login_email: { type: 'string' } },
        description: 'Where a `student_id` must be unique: the student who has it.',
      },
      student_ids: stringArray('Where `unique_student_ids` cannot be turned on: up to 20 identifiers that several students have.'),
    },
    isOptional: true,
  },
};

/** One problem of a body or query. */
export const issueSchema: JsonSchema = {
  type: 'object',
  description: 'One problem of a body or query.',
  required: ['path', 'message'],
  properties: {
    path: { type: 'string', description: 'Where, in dotted form.', examples: ['students.3.full_name'] },
    message: { type: 'string', description: 'What would be right.', examples: ['full_name must be a string'] },
  },
};

/** The fields of an error: of a `conflict`, those that an operation's own example has. */
function fieldsOf(code: ErrorCode, given: readonly DomainError[]): [string, JsonSchema][] {
  const fields = Object.entries(details[code]?.properties ?? {});
  if (details[code]?.isOptional !== true) return fields;
  const shown = new Set(given.filter((error) => error.code === code).flatMap((error) => Object.keys(errorResponse(error, '').body)));
  return fields.filter(([name]) => shown.has(name));
}

/** Returns the schema of an error response with one of these codes; `given` are errors of the operation itself. */
export function errorSchema(codes: readonly ErrorCode[], given: readonly DomainError[] = []): JsonSchema {
  const [only] = codes;
  const always = codes.length === 1 && only !== undefined && details[only]?.isOptional !== true ? Object.keys(details[only]?.properties ?? {}) : [];
  return {
    type: 'object',
    required: ['success', 'error', 'message', ...always],
    properties: {
      success: { type: 'boolean', enum: [false] },
      error: { type: 'string', enum: [...codes], description: 'What went wrong, for programs.' },
      message: { type: 'string', description: 'What went wrong, for people.' },
      ...Object.fromEntries(codes.flatMap((code) => fieldsOf(code, given))),
    },
  };
}

/** The message of an example: an operation's own rule before what any call can be answered. */
function messageOf(code: ErrorCode, failing: Failing | undefined): string {
  if (failing === undefined) return errorDescriptions[code];
  return failing.errors.includes(code) ? describeOwnError(code) : describeError(code, failing);
}

/** One example a code: what an operation itself answers, of those it gives, else the meaning of the code. */
export function errorExamples(codes: readonly ErrorCode[], failing?: Failing): Record<string, { summary: string; value: object }> {
  const valueOf = (code: ErrorCode): object => {
    const own = failing?.errorExamples?.find((error) => error.code === code);
    return own === undefined ? { success: false, error: code, message: messageOf(code, failing), ...details[code]?.example } : errorResponse(own, '').body;
  };
  return Object.fromEntries(codes.map((code) => [code, { summary: code, value: valueOf(code) }]));
}
