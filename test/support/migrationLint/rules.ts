import type { Snapshot } from './catalogue';

/** A statement of a migration. */
export interface Step {
  readonly statement: string;
  /** The database before the migration, which the release before uses. */
  readonly first: Snapshot;
  /** That in which the statement's transaction began, that before the statement, and that after it. */
  readonly began: Snapshot;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Returns what a statement does against the rule: tables, indexes or columns by name. */
type Rule = (step: Step) => string[];

const nameOf = ({ first }: Step, oid: string): string => first.relations.get(oid)?.name ?? oid;

const isOld = ({ first }: Step, oid: string): boolean => first.relations.has(oid);

/** The tables from before the migration whose rows the statement went through one by one, or wrote. */
const touched = (step: Step): string[] =>
  [...step.after.counters.values()]
    .filter(({ oid, scans, rows_written }) => {
      const before = step.before.counters.get(oid);
      return isOld(step, oid) && (scans > (before?.scans ?? 0) || rows_written > (before?.rows_written ?? 0));
    })
    .map(({ oid }) => oid);

const holdsLock = (step: Step): boolean => step.after.locks.some(({ oid }) => isOld(step, oid));

/** The tables from before the migration that others wait for, without parts of partitioned ones. */
const lockedTables = (step: Step): string[] => [
  ...new Set(step.after.locks.map(({ oid }) => oid).filter((oid) => step.first.relations.get(oid)?.table === null && step.first.relations.get(oid)?.part === false)),
];

/** The tables that foreign keys refer to which the transaction adds or drops: Postgres locks them, too. */
function referredByChangedKeys({ began, after }: Step): string[] {
  const added = [...after.foreignKeys].filter(([oid]) => !began.foreignKeys.has(oid));
  const dropped = [...began.foreignKeys].filter(([oid]) => !after.foreignKeys.has(oid));
  return [...added, ...dropped].map(([, { referred }]) => referred);
}

/** Columns of tables from before the migration that the statement made NOT NULL. */
const madeNotNull = (step: Step): { oid: string; name: string }[] =>
  [...step.after.columns].flatMap(([key, column]) => (column.not_null && step.before.columns.get(key)?.not_null === false && isOld(step, column.oid) ? [column] : []));

/** Whether the statement validated the foreign key of a table from before the migration. */
const becameValid = (step: Step, oid: string): boolean => {
  const key = step.after.foreignKeys.get(oid);
  return key?.validated === true && step.before.foreignKeys.get(oid)?.validated !== true && isOld(step, key.table);
};

/**
 * What a migration may not do while the release before runs. Everything is read from the catalogue and from the session's own locks and
 * counters, so no rule depends on how many rows there are or how fast the machine is; `held` alone does.
 */
export const rules: Readonly<Record<string, Rule>> = {
  /** A table or index is rewritten under ACCESS EXCLUSIVE. Add a column without a volatile default, and fill it in chunks. */
  rewrite: (step) =>
    [...step.after.relations.values()]
      .filter(({ oid, filenode }) => isOld(step, oid) && step.before.relations.get(oid)?.filenode !== filenode)
      .map(({ oid }) => nameOf(step, oid)),

  /** Rows are read or written while readers or writers wait. Add a CHECK as NOT VALID, and validate it in a transaction of its own. */
  'rows-under-lock': (step) => (holdsLock(step) ? touched(step).map((oid) => nameOf(step, oid)) : []),

  /** A foreign key is validated while writers wait. Add it NOT VALID, and validate it in a transaction of its own. */
  'validated-under-lock': (step) =>
    [...step.after.foreignKeys.values()]
      // Of a column that the statement adds, all rows have null.
      .filter(({ oid, table, columns }) => holdsLock(step) && becameValid(step, oid) && columns.every((number) => step.before.columns.has(`${table}.${number}`)))
      .map(({ table }) => nameOf(step, table)),

  /** An index of a table that there was is built while writers wait. Use `buildConcurrently`. */
  'index-not-concurrent': (step) =>
    /\bCONCURRENTLY\b/.test(step.statement)
      ? []
      : [...step.after.relations.values()].filter(({ oid, table }) => table !== null && isOld(step, table) && !step.before.relations.has(oid)).map(({ name }) => name),

  /** NOT NULL looks at every row. Add CHECK (… IS NOT NULL) NOT VALID, validate it, then set NOT NULL, which trusts it. */
  'not-null-without-check': (step) => {
    const scanned = touched(step);
    return madeNotNull(step).filter(({ oid }) => scanned.includes(oid)).map(({ oid, name }) => `${nameOf(step, oid)}.${name}`);
  },

  /**
   * A second table is waited for while others wait for the first: 2 s for each. Change each in a transaction of its own, in a migration
   * without one or in two. A foreign key has to lock both its tables.
   */
  'several-tables': (step) => {
    const referred = referredByChangedKeys(step);
    const tables = lockedTables(step).filter((oid) => !referred.includes(oid));
    return tables.length > 1 ? tables.map((oid) => nameOf(step, oid)) : [];
  },

  /** A table, column or function goes, or has another name or type, while the release before uses it. Drop it one release later, listed as an exception. */
  contract: (step) => [
    ...[...step.before.relations.values()]
      .filter(({ oid, table, name }) => table === null && isOld(step, oid) && step.after.relations.get(oid)?.name !== name)
      .map(({ oid }) => nameOf(step, oid)),
    ...[...step.before.columns]
      .filter(([key, { oid, name, type }]) => {
        const after = step.after.columns.get(key);
        return step.first.columns.has(key) && step.after.relations.has(oid) && (after?.name !== name || after.type !== type);
      })
      .map(([, { oid, name }]) => `${nameOf(step, oid)}.${name}`),
    ...[...step.before.functions.values()].filter(({ oid, name }) => step.first.functions.has(oid) && step.after.functions.get(oid)?.name !== name).map(({ name }) => name),
  ],

  /** A column that the release before does not write, or leaves to its default, has none: its inserts fail. */
  'required-column': (step) =>
    [...step.after.columns]
      .filter(([key, { oid, required }]) => {
        const before = step.before.columns.get(key);
        const lostDefault = before?.not_null === true && !before.required;
        return required && isOld(step, oid) && (step.first.columns.has(key) ? lostDefault : before?.required !== true);
      })
      .map(([, { oid, name }]) => `${nameOf(step, oid)}.${name}`),
};
