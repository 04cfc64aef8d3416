import { findBatch, listCreatedRows, listFailedRows, type BatchState, type CreatedRow, type FailedRow } from '../../db/repositories/provisioning/batches';
import { institutionScope, type Database, type InstitutionScope } from '../../db/database';
import type { SearchResult } from './search';

const dayMs = 86_400_000;

/** The fields of an item; the name of any other, which the service does not know, is the caller's own text. */
const itemFields: ReadonlySet<string> = new Set(['full_name', 'student_id', 'personal_email', 'license_days']);

/** A failed item of a bulk call as support sees it; null among its fields stands for those that the service does not know. */
export interface FailedItem extends Omit<FailedRow, 'fields'> {
  fields: (string | null)[];
  /** The error and its fields, in words. */
  reason: string;
}

/** What became of a bulk call, as support sees it: nothing that the call had in it. */
export interface BulkCall extends BatchState {
  failedItems: FailedItem[];
  createdItems: CreatedRow[];
  /** Whether the school may repeat it; null if no item failed. */
  repeat: string | null;
}

/** A part of a sentence: text, a name of the API, or a time. */
export type SentencePart = string | { code: string } | { until: Date };

function reasonOf(error: FailedRow['error'], fields: readonly (string | null)[]): string {
  const named = fields.map((field) => field ?? 'a field that the service does not know');
  return error === 'conflict' ? `conflict, another student has this ${named.join()}` : [error, ...named].join(', ');
}

/** Returns the failed items of a bulk call in the order of the call. */
export async function readFailedItems(scope: InstitutionScope, id: string): Promise<FailedItem[]> {
  const rows = await listFailedRows(scope, id);
  return rows.map(({ index, error, fields: paths }) => {
    const fields = [...new Set(paths.map((path) => (itemFields.has(path) ? path : null)))];
    return { index, error, fields, reason: reasonOf(error, fields) };
  });
}

/**
 * When a call was made, by the real time, by which its idempotency key goes: `created_at` is by the clock of the institution, which
 * in a sandbox may be ahead, and `opened_at` of calls of earlier releases is when the column came.
 */
const madeAt = ({ created_at: createdAt, opened_at: openedAt }: BatchState): number => Math.min(createdAt.getTime(), openedAt.getTime());

/** Returns whether the school may repeat a bulk call of which items failed, and what it sends for those, as parts of a sentence; times in it are real ones. */
export function repeatSentence(batch: BatchState, realNow: Date): SentencePart[] {
  const { has_idempotency_key: hasKey } = batch;
  const until = new Date(madeAt(batch) + dayMs);
  const key = { code: 'Idempotency-Key' };
  const others = 'that would create the others again, those with a student_id unless the school has set unique_student_ids';
  const failedAlone = `it sends those that failed alone, in a new call${hasKey === true ? ' with a new key' : ''}`;
  if (until <= realNow || hasKey === false) return [`no: ${others}; the school compares its list with `, { code: 'GET /v1/students' }, `, and ${failedAlone}`];
  const sameAnswer = ['exactly as it was until ', { until }, ': the school gets the whole answer again, and nobody is created twice'];
  if (hasKey === true) return ['yes, with its ', key, ', ', ...sameAnswer, `; then ${failedAlone}`];
  return ['with its ', key, ', if it had one, ', ...sameAnswer, `; without one no: ${others}`];
}

/** Returns a sentence as plain text, with its times in UTC. */
const plainText = (parts: readonly SentencePart[]): string => parts.map((part) => (typeof part === 'string' ? part : 'code' in part ? part.code : part.until.toISOString())).join('');

/** Returns what became of the bulk call that a search found; undefined if it found none. */
export async function findBulkCall(database: Database, { items: [found] }: Pick<SearchResult, 'items'>, realNow: Date): Promise<BulkCall | undefined> {
  if (found === undefined || found.institution_id === null || found.kind !== 'bulk provisioning') return undefined;
  const scope = institutionScope(database, found.institution_id);
  const batch = await findBatch(scope, found.id);
  if (batch === undefined) return undefined;
  const [failedItems, createdItems] = await Promise.all([readFailedItems(scope, found.id), listCreatedRows(scope, found.id)]);
  return { ...batch, failedItems, createdItems, repeat: batch.failed === 0 ? null : plainText(repeatSentence(batch, realNow)) };
}
