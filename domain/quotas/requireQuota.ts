import type { InstitutionScope } from '../../db/database';
import { lockQuotas, type QuotasRow } from '../../db/repositories/quotas/quotas';
import { foldInstitutionBytes, lockUploadingStudent, sumAttemptBytes, sumInstitutionBytes, sumStudentBytes } from '../../db/repositories/quotas/storedBytes';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { readQuotas } from './quotas';

type ByteQuota = 'attempt_bytes' | 'student_bytes' | 'institution_bytes';

const owners: Record<ByteQuota, string> = { attempt_bytes: 'the attempt', student_bytes: 'the student', institution_bytes: 'the institution' };

function requireWithin(quota: ByteQuota, limit: number | null, bytes: number): void {
  if (limit === null || bytes <= limit) return;
  throw new DomainError('file_too_large', `The file exceeds the quota ${quota}: all files of ${owners[quota]} together may have ${limit} bytes.`);
}

/** Rows of which an institution's bytes may be the sum before an upload folds them. */
const maxRows = 200;

/** Whose file an upload is, in addition to the institution's. */
export interface AttemptOwner {
  attemptId: string;
  studentId: string;
}

/**
 * `file_too_large`, naming the quota, if the institution may not store `size` more bytes. The institution's uploads wait for
 * each other from here to the commit, and only if it has a quota of its own: call it last.
 */
export async function requireInstitutionQuota(tx: Transaction, size: number): Promise<void> {
  const { institution_bytes: limit } = await readQuotas(tx);
  if (limit === null) return;
  const locked = await lockQuotas(tx);
  // A statement of its own, after the lock, so that the files of uploads that held it are counted.
  const { bytes, rows } = await sumInstitutionBytes(tx);
  requireWithin('institution_bytes', locked?.institution_bytes ?? null, bytes + size);
  if (rows > maxRows) await foldInstitutionBytes(tx);
}

async function requireOwnerQuotas(scope: InstitutionScope, quotas: QuotasRow, { attemptId, studentId }: AttemptOwner, size: number): Promise<void> {
  requireWithin('attempt_bytes', quotas.attempt_bytes, (await sumAttemptBytes(scope, attemptId)) + size);
  requireWithin('student_bytes', quotas.student_bytes, (await sumStudentBytes(scope, studentId)) + size);
}

/**
 * Locks the student, so that no other upload of theirs is counted before the commit; before the attempt is locked. `unauthorized` if
 * they were suspended or erased since the upload began, which ended their session.
 */
export async function lockStudentForUpload(tx: Transaction, { studentId }: AttemptOwner): Promise<void> {
  if (!(await lockUploadingStudent(tx, studentId))) throw new DomainError('unauthorized', 'The session of the student has ended.');
}

/** `file_too_large`, naming the quota, if the locked student may not store `size` more bytes for the attempt, or the institution as a whole. */
export async function requireAttemptQuotas(tx: Transaction, owner: AttemptOwner, size: number): Promise<void> {
  await requireOwnerQuotas(tx, await readQuotas(tx), owner, size);
  await requireInstitutionQuota(tx, size);
}

/** Rejects an upload before it is read if a quota has no room for a single byte; without locks, so others are found later. */
export async function requireRoomForUpload(reads: InstitutionScope, owner?: AttemptOwner): Promise<void> {
  const quotas = await readQuotas(reads);
  if (owner !== undefined) await requireOwnerQuotas(reads, quotas, owner, 1);
  if (quotas.institution_bytes !== null) requireWithin('institution_bytes', quotas.institution_bytes, (await sumInstitutionBytes(reads)).bytes + 1);
}
