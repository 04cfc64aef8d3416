import { IsNull, MoreThan } from 'typeorm';
import type { Database, InstitutionScope } from '../../database';
import { ApiKeyEntity, type KeyEnvironment } from '../../entities/apiKey';
import { entityManager, ownRow } from '../../entityManager';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';
import { findSandboxId } from '../sandbox/sandboxes';

/** An API key as authentication reads it, with its institution. */
export interface AuthenticatedKeyRow {
  id: string;
  name: string;
  key_hash: Buffer;
  scopes: string[];
  rate_limit_per_min: number;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  institution_id: string;
  institution_name: string;
  institution_status: string;
  /** How far the clock of the institution is ahead, in ms: 0 unless it is a sandbox. */
  clock_offset_ms: number;
  environment: KeyEnvironment;
  /** Whether the data of the sandbox that the key belongs to is being erased. */
  is_erasing: boolean;
  /** Of an institution that leaves: until then its keys only read. */
  read_only_until: Date | null;
  /** The scopes that keys of the developer who created it may use at most; null without a ceiling. */
  scope_ceiling: string[] | null;
}

const findByHash = statement(
  'key_by_hash_with_read_only',
  `SELECT k.id, k.name, k.key_hash, k.scopes, k.rate_limit_per_min, k.last_used_at, k.expires_at, k.revoked_at,
          i.id AS institution_id, i.name AS institution_name, i.status AS institution_status, i.clock_offset_ms::float8 AS clock_offset_ms,
          k.environment, i.erasing_since IS NOT NULL AS is_erasing, i.read_only_until, d.scope_ceiling
     FROM api_keys k JOIN institutions i ON i.id = k.institution_id LEFT JOIN developers d ON d.user_id = k.created_by
    WHERE k.key_hash = $1`,
);

/** Returns the key with this SHA-256, in any state; undefined if there is none. */
export async function findKeyByHash(sql: Sql, hash: Buffer): Promise<AuthenticatedKeyRow | undefined> {
  const [row] = await sql<AuthenticatedKeyRow>(findByHash, [hash]);
  return row;
}

const touch = statement(
  'key_touch',
  `UPDATE api_keys SET last_used_at = $2
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
);

/** Updates a key's `last_used_at`; call it at most once a minute per key. */
export async function touchKey(database: Database, keyId: string, now: Date): Promise<void> {
  await database.sql(touch, [keyId, now]);
}

const columns = `k.id, k.institution_id AS "institutionId", k.environment, k.name, k.key_hash AS "keyHash", k.prefix, k.last_four AS "lastFour", k.scopes,
  k.rate_limit_per_min AS "rateLimitPerMin", k.created_by AS "createdBy", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"`;

/** One page of the keys of an institution and of its sandbox in any state, newest first. */
export async function listKeys(scope: InstitutionScope, page: Page): Promise<PageOf<ApiKeyEntity>> {
  const sandboxId = await findSandboxId(scope);
  const institutionIds = sandboxId === undefined ? [scope.institutionId] : [scope.institutionId, sandboxId];
  const conditions = [{ sql: 'k.institution_id = ANY ($)', value: institutionIds }];
  return readPage<ApiKeyEntity>(scope.platform.sql, { columns, from: 'api_keys k', key: 'k.id', conditions, order: newestFirst('k.created_at', 'k.id') }, page);
}

const names = statement(
  'key_names',
  `SELECT k.id, k.name FROM api_keys k JOIN institutions i ON i.id = k.institution_id
    WHERE k.id = ANY ($2::text[]) AND $1 IN (i.id, i.sandbox_of)`,
);

/** Returns the names of those of some ids that are keys of the institution or of its sandbox. */
export function listKeyNames(scope: InstitutionScope, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return ids.length === 0 ? Promise.resolve([]) : scope.platform.sql(names, [scope.institutionId, ids]);
}

/** The number of the institution's keys that are neither revoked nor expired at `now`; counted against a limit under its lock. */
export function countActiveKeys(scope: InstitutionScope, now: Date): Promise<number> {
  const { institutionId } = scope;
  const notRevoked = { institutionId, revokedAt: IsNull() };
  return scope[entityManager]((manager) => manager.countBy(ApiKeyEntity, [
    { ...notRevoked, expiresAt: IsNull() },
    { ...notRevoked, expiresAt: MoreThan(now) },
  ]));
}

/** Inserts a key of the institution and returns it. */
export async function insertKey(scope: InstitutionScope, key: Omit<ApiKeyEntity, 'institutionId'>): Promise<ApiKeyEntity> {
  const row = { ...key, institutionId: scope.institutionId };
  await scope[entityManager]((manager) => manager.insert(ApiKeyEntity, row));
  return row;
}

/** Revokes a key; a revoked key keeps its time. Returns false if the institution has no such key. */
export async function markKeyRevoked(scope: InstitutionScope, id: string, now: Date): Promise<boolean> {
  const own = ownRow(scope, id);
  const { affected } = await scope[entityManager]((manager) => manager.update(ApiKeyEntity, { ...own, revokedAt: IsNull() }, { revokedAt: now }));
  return affected !== 0 || (await scope[entityManager]((manager) => manager.existsBy(ApiKeyEntity, own)));
}

/** Revokes every key that a portal user created; revoked keys keep their time. */
export async function markKeysRevokedByCreator(scope: InstitutionScope, createdBy: string, now: Date): Promise<void> {
  const { institutionId } = scope;
  await scope[entityManager]((manager) => manager.update(ApiKeyEntity, { institutionId, createdBy, revokedAt: IsNull() }, { revokedAt: now }));
}
