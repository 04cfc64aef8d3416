import type { DataOf } from '../clients/typescript/src/operations';

type Scope = DataOf<'GET', '/scopes'>['items'][number]['scope'];

/** Every scope that a key may have and that no other includes: `x:write` includes `x:read`. */
const writeScopes: Record<Extract<Scope, `${string}:write`>, true> = {
  'students:write': true,
  'faculty:write': true,
  'groups:write': true,
  'licenses:write': true,
  'exams:write': true,
  'submissions:write': true,
  'coupons:write': true,
  'merits:write': true,
  'guardians:write': true,
  'alpha:write': true,
  'institution:write': true,
  'webhooks:write': true,
};

/** What `--scope` takes in place of a scope. */
const allScopes = 'all';

/** Returns the scopes that were given; `all` stands for each that a key may have. */
export const resolveScopes = (given: readonly string[]): string[] => [...new Set(given.flatMap((scope) => (scope === allScopes ? Object.keys(writeScopes) : [scope])))];

/** What a shell completes. */
export const suggestedScopes: readonly string[] = [allScopes, ...Object.keys(writeScopes).flatMap((scope) => [scope.replace(/:write$/, ':read'), scope])];
