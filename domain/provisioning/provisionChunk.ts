import { lockBatch, openRows, writeRowOutcomes, type BatchState, type RowOutcome } from '../../db/repositories/provisioning/batches';
import type { ExistingStudent } from '../../db/repositories/students/uniqueStudentIds';
import type { Transaction } from '../context';
import type { DomainError } from '../errors';
import { provisionPeople, type NewPerson, type ProvisionedAccount } from '../people/provisionPeople';
import { studentIdTaken } from '../students/uniqueStudentIds';
import { abandonedBefore, rowsPerChunk, type BatchProgress } from './batch';
import { openRow, type OpenedRow } from './batchEmails';
import { decideRows } from './decideRows';
import { closeBatch, finishBatch } from './endBatch';

/**
 * Creates the students of one chunk, the rows from `from` on, and ends the batch with its last row. Idempotent: rows with
 * an outcome are skipped, and after the batch has ended nothing is created. A batch that its call abandoned is closed
 * instead, by the real time: the clock of a sandbox may be moved meanwhile. Undefined for an unknown batch. Fails with the unique violation of a personal email that another person mapped
 * concurrently: run it again.
 */
export async function provisionChunk(tx: Transaction, batchId: string, from: number, realNow: Date): Promise<BatchProgress | undefined> {
  const batch = await lockBatch(tx, batchId);
  if (batch === undefined) return undefined;
  const { status, created, failed } = await advance(tx, batchId, batch, { from, realNow });
  return { status, created, failed, next: from + rowsPerChunk };
}

async function advance(tx: Transaction, batchId: string, batch: BatchState, { from, realNow }: { from: number; realNow: Date }): Promise<BatchState> {
  if (batch.status !== 'open') return batch;
  if (batch.opened_at < abandonedBefore(realNow)) return closeBatch(tx, batchId);
  const sealed = await openRows(tx, batchId, from, from + rowsPerChunk);
  const rows = sealed.map((row) => openRow(tx, batchId, row));
  await writeRowOutcomes(tx, batchId, await createStudents(tx, rows, batch.first_number + batch.created));
  return finishBatch(tx, batchId);
}

async function createStudents(tx: Transaction, rows: readonly OpenedRow[], firstNumber: number): Promise<RowOutcome[]> {
  const { created, refused, repeated } = await decideRows(tx, rows);
  const students = await provisionPeople(tx, 'student', created.map(personOf), firstNumber);
  const outcomes = new Map(created.map((row, nth) => [row, createdOutcome(row, students[nth])]));
  return [
    ...outcomes.values(),
    ...refused.map(({ row, error }) => conflictOutcome(row, error)),
    ...repeated.map(({ row, first }) => conflictOutcome(row, studentIdTaken(existingOf(outcomes.get(first))))),
  ];
}

function personOf(row: OpenedRow): NewPerson {
  return {
    fullName: row.full_name,
    externalId: row.external_id,
    licenseDays: row.license_days,
    personalEmail: row.email,
  };
}

function createdOutcome({ index }: OpenedRow, student: ProvisionedAccount | undefined): RowOutcome {
  if (student === undefined) throw new Error('Provisioning returned fewer students than requested');
  return { index, user_id: student.id, login_email: student.loginEmail, error: null, message: null, existing: null };
}

function conflictOutcome({ index }: OpenedRow, { code, message, details }: DomainError): RowOutcome {
  return { index, user_id: null, login_email: null, error: code, message, existing: details.existing ?? null };
}

function existingOf(outcome: RowOutcome | undefined): ExistingStudent {
  if (outcome?.user_id == null || outcome.login_email === null) throw new Error('The first student of two was not created');
  return { id: outcome.user_id, login_email: outcome.login_email };
}
