import { listOpenFills, readFill } from '../../db/repositories/fills/rowFills';
import type { Sql } from '../../db/statement';
import { pause } from '../../local/waitUntil';

/** A fill that a migration has begun and the worker has ended, with the rows that it looked at and those that it filled. */
export interface FillSeen {
  fill: string;
  took_s: number;
  rows: number;
  filled: number;
}

const lookEveryMs = 1_000;

/** Waits until every fill has ended, saying how far each is, and returns them; fails with how far they are after `withinMs`. */
export async function waitForFills(sql: Sql, withinMs: number, detail: (text: string) => void): Promise<FillSeen[]> {
  const begun = performance.now();
  const names = await listOpenFills(sql);
  const ended = new Map<string, FillSeen>();
  for (;;) {
    const open: string[] = [];
    for (const name of names.filter((each) => !ended.has(each))) {
      const progress = await readFill(sql, name);
      if (progress === undefined) throw new Error(`The fill ${name} is gone`);
      const { seen, total, filled, done } = progress;
      if (done) ended.set(name, { fill: name, took_s: Math.round((performance.now() - begun) / 1_000), rows: seen, filled });
      else open.push(`${name}: ${seen} of about ${total} rows`);
    }
    if (open.length === 0) return [...ended.values()];
    if (performance.now() - begun > withinMs) throw new Error(`Fills are not done after ${withinMs / 1_000} s: ${open.join(', ')}`);
    detail(open.join(', '));
    await pause(lookEveryMs);
  }
}
