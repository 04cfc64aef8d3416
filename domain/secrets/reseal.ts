import { slowSql } from '../../db/cursor';
import { countSealedValues, type SealedCount } from '../../db/repositories/secrets/sealedCounts';
import { sealedColumns, type SealedColumn, type SealedTable } from '../../db/repositories/secrets/sealedColumns';
import { readSealedRows, replaceEmailSeal, replaceSeal, type SealedRow } from '../../db/repositories/secrets/sealedRows';
import type { Domain } from '../context';
import type { SealContext } from './sealContext';

type ResealDeps = Pick<Domain, 'database' | 'secrets'>;

/** Rows per chunk. */
const rowsPerChunk = 500;

/** What became of the values of a chunk, and the position after which the next one begins; null after the last. */
export interface ResealedChunk {
  resealed: number;
  /** Values that no configured key opens in their place; they stay. */
  unreadable: number;
  next: string[] | null;
}

/** This process seals with another key than the one that is asked for. */
class OtherNewestKey extends Error {
  override readonly name = 'OtherNewestKey';
}

function requireNewestKey({ secrets }: ResealDeps, keyId: string): void {
  const [newest] = secrets.keyIds;
  if (newest !== keyId) throw new OtherNewestKey(`The newest key of this worker is ${newest ?? 'none'}, not ${keyId}: restart it with the keys of the others`);
}

/** How many values are sealed under each key: every configured one, and those that values name. */
export type KeyUse = Record<string, number>;

/** Sums the counts of columns by key. */
export function keyUseOf({ keyIds }: Pick<Domain['secrets'], 'keyIds'>, counts: readonly SealedCount[]): KeyUse {
  const use: KeyUse = Object.fromEntries(keyIds.map((id) => [id, 0]));
  for (const { key_id, count } of counts) use[key_id] = (use[key_id] ?? 0) + count;
  return use;
}

/** Counts the sealed values of every institution by their key. Fails with {@link OtherNewestKey} unless `keyId` is the newest. */
export async function countKeyUse(deps: ResealDeps, keyId: string): Promise<KeyUse> {
  requireNewestKey(deps, keyId);
  return keyUseOf(deps.secrets, await countSealedValues(slowSql(deps.database)));
}

/**
 * Seals the values of the next rows of a table under the newest key, `keyId`, and moves the fingerprints of personal emails
 * with them. Idempotent; a value that is changed meanwhile is left as it then is, which the newest key has sealed. Fails with
 * {@link OtherNewestKey} in a process that has another newest key.
 */
export async function resealChunk(deps: ResealDeps, keyId: string, table: SealedTable, after: readonly string[] | null): Promise<ResealedChunk> {
  requireNewestKey(deps, keyId);
  const rows = await readSealedRows(deps.database.sql, table, { after, newestPrefix: deps.secrets.newestPrefix, limit: rowsPerChunk });
  let [resealed, unreadable] = [0, 0];
  for (const row of rows) {
    for (const [index, column] of sealedColumns[table].entries()) {
      const sealed = row.sealed[index];
      if (sealed == null) continue;
      const outcome = await resealValue(deps, { table, column }, row, sealed);
      if (outcome === 'resealed') resealed += 1;
      if (outcome === 'unreadable') unreadable += 1;
    }
  }
  return { resealed, unreadable, next: rows.length < rowsPerChunk ? null : (rows.at(-1)?.position ?? null) };
}

async function resealValue({ database: { sql }, secrets }: ResealDeps, { table, column }: { table: SealedTable; column: SealedColumn }, { institution_id: institutionId, row_id: rowId, position }: SealedRow, sealed: string): Promise<'resealed' | 'changed' | 'unreadable'> {
  const place: SealContext = { institutionId, table, column, rowId };
  const plain = openOrUndefined({ secrets }, sealed, place);
  if (plain === undefined) return 'unreadable';
  const replaced = { sealed, resealed: secrets.seal(plain, place) };
  const isReplaced =
    table === 'users'
      ? await replaceEmailSeal(sql, position, { ...replaced, fingerprint: secrets.fingerprint('personal_email', plain) })
      : await replaceSeal(sql, table, column, position, replaced);
  return isReplaced ? 'resealed' : 'changed';
}

function openOrUndefined({ secrets }: Pick<Domain, 'secrets'>, sealed: string, place: SealContext): string | undefined {
  try {
    return secrets.open(sealed, place);
  } catch {
    return undefined;
  }
}
