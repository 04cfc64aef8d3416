import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';
import type { ExistingStudent } from '../students/uniqueStudentIds';

/** `open` while rows are being created; `done` when every row has its outcome; `closed` if it was abandoned before. */
export type BatchStatus = 'open' | 'closed' | 'done';

/** A new batch; its students are numbered from `firstNumber` on. */
export interface NewBatch {
  id: string;
  status: BatchStatus;
  firstNumber: number;
  /** Whether its call was sent with an `Idempotency-Key`. */
  hasIdempotencyKey: boolean;
  now: Date;
  /** The real time, from which its age is measured. */
  openedAt: Date;
}

/** One row of a new batch: a student to create, or the error of an invalid item. */
export interface NewBatchRow {
  index: number;
  full_name: string | null;
  external_id: string | null;
  license_days: number | null;
  personal_email_sealed: string | null;
  /** Hexadecimal, or null with no personal email. */
  personal_email_hmac: string | null;
  error: string | null;
  message: string | null;
  issues: object[] | null;
}

const insert = statement(
  'provisioning_open',
  `WITH batch AS (
     INSERT INTO provisioning_batches (id, institution_id, status, total, first_number, has_idempotency_key, created_at, opened_at, ended_at)
     VALUES ($2, $1, $3, json_array_length($5::json), $6, $7, $4::timestamptz, $8, CASE $3 WHEN 'open' THEN NULL ELSE $4::timestamptz END)
   )
   INSERT INTO provisioning_rows (batch_id, index, institution_id, full_name, external_id, license_days,
     personal_email_sealed, personal_email_hmac, error, message, issues)
   SELECT $2, index, $1, full_name, external_id, license_days, personal_email_sealed, decode(personal_email_hmac, 'hex'), error, message, issues
     FROM json_to_recordset($5::json) AS r (index integer, full_name text, external_id text, license_days integer,
       personal_email_sealed text, personal_email_hmac text, error text, message text, issues jsonb)`,
);

/** Writes a batch and all its rows. */
export async function insertBatch(
  scope: InstitutionScope,
  { id, status, firstNumber, hasIdempotencyKey, now, openedAt }: NewBatch,
  rows: readonly NewBatchRow[],
): Promise<void> {
  await scope.sql(insert, [scope.institutionId, id, status, now, JSON.stringify(rows), firstNumber, hasIdempotencyKey, openedAt]);
}

/** A batch and its rows by outcome; `open` ones have none yet. */
export interface BatchState {
  status: BatchStatus;
  first_number: number;
  /** Whether its call was sent with an `Idempotency-Key`; null for batches of earlier releases. */
  has_idempotency_key: boolean | null;
  created_at: Date;
  /** The real time, from which its age is measured. */
  opened_at: Date;
  created: number;
  failed: number;
  open: number;
}

const lock = statement('provisioning_lock', 'SELECT 1 FROM provisioning_batches WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE');

const state = statement(
  'provisioning_state',
  `SELECT b.status, b.first_number, b.has_idempotency_key, b.created_at, b.opened_at, count(r.user_id)::int AS created, count(r.error)::int AS failed,
          (count(*) FILTER (WHERE r.user_id IS NULL AND r.error IS NULL))::int AS open
     FROM provisioning_batches b JOIN provisioning_rows r ON r.batch_id = b.id
    WHERE b.institution_id = $1 AND b.id = $2 GROUP BY b.id`,
);

/** Returns a batch of the institution; undefined if it is not stored, or no longer. */
export async function findBatch(scope: InstitutionScope, batchId: string): Promise<BatchState | undefined> {
  const [batch] = await scope.sql<BatchState>(state, [scope.institutionId, batchId]);
  return batch;
}

/** Returns a batch of the institution, which must exist. */
export async function readBatch(scope: InstitutionScope, batchId: string): Promise<BatchState> {
  const batch = await findBatch(scope, batchId);
  if (batch === undefined) throw new Error('There is no such batch');
  return batch;
}

/** A batch of the institution, locked until the transaction ends and read under the lock: one chunk at a time. */
export async function lockBatch(scope: InstitutionScope, batchId: string): Promise<BatchState | undefined> {
  await scope.sql(lock, [scope.institutionId, batchId]);
  return findBatch(scope, batchId);
}

/** A row without an outcome: the student to create. */
export interface OpenBatchRow {
  index: number;
  full_name: string | null;
  external_id: string | null;
  license_days: number;
  personal_email_sealed: string | null;
}

const open = statement(
  'provisioning_open_sealed_rows',
  `SELECT index, full_name, external_id, license_days, personal_email_sealed FROM provisioning_rows
    WHERE institution_id = $1 AND batch_id = $2 AND index >= $3 AND index < $4 AND user_id IS NULL AND error IS NULL ORDER BY index`,
);

/** The rows from `from` up to, not including, `to` that have no outcome yet, in order. */
export function openRows(scope: InstitutionScope, batchId: string, from: number, to: number): Promise<OpenBatchRow[]> {
  return scope.sql(open, [scope.institutionId, batchId, from, to]);
}

