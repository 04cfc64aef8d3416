import type { QueryRunner } from 'typeorm';

/**
 * Builds indexes while others write, which no transaction can do; by name, each with its table, columns and condition. A build that
 * broke off leaves an index that is not valid, which is dropped first.
 */
export async function buildConcurrently(runner: QueryRunner, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, rows] of Object.entries(indexes)) {
    const leftOver: unknown = await runner.query(`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`);
    if (Array.isArray(leftOver) && leftOver.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${rows}`);
  }
}
