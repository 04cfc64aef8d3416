import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { findBatch, type BatchRow } from '../../db/repositories/coupons/batches';
import { findLastDisclosure, type DisclosureRow } from '../../db/repositories/disclosures/disclosures';
import { findExport, findNextExportTime, type ExportRow } from '../../db/repositories/exports/exports';
import { findGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardians/links';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { toRealTime } from '../../domain/clock';
import { batchStatusAt, decisionStateAt } from '../../domain/coupons/transitions';
import { linkStatus } from '../../domain/guardians/linkStatus';
import { exportWorkflowId, guardianInvitationWorkflowId } from '../../domain/outbox/workflows';
import { readBatchDecision } from '../../domain/support/changedBy';
import type { FoundItem } from '../../domain/support/search';
import { html, type Html, type HtmlValue } from '../html';
import { badge, idLink, workflowLink } from '../components';
import { realOf, timeElement, type Times } from '../format';
import type { ConsoleRequest } from '../consoleRequest';
import { callerText } from './auditedCall';
import { amountText } from './couponBatches';
import { waitingInvitation } from './waitingInvitation';
import { invitationWorkflow } from './workflowState';

type Row = readonly [name: string, value: HtmlValue];

async function guardianLinkRows(request: ConsoleRequest, link: GuardianLinkRow, times: Times): Promise<Row[]> {
  const { id, student_id, student_status, person_id, invitation, invited_at, expires_at, accepted_at, verified_at } = link;
  const status = linkStatus(link, times.now);
  return [
    ['Status', badge(status)],
    ['Student', html`${idLink(student_id)}${waitingInvitation(status, student_status)}`],
    ['Guardian', idLink(person_id)],
    ['Invited', html`${timeElement(invited_at, times)}${invitation > 1 ? html`<span class="second">by email ${invitation}</span>` : null}`],
    ['Accepted', timeElement(accepted_at, times, 'not yet')],
    ...(verified_at === null ? [['Expires', timeElement(expires_at, times)] as const] : [['Verified', timeElement(verified_at, times)] as const]),
    ['Workflow', await invitationWorkflow(request, guardianInvitationWorkflowId(id, invitation), times)],
  ];
}

/** Who decides about a batch, and how. */
const undecided = (id: string): Html => html`by nobody yet: operators decide, with <code>institution coupons approve ${id}</code> or <code>reject</code>`;

function decisionText(batch: BatchRow, change: AuditedChange | undefined, times: Times): HtmlValue {
  const { id, decision, decided_at, reason } = batch;
  if (decision !== null) return html`${decision}${reason === null ? null : html`, “${reason}”`} ${timeElement(decided_at, times)}${change === undefined ? null : html` by ${callerText(change)}`}`;
  return decisionStateAt(batch, times.now) === 'expired' ? 'nobody decided before it expired; the institution requests another' : undecided(id);
}

function couponBatchRows(request: ConsoleRequest, batch: BatchRow, change: AuditedChange | undefined, times: Times): Row[] {
  const { id, name, codes_made, redeemed_count, expiry_date } = batch;
  return [
    ['Name', name],
    ['Status', badge(batchStatusAt(batch, times.now))],
    ['Amount', amountText(batch)],
    ['Decided', decisionText(batch, change, times)],
    ['Codes', `${codes_made.toLocaleString('en')} made, ${redeemed_count.toLocaleString('en')} redeemed`],
    ['Expires', timeElement(expiry_date, times)],
    ['Workflow', workflowLink(request, id)],
  ];
}

/** Says when a URL of an export's archive was last given to a program of the school, and to which: by the record of disclosures, a moment after it. */
function fetchedText(last: DisclosureRow | undefined, times: Times): HtmlValue {
  if (last === undefined) return 'never';
  const { actor_id, actor_name, request_id } = last;
  return html`${timeElement(last.at, realOf(times))}<span class="second">${actor_name === null ? null : `“${actor_name}” `}${idLink(actor_id)}, request <code>${request_id}</code></span>`;
}

/** Returns the last call that gave a URL of an export's archive: from when another export is asked for, a URL is one of that. */
async function findLastFetch(scope: InstitutionScope, found: ExportRow, times: Times): Promise<DisclosureRow | undefined> {
  if (found.ready_at === null) return undefined;
  const nextAt = await findNextExportTime(scope, found);
  return findLastDisclosure(scope, found.person_id, 'export', { since: toRealTime(times, found.ready_at), until: nextAt && toRealTime(times, nextAt) });
}

const exportRows = (request: ConsoleRequest, { person_id, number, status, with_recordings, ready_at, expires_at }: ExportRow, fetched: DisclosureRow | undefined, times: Times): Row[] => [
  ['Status', badge(status)],
  ['Of', idLink(person_id)],
  ['Recordings', with_recordings ? 'included' : 'not included'],
  ['Ready', timeElement(ready_at, times, 'not yet')],
  ...(ready_at === null ? [] : [['URL given last', fetchedText(fetched, times)] as const]),
  ...(expires_at === null ? [] : [['Expires', status === 'expired' && expires_at > times.now ? 'a newer export has replaced it' : timeElement(expires_at, times)] as const]),
  ['Workflow', workflowLink(request, exportWorkflowId(person_id, number))],
];

type RecordDetails = (request: ConsoleRequest, scope: InstitutionScope, id: string, times: Times) => Promise<Row[] | undefined>;

const details: Readonly<Record<string, RecordDetails>> = {
  'guardian link': async (request, scope, id, times) => {
    const found = await findGuardianLink(scope, id);
    return found && guardianLinkRows(request, found, times);
  },
  'coupon batch': async (request, scope, id, times) => {
    const found = await findBatch(scope, id);
    return found && couponBatchRows(request, found, await readBatchDecision(scope, found, times.clockOffsetMs), times);
  },
  'export of a person': async (request, scope, id, times) => {
    const found = await findExport(scope, id);
    if (found === undefined) return undefined;
    return exportRows(request, found, await findLastFetch(scope, found, times), times);
  },
};

/** Returns what support sees of something that waits for somebody, or for its workflow; undefined for anything else. Addresses, names of guardians and codes are never among it. */
export async function recordDetails(request: ConsoleRequest, { kind, id, institution_id }: FoundItem, times: Times): Promise<Row[] | undefined> {
  if (institution_id === null) return undefined;
  return details[kind]?.(request, institutionScope(request.deps.domain.database, institution_id), id, times);
}
