import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier } from 'pg';
import { isLockTimeout } from './lockTimeout';
import { institutionPolicy, institutionSetting } from './rowSecurity';
import { migrationLockRetry } from './runMigrations';

/** Runs statements as the owner of the tables, and returns rows. */
interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

// A subquery is evaluated once for a statement, the function itself for each row.
const setting = `(SELECT current_setting('${institutionSetting}', true))`;

/** Which rows of a table the tenant role reads, and which it writes. */
interface Visible {
  readonly read: string;
  readonly write: string;
}

const own: Visible = { read: `institution_id = ${setting}`, write: `institution_id = ${setting}` };

/** Tables whose rows do not name their institution as `institution_id`, or are read by others than those who write them. */
export const particularTables: Readonly<Record<string, Visible>> = {
  // An institution sees that it has a sandbox.
  institutions: { read: `id = ${setting} OR sandbox_of = ${setting}`, write: `id = ${setting}` },
  // Those of the platform, which have no institution, are open to all.
  curricula: { read: `institution_id IS NULL OR ${own.read}`, write: own.write },
  // Of the curricula, a policy sees what its role sees.
  curriculum_concepts: {
    read: 'EXISTS (SELECT 1 FROM curricula c WHERE c.id = curriculum_id)',
    write: `EXISTS (SELECT 1 FROM curricula c WHERE c.id = curriculum_id AND c.${own.write})`,
  },
};

/** The tables with rows of institutions that do not bind the tenant role yet. */
const unprotected = `
  SELECT c.relname AS name FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
     AND (c.relname = ANY ($2) OR EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'institution_id' AND NOT a.attisdropped))
     AND NOT (c.relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles)
           WHERE p.polrelid = c.oid AND p.polname = '${institutionPolicy}' AND r.rolname = $1))
   ORDER BY c.relname`;

/** The policies of a table: all roles but the owner need one to see anything, and the tenant role is bound by another. */
function protection(table: string, role: string): string {
  const name = escapeIdentifier(table);
  const { read, write } = particularTables[table] ?? own;
  const restrict = (policy: string, rule: string): string =>
    `DROP POLICY IF EXISTS ${policy} ON ${name}; CREATE POLICY ${policy} ON ${name} AS RESTRICTIVE ${rule}`;
  const to = `TO ${escapeIdentifier(role)}`;
  const restrictions = read === write
    ? [restrict(institutionPolicy, `${to} USING (${read})`)]
    : [
        restrict(institutionPolicy, `FOR SELECT ${to} USING (${read})`),
        restrict(`${institutionPolicy}_insert`, `FOR INSERT ${to} WITH CHECK (${write})`),
        restrict(`${institutionPolicy}_update`, `FOR UPDATE ${to} USING (${write})`),
        restrict(`${institutionPolicy}_delete`, `FOR DELETE ${to} USING (${write})`),
      ];
  return [`DROP POLICY IF EXISTS everyone ON ${name}; CREATE POLICY everyone ON ${name} USING (true)`, ...restrictions, `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`].join('; ');
}

function namesOf(rows: unknown): string[] {
  if (!Array.isArray(rows)) throw new Error('Postgres has not listed the tables');
  return rows.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || !('name' in row) || typeof row.name !== 'string') throw new Error('A table has no name');
    return row.name;
  });
}

/** Runs a message that locks a table; again while others hold its lock. */
export async function queryUnderLock(runner: Runner, text: string, report: (line: string) => void): Promise<void> {
  const { tries, pauseMs, longestPauseMs } = migrationLockRetry;
  for (let tried = 1; ; tried += 1) {
    try {
      await runner.query(text);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tried === tries) throw error;
      report(`Row-level security, try ${tried} of ${tries}: a lock was not free in time.`);
      await pause(Math.min(tried * pauseMs, longestPauseMs));
    }
  }
}

/**
 * Binds the tenant role to the rows of one institution in every table that has rows of institutions, those of later releases
 * too. Other roles see what they saw. Each table is locked by a message of its own, for no longer than changes of the catalogue take.
 */
export async function protectInstitutions(runner: Runner, role: string, run: (text: string) => Promise<unknown> = (text) => runner.query(text)): Promise<void> {
  for (const table of namesOf(await runner.query(unprotected, [role, Object.keys(particularTables)]))) await run(protection(table, role));
}
