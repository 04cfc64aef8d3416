import type { BatchRow } from '../../../db/repositories/provisioning/batches';

/** What became of a bulk call, item by item in input order (section Students, POST /students/bulk). */
export function presentBulk(rows: readonly BatchRow[]): object {
  const created = rows.filter(({ user_id: id }) => id !== null).length;
  return { created, failed: rows.length - created, results: rows.map(presentRow) };
}

function presentRow({ index, user_id: id, login_email: loginEmail, error, message, issues }: BatchRow): object {
  if (id !== null) return { index, id, login_email: loginEmail };
  return { index, error, message, ...(issues === null ? {} : { issues }) };
}
