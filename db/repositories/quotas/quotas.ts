import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** How much an institution may store, in bytes, and how many emails it may send to new addresses. */
export interface QuotasRow {
  attempt_bytes: number;
  student_bytes: number;
  /** Null: as much as the disk holds. */
  institution_bytes: number | null;
  daily_new_addresses: number;
}

const columns =
  'attempt_bytes::float8 AS attempt_bytes, student_bytes::float8 AS student_bytes, institution_bytes::float8 AS institution_bytes, daily_new_addresses';

const read = statement('quotas_read', `SELECT ${columns} FROM institution_quotas WHERE institution_id = $1`);

/** Returns the quotas that the platform has set; undefined if it has set none. */
export async function findQuotas(scope: InstitutionScope): Promise<QuotasRow | undefined> {
  const [row] = await scope.sql<QuotasRow>(read, [scope.institutionId]);
  return row;
}

const lock = statement('quotas_lock', `SELECT ${columns} FROM institution_quotas WHERE institution_id = $1 FOR NO KEY UPDATE`);

/** The same, locked: uploads of an institution with a quota of its own are counted one after the other. */
export async function lockQuotas(scope: InstitutionScope): Promise<QuotasRow | undefined> {
  const [row] = await scope.sql<QuotasRow>(lock, [scope.institutionId]);
  return row;
}

const write = statement(
  'quotas_write',
  `INSERT INTO institution_quotas (institution_id, attempt_bytes, student_bytes, institution_bytes, daily_new_addresses) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (institution_id) DO UPDATE SET attempt_bytes = EXCLUDED.attempt_bytes, student_bytes = EXCLUDED.student_bytes,
     institution_bytes = EXCLUDED.institution_bytes, daily_new_addresses = EXCLUDED.daily_new_addresses`,
);

/** Replaces the quotas. */
export async function writeQuotas(scope: InstitutionScope, quotas: QuotasRow): Promise<void> {
  const { attempt_bytes, student_bytes, institution_bytes, daily_new_addresses } = quotas;
  await scope.sql(write, [scope.institutionId, attempt_bytes, student_bytes, institution_bytes, daily_new_addresses]);
}
