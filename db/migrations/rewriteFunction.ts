import type { QueryRunner } from 'typeorm';

/** What a function has, and what it gets in its place. */
export type Rewriting = readonly (readonly [before: string, after: string])[];

/** The same the other way round. */
export const undone = (rewriting: Rewriting): Rewriting => rewriting.map(([before, after]) => [after, before]);

/** Returns the text of the only function of this name. */
async function definitionOf(runner: QueryRunner, name: string): Promise<string> {
  const rows: unknown = await runner.query(`SELECT pg_get_functiondef('public.${name}'::regproc) AS text`);
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  if (typeof row !== 'object' || row === null || !('text' in row) || typeof row.text !== 'string') throw new Error(`There is no function ${name}`);
  return row.text;
}

/** Changes parts of a function, each of which it must have; everything else of it stays. No-op where it was changed before. */
export async function rewriteFunction(runner: QueryRunner, name: string, rewriting: Rewriting): Promise<void> {
  let text = await definitionOf(runner, name);
  if (rewriting.every(([before, after]) => !text.includes(before) && text.includes(after))) return;
  for (const [before, after] of rewriting) {
    if (!text.includes(before)) throw new Error(`${name} does not have: ${before}`);
    text = text.replaceAll(before, after);
  }
  await runner.query(text);
}
