import { reserveNumbers } from '../../db/repositories/people/people';
import { insertBatch, type NewBatchRow } from '../../db/repositories/provisioning/batches';
import { findLoginEmails } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { DomainError, type Issue } from '../errors';
import { newId } from '../ids';
import { canonicalEmail } from '../people/personalEmail';
import { loginEmailGiven } from '../people/requireNotLoginEmail';
import { toNewPerson, type NewStudent } from '../students/createStudent';
import type { BatchReference } from './batch';
import { rowPlace } from './batchEmails';

/** One item of a bulk call: a student to create, or the error of an invalid item. */
export type BatchItem = { student: NewStudent } | { rejected: DomainError };

/** An opened batch; `open` is the number of rows still to be created. */
export interface OpenedBatch extends BatchReference {
  open: number;
}

/** How a batch is opened; `realNow` is not the time by the clock of a sandbox. */
export interface BatchOpening {
  hasIdempotencyKey: boolean;
  realNow: Date;
}

/**
 * Stores a bulk call as a batch of rows (section Students, POST /students/bulk). Invalid items, and those whose personal
 * email is a login email or occurs in an earlier item, are stored with their error; personal emails are stored encrypted. An item with both
 * email and `student_id` of an earlier one is decided with its chunk, which knows what became of that. Reserves the
 * numbers, so that a call's students are numbered without gaps despite concurrent calls. Of the idempotency key only whether there
 * was one is stored.
 */
export async function openBatch(tx: Transaction, items: readonly BatchItem[], { hasIdempotencyKey, realNow }: BatchOpening): Promise<OpenedBatch> {
  const batchId = newId('bulk');
  const rows = rejectDuplicateEmails((await rejectLoginEmails(tx, items)).map((item, index) => rowOf(tx, batchId, item, index)));
  const open = rows.filter(({ error }) => error === null).length;
  const firstNumber = await reserveNumbers(tx, 'student', open);
  await insertBatch(tx, { id: batchId, status: open > 0 ? 'open' : 'done', firstNumber, hasIdempotencyKey, now: tx.now, openedAt: realNow }, rows);
  return { batchId, institutionId: tx.institutionId, total: rows.length, open };
}

const emailOf = (item: BatchItem): string | undefined => ('student' in item && item.student.personal_email ? canonicalEmail(item.student.personal_email) : undefined);

async function rejectLoginEmails(tx: Transaction, items: readonly BatchItem[]): Promise<BatchItem[]> {
  const loginEmails = await findLoginEmails(tx, items.flatMap((item) => emailOf(item) ?? []));
  return items.map((item) => (loginEmails.has(emailOf(item) ?? '') ? { rejected: loginEmailGiven('personal_email') } : item));
}

const emptyRow = {
  full_name: null, external_id: null, license_days: null, personal_email_sealed: null, personal_email_hmac: null,
  error: null, message: null, issues: null,
};

function rowOf({ institutionId, secrets }: Transaction, batchId: string, item: BatchItem, index: number): NewBatchRow {
  if ('rejected' in item) return { index, ...rejectedRow(item.rejected) };
  const { fullName, externalId, licenseDays, personalEmail } = toNewPerson(item.student);
  const email = personalEmail === null ? null : canonicalEmail(personalEmail);
  return {
    ...emptyRow,
    index,
    full_name: fullName,
    external_id: externalId,
    license_days: licenseDays,
    personal_email_sealed: email === null ? null : secrets.seal(email, rowPlace(institutionId, batchId, index)),
    personal_email_hmac: email === null ? null : secrets.fingerprint('personal_email', email).toString('hex'),
  };
}

/** Returns the row of a rejected item, which stores only the error. */
function rejectedRow({ code, message, details }: DomainError): Omit<NewBatchRow, 'index'> {
  return { ...emptyRow, error: code, message: storableText(message), issues: details.issues?.map(storableIssue) ?? null };
}

/** Names of unknown fields come from the caller: characters that Postgres cannot store are replaced. */
const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{fffd}');
const storableIssue = ({ path, message }: Issue): Issue => ({ path: storableText(path), message: storableText(message) });

/** Returns the error of an item whose personal email an earlier item of the call has, by the index of that one. */
export const duplicateEmail = (first: number): DomainError => new DomainError('conflict', `An earlier student of this call, with the index ${first}, has the same personal email.`);

function rejectDuplicateEmails(rows: readonly NewBatchRow[]): NewBatchRow[] {
  const seen = new Map<string, { first: number; firstStudentId: string | null }>();
  return rows.map((row) => {
    const { index, personal_email_hmac: fingerprint, external_id: studentId } = row;
    if (fingerprint === null) return row;
    const found = seen.get(fingerprint);
    if (found === undefined) {
      seen.set(fingerprint, { first: index, firstStudentId: studentId });
      return row;
    }
    return found.firstStudentId !== null && found.firstStudentId === studentId ? row : { index, ...rejectedRow(duplicateEmail(found.first)) };
  });
}
