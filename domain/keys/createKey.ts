import { randomInt } from 'node:crypto';
import type { ApiKeyEntity, KeyEnvironment } from '../../db/entities/apiKey';
import { lockDeveloper } from '../../db/repositories/developers/developers';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import { countActiveKeys, insertKey } from '../../db/repositories/keys/keys';
import { hashToken } from '../../lib/hashToken';
import type { Transaction } from '../context';
import { DomainError, fieldError, validationError } from '../errors';
import { newId } from '../ids';
import { requireApproved } from '../institutions/requireApproved';
import { openSandbox, sandboxOfSandbox } from '../sandbox/openSandbox';
import { keyPrefixes } from './authenticateKey';
import { requireKnownScopes } from './requireKnownScopes';

/** The fields of a new key (section Authentication, 3). */
export interface NewKey {
  name: string;
  scopes: string[];
  rate_limit_per_min?: number | undefined;
  expires_at?: Date | null | undefined;
  environment?: KeyEnvironment | undefined;
}

const secretLength = 32;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const maxActiveKeys = 25;
const defaultRateLimitPerMin = 600;

const randomSecret = (): string => Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('');

/** `forbidden` if the developer was suspended during the request, so that no key remains. */
async function requireActiveDeveloper(tx: Transaction, createdBy: string): Promise<void> {
  const developer = await lockDeveloper(tx, createdBy);
  if (developer !== undefined && developer.status !== 'active') throw new DomainError('forbidden', 'This developer is not active.');
}

/** `invalid_scopes` for an empty list and for unknown scopes. */
function requireScopes(wanted: readonly string[]): void {
  const none = 'scopes must contain at least one scope.';
  if (wanted.length === 0) throw fieldError('invalid_scopes', [{ path: 'scopes', message: none }], none);
  requireKnownScopes('scopes', wanted);
}

/**
 * Creates a key of an approved institution or, with the environment `test`, of its sandbox, which the first test key makes; the
 * key itself is returned only once and stored as a hash. `conflict` for a sandbox, whose keys are created under its institution.
 * `institution_not_approved`, `invalid_scopes`, `validation_error` for an expiry in the past, `key_limit` at 25 active
 * keys, and `forbidden` for a developer who is no longer active.
 */
export async function createKey(tx: Transaction, createdBy: string, wanted: NewKey): Promise<{ key: ApiKeyEntity; apiKey: string }> {
  await lockInstitution(tx);
  const institution = await requireApproved(tx);
  if (institution.sandbox_of !== null) throw sandboxOfSandbox();
  await requireActiveDeveloper(tx, createdBy);
  requireScopes(wanted.scopes);
  const expiresAt = wanted.expires_at ?? null;
  if (expiresAt !== null && expiresAt <= tx.now) {
    throw validationError({ path: 'expires_at', message: 'expires_at must be in the future' });
  }
  const environment = wanted.environment ?? 'live';
  const owner = environment === 'test' ? await openSandbox(tx) : tx;
  if ((await countActiveKeys(owner, tx.now)) >= maxActiveKeys) {
    throw new DomainError('key_limit', `An institution can have at most ${maxActiveKeys} active ${environment} keys; revoke one first.`);
  }
  const prefix = keyPrefixes[environment];
  const apiKey = prefix + randomSecret();
  const key = await insertKey(owner, {
    id: newId('key'),
    environment,
    name: wanted.name,
    keyHash: hashToken(apiKey),
    prefix,
    lastFour: apiKey.slice(-4),
    scopes: [...new Set(wanted.scopes)],
    rateLimitPerMin: wanted.rate_limit_per_min ?? defaultRateLimitPerMin,
    createdBy,
    createdAt: tx.now,
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
  });
  return { key, apiKey };
}
