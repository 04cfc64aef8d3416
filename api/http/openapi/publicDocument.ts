import { scopes } from '../../../domain/scopes';
import type { Access, AuthenticatedKey } from '../access';
import type { OperationRecord } from '../operation';
import { idempotencyKeyHeader, maxIdempotencyKeyLength, takesIdempotencyKey } from '../request/idempotencyKey';
import type { Parameter } from './describeOperation';
import { openApiDocument, type OpenApiDocument } from './document';
import { describeWebhooks } from './webhooks';

const description = `A REST API for an institution's own systems: it automates what the admin does by hand in the portal.

- Every request carries \`Authorization: Bearer <API key>\`. A key belongs to one institution; the API treats resources of other institutions as nonexistent. A test key (\`svc_test_…\`) reaches the institution's sandbox alone.
- Responses are \`{ success: true, data }\` or \`{ success: false, error, message }\`. New fields may be added to responses: ignore unknown fields.
- Bodies are JSON of at most 2 MiB. Unknown fields and query parameters are rejected. Surrounding whitespace is removed from texts before validation.
- Timestamps are ISO 8601 in UTC with milliseconds; those you send need a zone; in a URL its \`+\` is written \`%2B\`. Money is in cents.
- Lists return one page, newest first; \`has_more\` says whether there is a next \`page\`. To read a whole list, begin with an empty \`cursor\` and send \`next_cursor\` of each answer as the next.
- Every write takes an \`Idempotency-Key\`: after a call that got no answer, send the same call with the same key again.
- The limit of requests per minute is counted in fixed windows; see the headers \`X-RateLimit-*\`.`;

const idempotencyKeyParameter: Parameter = {
  name: idempotencyKeyHeader,
  in: 'header',
  required: false,
  description:
    'Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. ' +
    'Any text of your own, such as a UUID; it belongs to the institution.',
  schema: { type: 'string', minLength: 1, maxLength: maxIdempotencyKeyLength, pattern: '^[\\x21-\\x7e]+$' },
};

/** What the scopes of a tag's operations grant. */
function describeTag(accesses: readonly Access[]): string {
  const asked = new Set(accesses.map((access) => (access.by === 'key' ? access.scope : null)));
  const granted = scopes.filter(({ scope }) => asked.has(scope)).map(({ scope, description: grants }) => `\`${scope}\`: ${grants}`);
  if (accesses.every((access) => access.by === 'key' && access.environment === 'test')) return `Test keys (\`svc_test_…\`) alone, each operation with the scope that it names.`;
  return granted.length === 0 ? 'Any valid key.' : granted.join(' ');
}

/** The document of the public API, served at `openapi.json` (section Versioning). */
export function publicDocument(records: readonly OperationRecord<AuthenticatedKey>[], publicBaseUrl: string): OpenApiDocument {
  return openApiDocument({
    title: 'Institution API',
    description,
    serverUrl: publicBaseUrl,
    records,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_<32 characters> or svc_test_<32 characters>', description: 'An API key of the institution (`svc_live_…`), or of its sandbox (`svc_test_…`).' },
    },
    describeTag,
    webhooks: describeWebhooks,
    describeAccess: ({ access, method }) => ({
      headers: takesIdempotencyKey({ access, method }) ? [idempotencyKeyParameter] : [],
      descriptionPrefix: [
        access.by === 'key' && access.scope !== null ? `Scope: ${[access.scope, ...access.besides].map((scope) => `\`${scope}\``).join(', and ')}.` : 'Scope: none; any valid key.',
        ...(access.by === 'key' && access.environment === 'test' ? ['Test keys alone: `not_found` with a live key.'] : []),
      ].join(' '),
      fields: {
        security: [{ apiKey: [] }],
        ...(access.by === 'key' && access.scope !== null ? { 'x-required-scope': access.scope } : {}),
        ...(access.by === 'key' && access.environment === 'test' ? { 'x-environment': 'test' } : {}),
      },
    }),
  });
}
