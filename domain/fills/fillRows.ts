import { setTimeout as pause } from 'node:timers/promises';
import { fillChunk, readFill, type FillProgress } from '../../db/repositories/fills/rowFills';
import { inTransaction, noInstitution } from '../../db/transaction';
import type { Domain } from '../context';

/** How long one call fills, in ms. */
const workMs = 15_000;

/**
 * Fills chunk after chunk for a quarter of a minute, or until the fill has ended, and returns how far it is. It pauses for as long as
 * each chunk took, so that it takes at most half of a core of Postgres. Every chunk is committed: who calls again goes on from there.
 */
export async function fillRows({ database }: Pick<Domain, 'database'>, name: string): Promise<FillProgress> {
  const begun = performance.now();
  for (;;) {
    const at = performance.now();
    await inTransaction(database, noInstitution, ({ sql }) => fillChunk(sql, name));
    const progress = await readFill(database.sql, name);
    if (progress === undefined) throw new Error(`No migration has begun the fill ${name}`);
    if (progress.done || performance.now() - begun >= workMs) return progress;
    await pause(performance.now() - at);
  }
}
