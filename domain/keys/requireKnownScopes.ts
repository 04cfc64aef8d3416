import { didYouMean } from '../../lib/closestMatch';
import { fieldError } from '../errors';
import { isScope, knownScopes } from '../scopes';

/** `invalid_scopes` for unknown scopes in a field. */
export function requireKnownScopes(field: string, wanted: readonly string[]): void {
  const unknown = wanted.map((scope, nth) => ({ scope, nth })).filter(({ scope }) => !isScope(scope));
  if (unknown.length === 0) return;
  const named = unknown.map(({ scope, nth }) => ({ path: `${field}.${nth}`, text: `${scope}${didYouMean(scope, knownScopes)}` }));
  throw fieldError(
    'invalid_scopes',
    named.map(({ path, text }) => ({ path, message: `unknown scope: ${text}` })),
    `Unknown scopes: ${named.map(({ text }) => text).join(', ')}. GET /v1/scopes lists them.`,
  );
}
