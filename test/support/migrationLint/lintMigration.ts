import type { MigrationInterface, QueryRunner } from 'typeorm';
import { takeSnapshot, type Query, type Snapshot } from './catalogue';
import { rules, type Step } from './rules';

/** How long ACCESS EXCLUSIVE may be held on a table of the release before, in ms. */
const longestHeldMs = 500;

/** What a migration may not do. */
export interface Finding {
  /** One of {@link rules}, or `held`. */
  readonly rule: string;
  /** The table, index or column. */
  readonly what: string;
  readonly statement: string;
}

/** What a transaction of the migration has done so far. */
interface Observed {
  before: Snapshot;
  /** When a table's ACCESS EXCLUSIVE was asked for, by its oid, on the clock of the migration. */
  readonly lockedAt: Map<string, number>;
}

/** A clock in ms without the time that the linter itself takes. */
interface MigrationClock {
  now(): number;
  exclude<T>(work: () => Promise<T>): Promise<T>;
}

function startClock(): MigrationClock {
  let excludedMs = 0;
  return {
    now: () => performance.now() - excludedMs,
    exclude: async (work) => {
      const from = performance.now();
      try {
        return await work();
      } finally {
        excludedMs += performance.now() - from;
      }
    },
  };
}

/**
 * Runs a migration on a database of the release before, statement by statement, and returns what breaks the rules. In a transaction
 * the locks that a statement took are held when the next one runs, so they are read without a race; statements of a migration without
 * one are each run in a transaction of their own for this, except those that are concurrent.
 */
export async function lintMigration(runner: QueryRunner, migration: MigrationInterface): Promise<Finding[]> {
  const run = runner.query.bind(runner);
  const query: Query = (text, values) => run(text, values);
  const clock = startClock();
  const snapshot = (): Promise<Snapshot> => clock.exclude(() => takeSnapshot(query));
  const first = await snapshot();
  const findings: Finding[] = [];

  const lint = (step: Step): void => {
    for (const [rule, check] of Object.entries(rules)) {
      for (const what of check(step)) findings.push({ rule, what, statement: step.statement });
    }
  };

  const observe = async (observed: Observed, statement: string, values?: unknown[]) => {
    const startedAt = clock.now();
    const answer = await run(statement, values);
    const after = await snapshot();
    for (const { oid, mode } of after.locks) {
      if (mode === 'AccessExclusiveLock' && first.relations.has(oid) && !observed.lockedAt.has(oid)) observed.lockedAt.set(oid, startedAt);
    }
    lint({ statement, first, before: observed.before, after });
    observed.before = after;
    return answer;
  };

  const inTransaction = async <T>(last: string, work: (observed: Observed) => Promise<T>): Promise<T> => {
    await run('START TRANSACTION');
    try {
      const observed: Observed = { before: await snapshot(), lockedAt: new Map() };
      const result = await work(observed);
      await run('COMMIT');
      for (const [oid, at] of observed.lockedAt) {
        const heldMs = Math.round(clock.now() - at);
        if (heldMs > longestHeldMs) findings.push({ rule: 'held', what: `${first.relations.get(oid)?.name ?? oid} for ${heldMs} ms`, statement: last });
      }
      return result;
    } catch (error) {
      await run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };

  const observeAlone = async (statement: string, values?: unknown[]) => {
    if (!/\bCONCURRENTLY\b/.test(statement)) return inTransaction(statement, (observed) => observe(observed, statement, values));
    return observe({ before: await snapshot(), lockedAt: new Map() }, statement, values);
  };

  try {
    if (migration.transaction === false) {
      runner.query = observeAlone;
      await migration.up(runner);
    } else {
      await inTransaction('the whole migration', async (observed) => {
        runner.query = (statement: string, values?: unknown[]) => observe(observed, statement, values);
        await migration.up(runner);
      });
    }
  } finally {
    runner.query = run;
  }
  return distinct(findings);
}

/** A statement that is repeated, as one that fills in chunks, is found once. */
const distinct = (findings: readonly Finding[]): Finding[] => [...new Map(findings.map((finding) => [`${finding.rule} ${finding.what}`, finding])).values()];
