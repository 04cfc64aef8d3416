import type { OpenBatchRow } from '../../db/repositories/provisioning/batches';
import type { Transaction } from '../context';
import type { SealContext } from '../secrets/sealContext';

/** A row without an outcome, its personal email in plain text. */
export interface OpenedRow extends Omit<OpenBatchRow, 'personal_email_sealed'> {
  email: string | null;
}

/** Returns where the personal email of a row of a batch is sealed. */
export const rowPlace = (institutionId: string, batchId: string, index: number): SealContext =>
  ({ institutionId, table: 'provisioning_rows', column: 'personal_email_sealed', rowId: `${batchId}:${index}` });

/** Decrypts the personal email of a row. */
export function openRow({ institutionId, secrets }: Transaction, batchId: string, { personal_email_sealed: sealed, ...row }: OpenBatchRow): OpenedRow {
  return { ...row, email: sealed === null ? null : secrets.open(sealed, rowPlace(institutionId, batchId, row.index)) };
}
