import { takenPersonalEmails } from '../../db/repositories/people/people';
import { lockBatch, openRows, writeRowOutcomes, type BatchState, type OpenBatchRow, type RowOutcome } from '../../db/repositories/provisioning/batches';
import type { Transaction } from '../context';
import { emailTaken } from '../people/personalEmail';
import { provisionPeople, type NewPerson, type ProvisionedAccount } from '../people/provisionPeople';
import { abandonedBefore, rowsPerChunk, type BatchProgress } from './batch';
import { closeBatch, finishBatch } from './endBatch';

/**
 * Creates the students of one chunk, the rows from `from` on, and ends the batch with its last row. Idempotent: rows with
 * an outcome are skipped, and after the batch has ended nothing is created. A batch that its call abandoned is closed
 * instead. Undefined for an unknown batch. Fails with the unique violation of a personal email that another person mapped
 * concurrently: run it again.
 */
export async function provisionChunk(tx: Transaction, batchId: string, from: number): Promise<BatchProgress | undefined> {
  const batch = await lockBatch(tx, batchId);
  if (batch === undefined) return undefined;
  const { status, created, failed } = await advance(tx, batchId, batch, from);
  return { status, created, failed, next: from + rowsPerChunk };
}

async function advance(tx: Transaction, batchId: string, batch: BatchState, from: number): Promise<BatchState> {
  if (batch.status !== 'open') return batch;
  if (batch.created_at < abandonedBefore(tx.now)) return closeBatch(tx, batchId);
  const rows = await openRows(tx, batchId, from, from + rowsPerChunk);
  await writeRowOutcomes(tx, batchId, await createStudents(tx, rows, batch.first_number + batch.created));
  return finishBatch(tx, batchId);
}

async function createStudents(tx: Transaction, rows: readonly OpenBatchRow[], firstNumber: number): Promise<RowOutcome[]> {
  const fingerprints = rows.flatMap(({ personal_email_hmac: hmac }) => hmac ?? []);
  const taken = await takenPersonalEmails(tx, fingerprints);
  const isTaken = ({ personal_email_hmac: hmac }: OpenBatchRow): boolean => hmac !== null && taken.has(hmac.toString('hex'));
  const free = rows.filter((row) => !isTaken(row));
  const students = await provisionPeople(tx, 'student', free.map(personOf), firstNumber);
  return [...free.map((row, nth) => createdOutcome(row, students[nth])), ...rows.filter(isTaken).map(conflictOutcome)];
}

function personOf(row: OpenBatchRow): NewPerson {
  const { personal_email_sealed: sealed, personal_email_hmac: fingerprint } = row;
  return {
    fullName: row.full_name,
    externalId: row.external_id,
    licenseDays: row.license_days,
    personalEmail: sealed === null || fingerprint === null ? null : { sealed, fingerprint },
  };
}

function createdOutcome({ index }: OpenBatchRow, student: ProvisionedAccount | undefined): RowOutcome {
  if (student === undefined) throw new Error('Provisioning returned fewer students than requested');
  return { index, user_id: student.id, login_email: student.loginEmail, error: null, message: null };
}

function conflictOutcome({ index }: OpenBatchRow): RowOutcome {
  const { code, message } = emailTaken();
  return { index, user_id: null, login_email: null, error: code, message };
}
