import type { ErrorCode } from '../../../domain/errors';
import type { Access } from '../access';
import type { FileResponse, OperationRecord } from '../operation';
import { replayedHeader, takesIdempotencyKey } from '../request/idempotencyKey';
import { commonErrors, describeError, errorExamples, errorSchema, groupByStatus, type Failing } from './errorResponses';
import type { JsonSchema, MediaType } from './jsonSchema';

const integerHeader = (description: string, example: number): object => ({ description, schema: { type: 'integer' }, example });

/** The headers of responses. */
const headers = {
  'X-Request-Id': {
    description: 'The id of this request; quote it when something went wrong.',
    schema: { type: 'string', pattern: '^req_' },
    example: 'req_01jd4k6f2mep2s5xg5yhc8m1zr',
  },
  'X-RateLimit-Limit': integerHeader('Requests per minute that the key may make.', 600),
  'X-RateLimit-Remaining': integerHeader('Requests left in this window.', 599),
  'X-RateLimit-Reset': integerHeader('When the window resets, in Unix seconds.', 1_795_167_060),
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' }, example: 'Bearer' },
  [replayedHeader]: {
    description: 'Sent with a response that an earlier call with the same Idempotency-Key has stored.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': integerHeader('How many seconds to wait before trying again.', 5),
};

type HeaderName = keyof typeof headers;

const rateLimitHeaders: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Returns the headers of a response by status: a 401 and a 503 are sent before the request is counted for the rate limit. */
function headersOf(status: number, access: Access): Record<string, object> {
  const counted = access.by === 'key' && status !== 401 && status !== 503;
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(counted ? rateLimitHeaders : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers of these operations' responses, stored once as components. */
export function headerComponents(accesses: readonly Access[]): Record<string, object> {
  const { 'X-Request-Id': requestId, 'WWW-Authenticate': challenge, 'Retry-After': wait, ...ofKeys } = headers;
  return { 'X-Request-Id': requestId, 'WWW-Authenticate': challenge, 'Retry-After': wait, ...(accesses.some(({ by }) => by === 'key') ? ofKeys : {}) };
}

/** One response of an operation in OpenAPI's form. */
export interface ResponseObject {
  description: string;
  headers: Record<string, object>;
  content: Record<string, MediaType>;
}

/** Returns the response of a successful call: the envelope around `data`. */
export function successResponse(record: Pick<OperationRecord<never>, 'access' | 'method'>, data: JsonSchema, example: unknown): ResponseObject {
  const replayed = takesIdempotencyKey(record) ? { [replayedHeader]: { $ref: `#/components/headers/${replayedHeader}` } } : {};
  return {
    description: 'Done.',
    headers: { ...headersOf(200, record.access), ...replayed },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data'],
          properties: { success: { type: 'boolean', enum: [true] }, data },
        },
        example: { success: true, data: example },
      },
    },
  };
}

const contentDisposition = {
  description: 'The name under which the file is saved.',
  schema: { type: 'string' },
  example: 'attachment; filename="export.csv"',
};

/** Returns the response of a call that returns a file. */
export function fileResponse(access: Access, { contentType, description, example }: FileResponse): ResponseObject {
  return {
    description,
    headers: { ...headersOf(200, access), 'Content-Disposition': contentDisposition },
    content: { [contentType]: { schema: { type: 'string' }, example } },
  };
}

function errorResponse(status: number, codes: readonly ErrorCode[], failing: Failing): ResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${describeError(code, failing)}`).join('\n\n'),
    headers: headersOf(status, failing.access),
    content: { 'application/json': { schema: errorSchema(codes, failing.errorExamples), examples: errorExamples(codes, failing) } },
  };
}

/** What distinguishes shared responses with a `conflict`: its reasons, which are others in a read, in a write, and in a reset. */
function conflictKind(codes: readonly ErrorCode[], { method, errors, access }: Failing): string[] {
  if (!codes.includes('conflict')) return [];
  const inReset = access.by === 'key' && access.duringReset === true;
  return [...(errors.includes('conflict') ? [] : ['common']), ...(method === 'GET' ? ['read'] : []), ...(inReset ? ['reset'] : [])];
}

/**
 * Returns the error responses of an operation by status: its own codes and those of every operation with the same access. A
 * response that several operations share is stored once in `kept`; one with an example of this operation alone is not.
 */
export function errorResponses(failing: Failing, kept: Map<string, ResponseObject>): Record<string, ResponseObject | { $ref: string }> {
  const { errors, errorExamples: given = [] } = failing;
  const responses = [...groupByStatus([...errors, ...commonErrors(failing)])].map(([status, codes]): [string, ResponseObject | { $ref: string }] => {
    if (given.some(({ code }) => codes.includes(code))) return [String(status), errorResponse(status, codes, failing)];
    const name = [[status, ...conflictKind(codes, failing)].join('-'), ...codes].join('.');
    kept.set(name, kept.get(name) ?? errorResponse(status, codes, failing));
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(responses);
}
