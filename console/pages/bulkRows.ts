import { findBatch, listFailedRows, readBatch, type BatchState, type FailedRow } from '../../db/repositories/provisioning/batches';
import { institutionScope, type InstitutionScope } from '../../db/database';
import type { FoundItem } from '../../domain/support/search';
import { html, type Html, type HtmlValue } from '../html';
import { badge, workflowLink } from '../components';
import { timesOf, untilElement, type Times } from '../format';
import type { ConsoleRequest } from '../consoleRequest';

type Row = readonly [name: string, value: HtmlValue];

const dayMs = 86_400_000;

/** The fields of an item; the name of any other, which the service does not know, is the caller's own text. */
const itemFields: ReadonlySet<string> = new Set(['full_name', 'student_id', 'personal_email', 'license_days']);

/** Returns an error with the fields that it is about, as "validation_error, student_id". */
function reasonOf({ error, fields }: FailedRow): string {
  if (error === 'conflict') return 'conflict, the personal email or the student_id is taken';
  return [error, ...new Set(fields.map((field) => (itemFields.has(field) ? field : 'a field that the service does not know')))].join(', ');
}

/** Returns which items failed, by error and fields, by their index in the call. */
function failedText(rows: readonly FailedRow[]): Html {
  const reasons = new Map<string, number[]>();
  for (const row of rows) reasons.set(reasonOf(row), [...(reasons.get(reasonOf(row)) ?? []), row.index]);
  return html`${[...reasons].map(([reason, indexes]) => html`<span class="second">${reason}: index ${indexes.join(', ')}</span>`)}<span class="second">the first item has index 0; the message of each is in the answer of the call alone</span>`;
}

const key = html`<code>Idempotency-Key</code>`;

/** Says whether the call had an idempotency key; an earlier release did not store it. */
const keyText = (hasKey: boolean | null): Html => (hasKey === null ? html`not stored whether it had an ${key}: the call was made before version 0.18.0` : html`${hasKey ? 'with' : 'without'} an ${key}`);

/** Says whether the school may repeat the call, and what it sends for those that failed. */
function repeatText({ has_idempotency_key: hasKey, created_at: createdAt }: BatchState, times: Times): Html {
  const until = new Date(createdAt.getTime() + dayMs);
  const isOver = until <= times.now;
  const others = 'that would create the others again';
  const failedAlone = html`it sends those that failed alone, in a new call${hasKey === true ? ' with a new key' : ''}`;
  if (isOver || hasKey === false) return html`no: ${others}; the school compares its list with <code>GET /v1/students</code>, and ${failedAlone}`;
  const sameAnswer = html`exactly as it was until ${untilElement(until, times)}: the school gets the whole answer again, and nobody is created twice`;
  if (hasKey === true) return html`yes, with its ${key}, ${sameAnswer}; then ${failedAlone}`;
  return html`with its ${key}, if it had one, ${sameAnswer}; without one no: ${others}`;
}

/** Returns what became of a bulk call, which is a workflow with the id of its batch. */
export async function bulkRows(request: ConsoleRequest, scope: InstitutionScope, { id }: FoundItem, times: Times): Promise<Row[]> {
  const batch = await readBatch(scope, id);
  const { status, created, failed, open, has_idempotency_key: hasKey } = batch;
  return [
    ['Status', badge(status)],
    ['Students', `${created} created, ${failed} failed${open === 0 ? '' : `, ${open} open`}`],
    ['Sent', keyText(hasKey)],
    ...(failed === 0 ? [] : [['Which failed', failedText(await listFailedRows(scope, id))] as const, ['To be repeated', repeatText(batch, times)] as const]),
    ['Workflow', html`${workflowLink(request, id)}${created + open > 0 ? null : html`<span class="second">none was needed if no item was valid</span>`}`],
  ];
}

/** Returns whether the bulk call of a write had an idempotency key and may be repeated; nothing of any other write. */
export async function bulkCallRows(request: ConsoleRequest, { call, institution_id: institutionId, time_zone: timeZone, clock_offset_ms: offset }: FoundItem): Promise<Row[]> {
  const id = call?.target.created;
  if (typeof id !== 'string' || !id.startsWith('bulk_') || institutionId === null) return [];
  const batch = await findBatch(institutionScope(request.deps.domain.database, institutionId), id);
  if (batch === undefined) return [];
  const times = timesOf(request, { time_zone: timeZone ?? 'UTC', clock_offset_ms: offset ?? 0 });
  return [['Sent', keyText(batch.has_idempotency_key)], ...(batch.failed === 0 ? [] : [['To be repeated', repeatText(batch, times)] as const])];
}
