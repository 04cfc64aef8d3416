import { findBatch, listCreatedRows, readBatch, type BatchState, type CreatedRow } from '../../db/repositories/provisioning/batches';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { readFailedItems, repeatSentence, type FailedItem } from '../../domain/support/bulkCall';
import { indexesByReason } from '../../lib/indexesByReason';
import type { FoundItem } from '../../domain/support/search';
import { html, type Html, type HtmlValue } from '../html';
import { badge, idLink, workflowLink } from '../components';
import { realTimesOf, untilElement, type Times } from '../format';
import type { ConsoleRequest } from '../consoleRequest';

type Row = readonly [name: string, value: HtmlValue];

/** Returns which items failed, by error and fields, by their index in the call. */
function failedText(items: readonly FailedItem[]): Html {
  return html`${indexesByReason(items).map(({ reason, indexes }) => html`<span class="second">${reason}: ${indexes.map((index) => `item ${index + 1} (index ${index})`).join(', ')}</span>`)}<span class="second">the first item is item 1, with index 0; the message of each is in the answer of the call alone</span>`;
}

/** Returns which students were created, folded: a call has up to 200 of them. */
const createdText = (rows: readonly CreatedRow[]): Html =>
  html`<details id="created"><summary>${rows.length === 1 ? '1 student' : `${rows.length} students`}</summary>${rows.map(({ index, id }) => html`<span class="second">item ${index + 1} ${idLink(id)}</span>`)}</details><span class="second">their names: <code>institution search</code> of several ids</span>`;

const key = html`<code>Idempotency-Key</code>`;

/** Says whether the call had an idempotency key; an earlier release did not store it. */
const keyText = (hasKey: boolean | null): Html => (hasKey === null ? html`not stored whether it had an ${key}: the call was made before version 0.18.0` : html`${hasKey ? 'with' : 'without'} an ${key}`);

/** Says whether the school may repeat the call, and what it sends for those that failed. */
const repeatText = (batch: BatchState, realTimes: Times): Html =>
  html`${repeatSentence(batch, realTimes.now).map((part) => (typeof part === 'string' ? part : 'code' in part ? html`<code>${part.code}</code>` : untilElement(part.until, realTimes)))}`;

/** Returns what became of a bulk call, which is a workflow with the id of its batch. */
export async function bulkRows(request: ConsoleRequest, scope: InstitutionScope, { id }: FoundItem, { timeZone }: Times): Promise<Row[]> {
  const batch = await readBatch(scope, id);
  const { status, created, failed, open, has_idempotency_key: hasKey } = batch;
  return [
    ['Status', badge(status)],
    ['Students', `${created} created, ${failed} failed${open === 0 ? '' : `, ${open} open`}`],
    ...(created === 0 ? [] : [['Which were created', createdText(await listCreatedRows(scope, id))] as const]),
    ['Sent', keyText(hasKey)],
    ...(failed === 0 ? [] : [['Which failed', failedText(await readFailedItems(scope, id))] as const, ['To be repeated', repeatText(batch, realTimesOf(request, { time_zone: timeZone }))] as const]),
    ['Workflow', html`${workflowLink(request, id)}${created + open > 0 ? null : html`<span class="second">none was needed if no item was valid</span>`}`],
  ];
}

/** Returns whether the bulk call of a write had an idempotency key and may be repeated; nothing of any other write. */
export async function bulkCallRows(request: ConsoleRequest, { call, institution_id: institutionId, time_zone: timeZone }: FoundItem): Promise<Row[]> {
  const id = call?.target.created;
  if (typeof id !== 'string' || !id.startsWith('bulk_') || institutionId === null) return [];
  const batch = await findBatch(institutionScope(request.deps.domain.database, institutionId), id);
  if (batch === undefined) return [];
  const times = realTimesOf(request, { time_zone: timeZone ?? 'UTC' });
  return [['Sent', keyText(batch.has_idempotency_key)], ...(batch.failed === 0 ? [] : [['To be repeated', repeatText(batch, times)] as const])];
}
