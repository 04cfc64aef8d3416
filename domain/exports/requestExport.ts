import { findNewestExport, findPreparingExport, insertExport, type ExportRow } from '../../db/repositories/exports/exports';
import { lockStudent } from '../../db/repositories/students/students';
import type { InstitutionScope } from '../../db/database';
import type { Transaction } from '../context';
import { requireNotErased } from '../erasure/requireNotErased';
import { requireFound } from '../errors';
import { newId } from '../ids';
import { exportWorkflowId } from '../outbox/workflows';
import { requireStudent, studentLookup } from '../students/requireStudent';

/** Starts an export of a student's data; one that is being prepared with the same contents is returned as it is. `conflict` if the student was erased. */
export async function exportStudent(tx: Transaction, idOrEmail: string, withRecordings: boolean): Promise<ExportRow> {
  const student = requireFound(await lockStudent(tx, idOrEmail), 'student', studentLookup);
  requireNotErased(student, 'student', 'nothing is left to export, and GET …/erasure has the certificate');
  const preparing = await findPreparingExport(tx, student.id, withRecordings);
  if (preparing !== undefined) return preparing;
  const number = ((await findNewestExport(tx, student.id))?.number ?? 0) + 1;
  const started = await insertExport(tx, { id: newId('exp'), personId: student.id, number, withRecordings }, tx.now);
  tx.startWorkflow('personExport', exportWorkflowId(student.id, number), { exportId: started.id, institutionId: tx.institutionId });
  return started;
}

/** Returns the newest export of a student; `not_found` if there is none. */
export async function requireExport(scope: InstitutionScope, idOrEmail: string): Promise<ExportRow> {
  const student = await requireStudent(scope, idOrEmail);
  const newest = requireFound(await findNewestExport(scope, student.id), 'export', { hint: 'POST …/export begins one.' });
  return newest;
}
