import { listAuditLogAfter, type AuditFilter, type AuditRow } from '../../db/repositories/auditLog/auditLog';
import { listKeyNames } from '../../db/repositories/keys/keys';
import { listReplayRefs, type DeliveryRef } from '../../db/repositories/webhooks/replays';
import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { statusByPath } from '../../domain/support/delay';
import { noMatchText } from '../../domain/audit/noMatch';
import { readTarget, type TypedTarget } from '../../domain/support/typedTarget';
import { bareText } from '../../lib/bareText';
import { html, type Html } from '../html';
import { breadcrumbs, emptyState, section, table, type Column } from '../components';
import { filterForm, groupedSelectField, isReversed, parseTimeRange, problemNotices, rangeNotice, textField, timeRangeFields, timeRangeQuery, type TimeRange } from '../filters';
import { realTimesOf, timeElement, timesOf, timeText, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { findVisibleStaffId } from '../staffEmail';
import { breakable } from '../endpointName';
import { actorText, targetList } from './auditedCall';
import { bulkCallNotice } from './bulkCall';
import { isOwnRef } from './replayRefs';
import { requireInstitution } from './institution';
import { filterText, formatCursor, listTitle, pager, parseCursor, perPage } from './listPage';

/** Whether a call replayed one delivery under a ref. */
const hasRef = ({ operation, changed }: AuditRow): boolean => operation === 'replayDelivery' && changed.includes('ref');

/** Returns the refs of the delivery that a call replayed: the log does not say which of several it gave. */
function refText({ target }: AuditRow, refs: readonly DeliveryRef[]): string {
  const quoted = refs.filter(({ delivery_id }) => Object.values(target).includes(delivery_id)).map(({ ref }) => `“${ref}”`);
  return quoted.length === 0 ? 'ref' : `ref ${quoted.length === 1 ? '' : 'one of '}${quoted.join(', ')}`;
}

/** What the service sets the status of an endpoint to by itself, and why. */
const disabledTexts: Readonly<Record<string, string>> = {
  disableGoneEndpoint: 'disabled by the service: its receiver answered 410 Gone',
  disableFailingEndpoint: 'disabled by the service: no attempt had succeeded for 72 hours',
};

function fieldText(field: string, row: AuditRow, refs: readonly DeliveryRef[]): string {
  const disabled = disabledTexts[row.operation];
  if (disabled !== undefined) return `${field} (${disabled})`;
  if (field === 'ref' && hasRef(row)) return refText(row, refs);
  if (row.operation !== 'updateWebhookEndpoint' || field !== 'status') return field;
  return `status (${statusByPath[row.path] ?? 'paused or active: values are not kept'})`;
}

const fields = (row: AuditRow, refs: readonly DeliveryRef[]): Html | null => (row.changed.length > 0 ? html`<span class="second">Fields: ${row.changed.map((field) => fieldText(field, row, refs)).join(', ')}</span>` : null);

/** Returns the refs of the deliveries that some rows replayed, which the log itself does not have. */
async function readRefs(scope: InstitutionScope, rows: readonly AuditRow[]): Promise<readonly DeliveryRef[]> {
  const refs = await listReplayRefs(scope, rows.filter(hasRef).flatMap(({ target }) => Object.values(target).filter((id) => id !== null)));
  return refs.filter(isOwnRef);
}

/** Returns the names of the keys that some rows are about, by their ids. */
async function readKeyNames(scope: InstitutionScope, rows: readonly AuditRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ target }) => Object.values(target)).filter((id) => id !== null).filter((id) => id.startsWith('key_'));
  return new Map((await listKeyNames(scope, ids)).map(({ id, name }) => [id, name]));
}

const columns = (times: Times, refs: readonly DeliveryRef[], keyNames: ReadonlyMap<string, string>, path: string): readonly Column<AuditRow>[] => [
  { title: 'Time, request', cell: (row) => html`${timeElement(row.at, times)}<span class="second"><code>${row.request_id}</code></span>` },
  { title: 'Who', cell: (row) => actorText(row, path) },
  { title: 'What', cell: (row) => html`${row.operation}<span class="second"><code class="route">${row.method} ${breakable(row.path)}</code></span>${fields(row, refs)}` },
  { title: 'Target', cell: ({ target }) => targetList(target, keyNames) },
];

type FilterTexts = Readonly<Record<'request' | 'actor' | 'operation' | 'target', string | undefined>>;

