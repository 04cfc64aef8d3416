import { readFill } from '../../db/repositories/fills/rowFills';
import type { Sql } from '../../db/statement';
import { pause } from '../../local/waitUntil';

/** A fill that a migration has begun and the worker has ended: when, after the migration, and the rows that it looked at and those that it filled. */
export interface FillSeen {
  fill: string;
  ended_after_s: number;
  rows: number;
  filled: number;
}

const begun = 'SELECT name, extract(epoch FROM ended_at - created_at)::float8 AS seconds FROM row_fills ORDER BY name';

const lookEveryMs = 1_000;

/** Waits until every fill has ended, saying how far each is, and returns them; fails with how far they are after `withinMs`. */
export async function waitForFills(sql: Sql, withinMs: number, detail: (text: string) => void): Promise<FillSeen[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const fills = await sql<{ name: string; seconds: number | null }>(begun);
    const ended: FillSeen[] = [];
    const open: string[] = [];
    for (const { name, seconds } of fills) {
      const progress = await readFill(sql, name);
      if (progress === undefined) throw new Error(`The fill ${name} is gone`);
      if (seconds === null) open.push(`${name}: ${progress.seen} of about ${progress.total} rows`);
      else ended.push({ fill: name, ended_after_s: Math.round(seconds), rows: progress.seen, filled: progress.filled });
    }
    if (open.length === 0) return ended;
    if (performance.now() > deadline) throw new Error(`Fills are not done after ${withinMs / 1_000} s: ${open.join(', ')}`);
    detail(open.join(', '));
    await pause(lookEveryMs);
  }
}
