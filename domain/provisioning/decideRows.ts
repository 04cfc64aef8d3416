import { findStudentIdHolders } from '../../db/repositories/students/uniqueStudentIds';
import type { Transaction } from '../context';
import type { DomainError } from '../errors';
import { takenEmails } from '../people/freeEmails';
import { emailTakenByExisting } from '../people/personalEmail';
import { studentIdTaken } from '../students/uniqueStudentIds';
import type { OpenedRow } from './batchEmails';
import { duplicateEmail } from './openBatch';

/** What becomes of the rows of a chunk, each in one of the lists. */
export interface DecidedRows {
  created: OpenedRow[];
  refused: { row: OpenedRow; error: DomainError }[];
  /** Rows with the `student_id` of a row that is created, where it must be unique. */
  repeated: { row: OpenedRow; first: OpenedRow }[];
}

/**
 * Decides what becomes of the rows of a chunk, in their order: a `student_id` that must be unique, then a personal email, is
 * used already, by a student or by an earlier row that is created.
 */
export async function decideRows(tx: Transaction, rows: readonly OpenedRow[]): Promise<DecidedRows> {
  const holders = await findStudentIdHolders(tx, rows.flatMap(({ external_id: id }) => id ?? []));
  const taken = await takenEmails(tx, rows.flatMap(({ email }) => email ?? []));
  const decided: DecidedRows = { created: [], refused: [], repeated: [] };
  const firstByStudentId = new Map<string, OpenedRow>();
  const firstByEmail = new Map<string, OpenedRow>();
  for (const row of rows) {
    const studentId = holders === undefined ? null : row.external_id;
    const { email } = row;
    const holder = studentId === null ? undefined : holders?.get(studentId);
    const first = studentId === null ? undefined : firstByStudentId.get(studentId);
    const firstOfEmail = email === null ? undefined : firstByEmail.get(email);
    if (holder !== undefined) decided.refused.push({ row, error: studentIdTaken(holder) });
    else if (first !== undefined) decided.repeated.push({ row, first });
    else if (email !== null && taken.has(email)) decided.refused.push({ row, error: emailTakenByExisting() });
    else if (firstOfEmail !== undefined) decided.refused.push({ row, error: duplicateEmail(firstOfEmail.index) });
    else {
      decided.created.push(row);
      if (studentId !== null) firstByStudentId.set(studentId, row);
      if (email !== null) firstByEmail.set(email, row);
    }
  }
  return decided;
}
