import { newReadableCode, parseReadableCode } from '../../lib/readableCode';
import { countWrongEnrolmentTry, findEnrolmentCode, replaceEnrolmentCode } from '../../db/repositories/signIn/enrolmentCodes';
import { lockStudent, type StudentRow } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { requireNotErased } from '../erasure/requireNotErased';
import { DomainError, requireFound } from '../errors';
import { newId } from '../ids';
import { studentLookup } from '../students/requireStudent';
import { codeFingerprint, isCode } from './codeFingerprint';

const dayMs = 86_400_000;
const codeLength = 10;

/** How long an enrolment code is valid, in ms. */
const enrolmentCodeLifetimeMs = 30 * dayMs;

/** Wrong tries after which an enrolment code is invalid. */
const triesPerEnrolmentCode = 5;

/** Maximum number of students of one call for enrolment codes. */
export const maxEnrolmentCodes = 200;

/** A new enrolment code, in plain text only here. */
export interface IssuedEnrolmentCode {
  student: StudentRow;
  code: string;
  expiresAt: Date;
}

/**
 * Creates a student's enrolment code, valid for 30 days and 5 tries, in place of the previous one, which is no longer valid.
 * `conflict` for a student who was erased, or whose personal email is mapped: there is nothing to enrol. `not_found`.
 */
export async function createEnrolmentCode(tx: Transaction, idOrEmail: string): Promise<IssuedEnrolmentCode> {
  return replaceCodeOf(tx, requireFound(await lockStudent(tx, idOrEmail), 'student', studentLookup));
}

async function replaceCodeOf(tx: Transaction, student: StudentRow): Promise<IssuedEnrolmentCode> {
  requireNotErased(student, 'student');
  if (student.personal_email_mapped) throw new DomainError('conflict', 'This student has a mapped personal email already, to which sign-in codes are sent.');
  const id = newId('enc');
  const code = newReadableCode(codeLength);
  const expiresAt = new Date(tx.now.getTime() + enrolmentCodeLifetimeMs);
  await replaceEnrolmentCode(tx, { id, userId: student.id, codeHmac: codeFingerprint(tx.secrets, id, code), createdAt: tx.now, expiresAt });
  return { student, code, expiresAt };
}

/** The result for one student of a call for several. */
export type EnrolmentCodeResult = IssuedEnrolmentCode | { rejected: { code: 'not_found' | 'conflict'; message: string } };

/** Creates enrolment codes of several students; a student who gets none does not affect the others. Who is named twice gets one code. */
export async function createEnrolmentCodes(tx: Transaction, idsOrEmails: readonly string[]): Promise<EnrolmentCodeResult[]> {
  const done = new Set<string>();
  const results: EnrolmentCodeResult[] = [];
  for (const named of idsOrEmails) results.push(await createOnce(tx, named, done).catch(rejectedResult));
  return results;
}

async function createOnce(tx: Transaction, idOrEmail: string, done: Set<string>): Promise<IssuedEnrolmentCode> {
  const student = requireFound(await lockStudent(tx, idOrEmail), 'student', studentLookup);
  if (done.has(student.id)) throw new DomainError('conflict', 'This student is named twice in this call.');
  done.add(student.id);
  return replaceCodeOf(tx, student);
}

function rejectedResult(error: unknown): EnrolmentCodeResult {
  if (!(error instanceof DomainError) || (error.code !== 'not_found' && error.code !== 'conflict')) throw error;
  return { rejected: { code: error.code, message: error.message } };
}

/** Returns the id of a locked student's enrolment code if it is valid and this is it. A wrong one is counted; undefined. */
export async function checkEnrolmentCode(tx: Transaction, userId: string, typed: string | undefined): Promise<string | undefined> {
  const stored = typed === undefined ? undefined : await findEnrolmentCode(tx, userId);
  if (typed === undefined || stored?.used_at !== null || stored.expires_at <= tx.now || stored.wrong_tries >= triesPerEnrolmentCode) return undefined;
  const code = parseReadableCode(typed, codeLength);
  if (code !== undefined && isCode(tx.secrets, stored, code)) return stored.id;
  await countWrongEnrolmentTry(tx, stored.id);
  return undefined;
}

/** Whether a locked student's enrolment code that admitted an address is still the newest and unused. */
export async function isCurrentEnrolmentCode(tx: Transaction, userId: string, id: string | null): Promise<boolean> {
  const stored = await findEnrolmentCode(tx, userId);
  return stored?.id === id && stored.used_at === null;
}
