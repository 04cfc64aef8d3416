import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { isLockTimeout } from '../lockTimeout';

/** Everybody who wants the table waits behind a statement that waits for it: no longer than this at a time. */
const lockTimeoutMs = 200;

/** Each pause is longer by this much. Then the migration is tried again whole, which says whom it waited for. */
const lockTries = 10;
const lockPauseMs = 100;

/** Autovacuum gives way to who waits for a second, of which nobody else has to wait: this lock holds up neither readers nor writers, and keeps autovacuum away. */
const endAutovacuum = (table: string): string => `
DO $$ BEGIN
  EXECUTE (SELECT format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', string_agg(DISTINCT oid::regclass::text, ', '))
             FROM (SELECT to_regclass('public.${table}')::oid UNION ALL SELECT confrelid FROM pg_constraint WHERE conrelid = to_regclass('public.${table}') AND contype = 'f') AS locked (oid));
END $$`;

/**
 * Runs work that locks a table, and those that it refers to, in a transaction; waits for a lock only briefly, and tries again what did not get
 * its locks in time.
 */
export async function lockBriefly<T>(runner: QueryRunner, table: string, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    await runner.startTransaction();
    try {
      await runner.query(endAutovacuum(table));
      await runner.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      const done = await work();
      await runner.commitTransaction();
      return done;
    } catch (error) {
      if (tried >= lockTries || !isLockTimeout(error)) throw error;
      await runner.rollbackTransaction();
      await pause(tried * lockPauseMs);
    }
  }
}
