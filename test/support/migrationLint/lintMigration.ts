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
  readonly began: Snapshot;
  before: Snapshot;
  /** For how many ms each table's ACCESS EXCLUSIVE was held, by its oid, from the statement on that took it. */
  readonly heldMs: Map<string, number>;
}

/** By Postgres' clock: a machine on which network and program are slow holds no lock for longer. Read by another session. */
const lastStatementMs = 'SELECT extract(epoch FROM state_change - query_start)::float8 * 1000 AS ms FROM pg_stat_activity WHERE pid = $1';

const begins = /^\s*(?:START TRANSACTION|BEGIN)\b/i;
const commits = /^\s*COMMIT\b/i;

/**
 * Runs a migration on a database of the release before, statement by statement, and returns what breaks the rules. In a transaction
 * the locks that a statement took are held when the next one runs, so they are read without a race; statements of a migration without
 * one are each run in a transaction of their own for this, except those that are concurrent. After an error the session is of no use.
 */
export async function lintMigration(runner: QueryRunner, migration: MigrationInterface): Promise<Finding[]> {
  const run = runner.query.bind(runner);
  const query: Query = (text, values) => run(text, values);
  const snapshot = (): Promise<Snapshot> => takeSnapshot(query);
  const [session] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const first = await snapshot();
  const findings: Finding[] = [];

  const lint = (step: Step): void => {
    for (const [rule, check] of Object.entries(rules)) {
      for (const what of check(step)) findings.push({ rule, what, statement: step.statement });
    }
  };

  const lastMs = async (): Promise<number> => {
    const [row] = await runner.dataSource.query<{ ms: number }[]>(lastStatementMs, [session?.pid]);
    return row?.ms ?? 0;
  };

  const observe = async (observed: Observed, statement: string, values?: unknown[]) => {
    const answer = await run(statement, values);
    const ms = await lastMs();
    const after = await snapshot();
    for (const { oid, mode } of after.locks) {
      if (mode === 'AccessExclusiveLock' && first.relations.has(oid)) observed.heldMs.set(oid, (observed.heldMs.get(oid) ?? 0) + ms);
    }
    lint({ statement, first, began: observed.began, before: observed.before, after });
    observed.before = after;
    return answer;
  };

  const beginning = async (): Promise<Observed> => {
    const began = await snapshot();
    return { began, before: began, heldMs: new Map() };
  };

  const begin = async (): Promise<Observed> => {
    await run('START TRANSACTION');
    return beginning();
  };

  const commit = async (observed: Observed, last: string) => {
    const answer = await run('COMMIT');
    const commitMs = await lastMs();
    for (const [oid, ms] of observed.heldMs) {
      const heldMs = Math.round(ms + commitMs);
      if (heldMs > longestHeldMs) findings.push({ rule: 'held', what: `${first.relations.get(oid)?.name ?? oid} for ${heldMs} ms`, statement: last });
    }
    return answer;
  };

  /** The transaction that a migration without one began itself. */
  let own: Observed | undefined;

  const observeAlone = async (statement: string, values?: unknown[]) => {
    if (begins.test(statement)) {
      const answer = await run(statement);
      own = await beginning();
      return answer;
    }
    if (own !== undefined && commits.test(statement)) {
      const committed = own;
      own = undefined;
      return commit(committed, statement);
    }
    if (own !== undefined) return observe(own, statement, values);
    if (/\bCONCURRENTLY\b/.test(statement)) return observe(await beginning(), statement, values);
    const observed = await begin();
    const answer = await observe(observed, statement, values);
    await commit(observed, statement);
    return answer;
  };

  try {
    if (migration.transaction === false) {
      runner.query = observeAlone;
      await migration.up(runner);
    } else {
      const observed = await begin();
      runner.query = (statement: string, values?: unknown[]) => observe(observed, statement, values);
      await migration.up(runner);
      await commit(observed, 'the whole migration');
    }
  } finally {
    runner.query = run;
  }
  return distinct(findings);
}

/** A statement that is repeated, as one that fills in chunks, is found once. */
const distinct = (findings: readonly Finding[]): Finding[] => [...new Map(findings.map((finding) => [`${finding.rule} ${finding.what}`, finding])).values()];
