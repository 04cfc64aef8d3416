import type { QueryRunner } from 'typeorm';

/** Whether a table has a constraint of this name, validated or not. */
export async function hasConstraint(runner: QueryRunner, table: string, name: string): Promise<boolean> {
  const found: unknown = await runner.query(`SELECT 1 FROM pg_constraint WHERE conrelid = '${table}'::regclass AND conname = '${name}'`);
  return Array.isArray(found) && found.length > 0;
}
