import { readDeliveryPage } from '../../db/repositories/support/deliveries';
import { listSupportEndpoints, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { findInstitution, type InstitutionRow } from '../../db/repositories/institutions/institutions';
import { findLastChange, type AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { readConfig } from '../../db/repositories/institutions/profile';
import { institutionScope, type Database } from '../../db/database';
import { DomainError } from '../../domain/errors';
import { html, type Html } from '../html';
import { badge, sandboxBadge, breadcrumbs, idCode, idLink, emptyState, section, table, type Column } from '../components';
import { breakable, endpointLink } from '../endpointName';
import { count, timeElement, timesOf, inlineTimeElement, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { changeText } from './auditedCall';
import { deliveryTable } from './deliveryTable';
import { readEventSubjects } from './eventSubjects';
import { offboardingNotice } from './offboardingNotice';
import { healthOf, urgentFirst } from './health';

const deliveriesShown = 10;

/** Returns the institution of a page. Throws `not_found` for an unknown id. */
export async function requireInstitution({ deps }: ConsoleRequest, institutionId: string): Promise<InstitutionRow> {
  const found = await findInstitution(institutionScope(deps.domain.database, institutionId));
  if (found === undefined) throw new DomainError('not_found', `There is no institution ${institutionId}.`);
  return found;
}

function statusNotice({ status, suspended_at }: InstitutionRow, suspension: AuditedChange | undefined, times: Times): Html | null {
  if (status === 'approved') return null;
  if (suspended_at === null) return html`<p class="notice warn">This institution is ${status}: its keys do not work yet, and its deliveries are held.</p>`;
  return html`<p class="notice warn">Suspended ${inlineTimeElement(suspended_at, times)}: its keys do not work, and its deliveries are held until it is approved again.${changeText(suspension, times)}</p>`;
}

/** Returns who suspended an institution: a sandbox is suspended with its institution. */
function readSuspension(database: Database, { id, sandbox_of, suspended_at }: InstitutionRow): Promise<AuditedChange | undefined> {
  const named = sandbox_of ?? id;
  return suspended_at === null ? Promise.resolve(undefined) : findLastChange(institutionScope(database, named), ['suspendInstitution'], named);
}

/** Recommends enrolment codes where the institution requires none. */
const enrolmentNotice = (isRequired: boolean): Html | null =>
  isRequired ? null : html`<p class="notice calm">Enrolment codes are not required: anyone who knows the login email of a student without a personal email can claim the account. Recommended: <code>require_enrolment_code</code> in the institution's config.</p>`;

/** The institution whose sandbox this is; nothing for any other. */
const sandboxParent = ({ sandbox_of }: InstitutionRow): Html | null =>
  sandbox_of === null ? null : html` · Sandbox of <a href="${href(pathTo.institution(sandbox_of))}">${sandbox_of}</a>`;

const endpointColumns = (times: Times): readonly Column<SupportEndpoint>[] => [
  { title: 'Endpoint', cell: (row) => html`${endpointLink(row)}<span class="second"><code>${row.id}</code></span>` },
  { title: 'Health', cell: (row) => badge(healthOf(row).badge, healthOf(row).label) },
  { title: 'Open', cell: ({ open }) => count(open), numeric: true },
  { title: 'Last success', cell: ({ last_success_at }) => timeElement(last_success_at, times, 'never') },
  { title: 'Last failure', cell: ({ last_failure_at }) => timeElement(last_failure_at, times, 'never') },
];

/** Returns the links to the lists of an institution: those that the person may see. */
function listLinks({ staff }: ConsoleRequest, institutionId: string): Html {
  const ofOperators = staff.role === 'operator' ? [[pathTo.couponBatches, 'Coupon batches'], [pathTo.keys, 'Keys']] as const : [];
  const lists = [[pathTo.events, 'Events'], [pathTo.deliveries, 'Deliveries'], [pathTo.auditLog, 'Audit log'], ...ofOperators] as const;
  return html`<nav class="actions" aria-label="Lists of this institution">${lists.map(([path, name]) => html`<a class="button plain" href="${href(path(institutionId))}">${name}</a>`)}</nav>`;
}

/** Shows an institution: its endpoints with their health, those that do not work first, and its newest deliveries. */
export async function institutionPage(request: ConsoleRequest): Promise<Page> {
  const { deps } = request;
  const { sql } = deps.domain.database;
  const institution = await requireInstitution(request, idParam(request));
  const times = timesOf(request, institution);
  const everything = { status: undefined, endpointId: undefined, eventType: undefined, responseCode: undefined, errorClass: undefined, late: false, since: undefined, until: undefined };
  const [endpoints, newest, config, suspension, leaving] = await Promise.all([
    listSupportEndpoints(sql, institution.id),
    readDeliveryPage(sql, { institutionId: institution.id, ...everything }, undefined, deliveriesShown),
    readConfig(institutionScope(deps.domain.database, institution.id)),
    readSuspension(deps.domain.database, institution),
    offboardingNotice(deps.domain.database, institution, times),
  ]);
  const subjects = await readEventSubjects(institutionScope(deps.domain.database, institution.id), newest.rows.map(({ event_id }) => event_id));
  const links = html`<nav class="links" aria-label="Deliveries by status">
    ${['open', 'retrying', 'held', 'dead'].map((status) => html`<a href="${href(pathTo.deliveries(institution.id), { status })}">${status}</a>`)}
    <a href="${href(pathTo.deliveries(institution.id))}">all deliveries</a></nav>`;
  return {
    title: institution.name,
    times,
    body: html`${breadcrumbs()}
      <div class="head"><div class="title"><div class="title-line"><h1>${institution.name}</h1>${badge(institution.status)} ${sandboxBadge(institution)}</div>
        <p class="sub">${idCode(institution.id)} ${breakable(institution.login_domain)} · ${institution.time_zone}${institution.admin_id === null ? null : html` · Admin ${idLink(institution.admin_id)}`}${sandboxParent(institution)}</p></div>
        ${listLinks(request, institution.id)}</div>
      ${statusNotice(institution, suspension, times)}${leaving}
      ${section('endpoints', 'Endpoints', endpoints.length > 0
        ? table('Endpoints', endpointColumns(times), urgentFirst(endpoints), (row) => row.id)
        : emptyState('This institution has no webhook endpoint.'))}
      ${section('deliveries', 'Newest deliveries', newest.rows.length > 0
        ? deliveryTable('Newest deliveries', newest.rows, subjects, times)
        : emptyState('There are no deliveries yet.'), links)}
      ${institution.sandbox_of === null ? enrolmentNotice(config?.require_enrolment_code === true) : null}`,
  };
}