function parseFilters(query: URLSearchParams): FilterTexts {
  return { request: filterText(query, 'request'), actor: filterText(query, 'actor'), operation: filterText(query, 'operation'), target: filterText(query, 'target') };
}

/** Returns an id that somebody has typed as it is stored. */
const idOf = (typed: string | undefined): string | undefined => (typed === undefined ? undefined : bareText(typed));

const filterOf = ({ request, actor, operation }: FilterTexts, actorId: string | undefined, target: TypedTarget | undefined, { since, until }: TimeRange): AuditFilter =>
  ({ request_id: idOf(request), actor_id: actorId ?? idOf(actor), operation, targets: target?.names, since, until });

function auditFilters(action: string, operations: ReadonlyMap<string, readonly string[]>, { request, actor, operation, target }: FilterTexts, range: TimeRange, timeZone: string): Html {
  const isFiltered = [request, actor, operation, target, range.since, range.until].some((value) => value !== undefined);
  return filterForm(action, isFiltered, html`
    ${textField('request', 'Request id', request, 'req_…')}
    ${textField('actor', 'Actor', actor, 'key_…, stf_…')}
    ${textField('target', 'Target', target, 'id or login email')}
    ${groupedSelectField('operation', 'Operation', operations, operation)}
    ${timeRangeFields(range, timeZone)}`, { isOpen: isReversed(range) });
}

/** Returns where calls about a key of a sandbox are; null for any other target or institution. */
const keysElsewhere = ({ sandbox_of }: Pick<InstitutionRow, 'sandbox_of'>, { target }: FilterTexts): Html | null =>
  sandbox_of === null || idOf(target)?.startsWith('key_') !== true ? null
    : html` Keys of a sandbox are made and revoked in <a href="${href(pathTo.auditLog(sandbox_of), { target })}">the audit log of its institution</a>.`;

/** Whether a log is filtered by a target, and by nothing else. */
const isOfTargetAlone = ({ request, actor, operation, target }: FilterTexts, { since, until }: TimeRange): boolean =>
  target !== undefined && [request, actor, operation, since, until].every((value) => value === undefined);

/** Shows who changed what at an institution, newest first; the filters are in the query string. */
export async function auditLogPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const institution = await requireInstitution(request, idParam(request));
  const times = realTimesOf(request, institution);
  const scope = institutionScope(deps.domain.database, institution.id);
  const filterTexts = parseFilters(query);
  const range = parseTimeRange(query, institution.time_zone);
  const linked = { ...filterTexts, ...timeRangeQuery(range) };
  const after = parseCursor(query, 'aud_');
  const actorId = await findVisibleStaffId(request, filterTexts.actor ?? '');
  const target = filterTexts.target === undefined ? undefined : await readTarget(scope, filterTexts.target);
  const { rows, next, complete } = await listAuditLogAfter(scope, filterOf(filterTexts, actorId, target, range), after, perPage);
  const [refs, keyNames] = await Promise.all([readRefs(scope, rows), readKeyNames(scope, rows)]);
  const path = pathTo.auditLog(institution.id);
  return {
    title: `Audit log of ${institution.name}`,
    times: timesOf(request, institution),
    hasRealTimes: true,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <div class="head"><div class="title"><h1>Audit log</h1><p class="sub">Writes that succeeded, of keys, the portal, the platform and this console; kept for 400 days from the end of their month (UTC).${institution.clock_offset_ms === 0 ? null : ' The times of this log are the real time, not those of the clock of this sandbox.'}</p></div></div>
      ${auditFilters(href(path), deps.auditedOperations, filterTexts, range, institution.time_zone)}
      ${problemNotices(range.problems)}${rangeNotice(range)}
      ${section('calls', listTitle(after, times), rows.length > 0
        ? table('Calls', columns(times, refs, keyNames, path), rows, (row) => row.id)
        : emptyState(complete ? html`${['No call matches.', noMatchText({ ...filterTexts, actor: actorId ?? filterTexts.actor }), target?.unknown].filter((words) => words !== undefined).join(' ')}${keysElsewhere(institution, filterTexts)}` : 'No call matches among those searched so far.'))}
      ${next === undefined && isOfTargetAlone(filterTexts, range) ? await bulkCallNotice(request, institution, filterTexts.target, rows) : null}
      ${complete || next === undefined ? null : html`<p class="notice calm">Searched back to ${timeText(next.at, times)}; “Older” searches further.</p>`}
      ${pager({
        newest: after === undefined ? undefined : href(path, linked),
        older: next === undefined ? undefined : href(path, { ...linked, before: formatCursor(next) }),
      })}`,
  };
}
