import type { SealedColumn, SealedTable } from '../../db/repositories/secrets/sealedColumns';

/** The place of a sealed value, to which its seal is bound: a value that is copied to another place does not open. */
export interface SealContext {
  /** Null in `sign_in_emails`, whose rows are written before the account is known. */
  institutionId: string | null;
  table: SealedTable;
  column: SealedColumn;
  /** What identifies the row within the institution: its id, or as `sealedRows` has it. */
  rowId: string;
}
