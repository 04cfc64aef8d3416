import type { BatchRow } from '../../../db/repositories/provisioning/batches';
import type { BulkStudentsResponse } from './bulk.schemas';

/** The results of a bulk call, item by item in input order (section Students, POST /students/bulk). */
export function presentBulk(rows: readonly BatchRow[]): BulkStudentsResponse {
  const created = rows.filter(({ user_id: id }) => id !== null).length;
  return { created, failed: rows.length - created, results: rows.map(presentRow) };
}

function presentRow(row: BatchRow): BulkStudentsResponse['results'][number] {
  const { index } = row;
  if (row.user_id !== null) return { index, id: row.user_id, login_email: row.login_email };
  const { error, message, issues, existing } = row;
  return { index, error, message, ...(issues === null ? {} : { issues }), ...(existing === null ? {} : { existing }) };
}