/** The outcome of one row: the created student, or the error. */
export interface RowOutcome {
  index: number;
  user_id: string | null;
  login_email: string | null;
  error: string | null;
  message: string | null;
  /** Who has the `student_id` that must be unique. */
  existing: ExistingStudent | null;
}

// A row with an outcome no longer needs the personal email.
const writeOutcomes = statement(
  'provisioning_settle',
  `UPDATE provisioning_rows r
      SET user_id = o.user_id, login_email = o.login_email, error = o.error, message = o.message, existing = o.existing,
          personal_email_sealed = NULL, personal_email_hmac = NULL
     FROM json_to_recordset($3::json) AS o (index integer, user_id text, login_email text, error text, message text, existing jsonb)
    WHERE r.institution_id = $1 AND r.batch_id = $2 AND r.index = o.index`,
);

/** Writes the outcomes of rows and erases their personal emails. */
export async function writeRowOutcomes(scope: InstitutionScope, batchId: string, outcomes: readonly RowOutcome[]): Promise<void> {
  if (outcomes.length > 0) await scope.sql(writeOutcomes, [scope.institutionId, batchId, JSON.stringify(outcomes)]);
}

const failOpen = statement(
  'provisioning_refuse_open',
  `UPDATE provisioning_rows SET error = $3, message = $4, personal_email_sealed = NULL, personal_email_hmac = NULL
    WHERE institution_id = $1 AND batch_id = $2 AND user_id IS NULL AND error IS NULL`,
);

/** Gives every row without an outcome this error and erases its personal email. */
export async function failOpenRows(scope: InstitutionScope, batchId: string, error: string, message: string): Promise<void> {
  await scope.sql(failOpen, [scope.institutionId, batchId, error, message]);
}

const end = statement('provisioning_end', 'UPDATE provisioning_batches SET status = $3, ended_at = $4 WHERE institution_id = $1 AND id = $2');

/** Ends a batch. */
export async function endBatch(scope: InstitutionScope, batchId: string, status: 'closed' | 'done', now: Date): Promise<void> {
  await scope.sql(end, [scope.institutionId, batchId, status, now]);
}

/** Why a row failed. */
export const rowErrors = ['validation_error', 'conflict', 'internal_error'] as const;

/** A row in the call's response: the created student, or the error. */
export type BatchRow = { index: number } & (
  | { user_id: string; login_email: string }
  | { user_id: null; error: (typeof rowErrors)[number]; message: string; issues: { path: string; message: string }[] | null; existing: ExistingStudent | null }
);

const rows = statement(
  'provisioning_rows',
  'SELECT index, user_id, login_email, error, message, issues, existing FROM provisioning_rows WHERE institution_id = $1 AND batch_id = $2 ORDER BY index',
);

/** Every row of a batch, in input order. */
export function readBatchRows(scope: InstitutionScope, batchId: string): Promise<BatchRow[]> {
  return scope.sql(rows, [scope.institutionId, batchId]);
}

/** A created row as support sees it. */
export interface CreatedRow {
  index: number;
  /** The id of the student. */
  id: string;
}

const createdRows = statement(
  'provisioning_created_rows',
  'SELECT index, user_id AS id FROM provisioning_rows WHERE institution_id = $1 AND batch_id = $2 AND user_id IS NOT NULL ORDER BY index',
);

/** Returns the created rows of a batch, in input order. */
export function listCreatedRows(scope: InstitutionScope, batchId: string): Promise<CreatedRow[]> {
  return scope.sql(createdRows, [scope.institutionId, batchId]);
}

/** A failed row as support sees it: never what the call had in it. */
export interface FailedRow {
  index: number;
  error: (typeof rowErrors)[number];
  /** The fields that the row was rejected for; of a conflict the one that is taken. */
  fields: string[];
}

const failedRows = statement(
  'provisioning_failed_rows',
  `SELECT index, error, CASE
       WHEN error = 'conflict' AND existing IS NULL THEN ARRAY['personal_email'] WHEN error = 'conflict' THEN ARRAY['student_id']
       ELSE ARRAY(SELECT DISTINCT issue ->> 'path' FROM jsonb_array_elements(coalesce(issues, '[]')) issue WHERE issue ->> 'path' IS NOT NULL ORDER BY 1) END AS fields
     FROM provisioning_rows WHERE institution_id = $1 AND batch_id = $2 AND error IS NOT NULL ORDER BY index`,
);

/** Returns the failed rows of a batch, in input order. */
export function listFailedRows(scope: InstitutionScope, batchId: string): Promise<FailedRow[]> {
  return scope.sql(failedRows, [scope.institutionId, batchId]);
}

const openBefore = statement(
  'provisioning_open_before',
  `SELECT b.id, b.institution_id, i.clock_offset_ms::float8 AS "clockOffsetMs" FROM provisioning_batches b JOIN institutions i ON i.id = b.institution_id
    WHERE b.status = 'open' AND b.opened_at < $1 ORDER BY b.opened_at LIMIT 100`,
);

/** Returns open batches of any institution opened before a real time, oldest first, at most 100. */
export function openBatchesBefore(sql: Sql, before: Date): Promise<{ id: string; institution_id: string; clockOffsetMs: number }[]> {
  return sql(openBefore, [before]);
}
