import type { Logger } from '../../../config/logger';
import { touchKey } from '../../../db/repositories/keys/keys';
import type { Database } from '../../../db/database';
import { authenticateKey, UnusableKeyError } from '../../../domain/keys/authenticateKey';
import { scopesWithin } from '../../../domain/scopes';
import { bearerToken, misplacedKey } from './bearerToken';
import type { ApiMiddleware } from '../state';

const touchEveryMs = 60_000;

/** Rejects calls without a valid key (section Authentication); updates `last_used_at` at most once a minute. */
export function authenticateApiKey(database: Database, logger: Logger): ApiMiddleware {
  const touching = new Set<string>();
  const touch = (keyId: string, lastUsedAt: Date | null, now: Date): void => {
    const due = lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= touchEveryMs;
    if (!due || touching.has(keyId)) return;
    touching.add(keyId);
    touchKey(database, keyId, now)
      .catch((error: unknown) => logger.warn({ err: error, key_id: keyId }, 'last_used_at was not written'))
      .finally(() => touching.delete(keyId));
  };
  return async (ctx, next) => {
    const { now } = ctx.state;
    const token = bearerToken(ctx);
    const row = await authenticateKey(database, token, now, token === undefined ? misplacedKey(ctx) : undefined).catch((error: unknown) => {
      if (error instanceof UnusableKeyError && error.key !== undefined) ctx.state.refusedKey = { id: error.key.id, institutionId: error.key.institution_id };
      throw error;
    });
    touch(row.id, row.last_used_at, now);
    ctx.state.key = {
      id: row.id,
      name: row.name,
      scopes: scopesWithin(row.scopes, row.scope_ceiling),
      scopeCeiling: row.scope_ceiling,
      rateLimitPerMin: row.rate_limit_per_min,
      environment: row.environment,
      isSandboxResetting: row.is_erasing,
      readOnlyUntil: row.read_only_until,
      institution: { id: row.institution_id, name: row.institution_name },
      clockOffsetMs: row.clock_offset_ms,
    };
    await next();
  };
}
