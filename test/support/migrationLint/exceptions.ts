/** Migrations up to this one were released before there were the rules: {@link releasedBefore} says what they do. */
export const lastBeforeTheRules = 'LargeTables1798592400000';

/** Releases whose migrations are not linted, and why they may stay as they are. */
export const releasedBefore: Readonly<Record<string, string>> = {
  '0.1.0 to 0.9.0': 'Released; a database that has them never runs them again, and a new one runs them without rows.',
  '0.10.0': 'Its checks of small tables (SuspendedPeople: institution_retention) are read at once; what large tables need is in LargeTables, which breaks no rule.',
};

/** Why a migration may break a rule. */
interface Exception {
  readonly rule: string;
  /** The table, index or column. */
  readonly what: string;
  readonly why: string;
}

/** What migrations after {@link lastBeforeTheRules} may do all the same, by name. */
export const exceptions: Readonly<Record<string, readonly Exception[]>> = {};
