import { findLastChange, type AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { findFoundKey, findFoundLicense, findFoundWork, type FoundKey, type FoundLicense, type FoundWork } from '../../db/repositories/support/found';
import { findStaff } from '../../db/repositories/staff/staff';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { keyStatusAt } from '../../domain/keys/keyStatus';
import { licenseStatusAt } from '../../domain/licenses/expiry';
import { readKeyCreation, readKeyRevocation } from '../../domain/support/changedBy';
import { readLicenseChange, readPersonAccount } from '../../domain/support/personAccount';
import type { FoundItem } from '../../domain/support/search';
import { readSeat } from '../../domain/support/seatEnd';
import { html, type Html, type HtmlValue } from '../html';
import { badge, idCode, idLink } from '../components';
import { inlineTimeElement, minuteElement, timeElement, type Times } from '../format';
import { href, pathTo, type ConsoleRequest } from '../consoleRequest';
import { callerText, changeText } from './auditedCall';
import { bulkRows } from './bulkRows';
import { finalText, personRows } from './personRows';
import { seatRows } from './seatRows';

type Row = readonly [name: string, value: HtmlValue];

const licenseRows = ({ license_type, status, expires_at, user_id }: FoundLicense, { change, newEnd }: { change: AuditedChange | undefined; newEnd: AuditedChange | undefined }, times: Times): Row[] => [
  ['Status', html`${badge(licenseStatusAt(status, expires_at, times.now))}${changeText(change, times)}${finalText(status)}`],
  ['Type', license_type],
  ['Ends', html`${timeElement(expires_at, times, 'never')}${newEnd === undefined ? null : html`<span class="second">set last:</span>${changeText(newEnd, times)}`}`],
  ...(user_id === null ? [] : [['Belongs to', idLink(user_id)] as const]),
];

/** Who made and who revoked a key, where the audit log says it. */
interface KeyChanges {
  creation: AuditedChange | undefined;
  revocation: AuditedChange | undefined;
}

function creatorText({ created_by }: FoundKey, creation: AuditedChange | undefined): HtmlValue {
  if (created_by === 'platform') return html`platform, for the school${creation === undefined ? null : html`<span class="second">request <code>${creation.request_id}</code></span>`}`;
  if (creation !== undefined) return callerText(creation);
  return created_by.includes('_') ? idLink(created_by) : created_by;
}

const revocationText = (revokedAt: Date, revocation: AuditedChange | undefined, times: Times): Html =>
  html`<span class="second">${inlineTimeElement(revokedAt, times)}</span>${revocation === undefined ? null : html`by ${callerText(revocation)}`}`;

function keyRows(key: FoundKey, { creation, revocation }: KeyChanges, times: Times): Row[] {
  const { name, environment, prefix, last_four, scopes, last_used_at, expires_at, revoked_at } = key;
  return [
    ['Name', name],
    ['Status', html`${badge(keyStatusAt({ revokedAt: revoked_at, expiresAt: expires_at }, times.now))}${revoked_at === null ? null : revocationText(revoked_at, revocation, times)}`],
    ['Key', html`<code>${prefix}…${last_four}</code>, ${environment}`],
    ['Last used', minuteElement(last_used_at, times, 'never')],
    ['Made by', creatorText(key, creation)],
    ['Expires', timeElement(expires_at, times, 'never')],
    ['Scopes', html`<span class="tags">${scopes.map(idCode)}</span>`],
  ];
}

function workRows(nameOf: string, { name, status, max_score, faculty_id, exam_id, student_id, moments }: FoundWork, times: Times): Row[] {
  const named: readonly (readonly [string, string | null])[] = [['Exam', exam_id], ['Student', student_id], ['Teacher', faculty_id]];
  return [
    [nameOf, name],
    ...(status === null ? [] : [['Status', badge(status)] as const]),
    ...(max_score === null ? [] : [['Maximum score', String(max_score)] as const]),
    ...named.flatMap(([title, id]): Row[] => (id === null ? [] : [[title, idLink(id)]])),
    ...moments.map(([title, at]): Row => [title, timeElement(at, times)]),
  ];
}

type Details = (scope: InstitutionScope, id: string, times: Times) => Promise<Row[] | undefined>;

const personDetails: Details = async (scope, id, times) => {
  const found = await readPersonAccount(scope, id, times.now);
  return found && personRows(id, found, times);
};
const licenseDetails: Details = async (scope, id, times) => {
  const found = await findFoundLicense(scope, id);
  if (found === undefined) return undefined;
  const [change, newEnd] = await Promise.all([readLicenseChange(scope, id, found.status), findLastChange(scope, ['extendLicense'], id)]);
  return licenseRows(found, { change, newEnd }, times);
};
const seatDetails: Details = async (scope, id, times) => {
  const found = await readSeat(scope, id, times.clockOffsetMs);
  return found && seatRows(found, times);
};
const workDetails = (kind: 'group' | 'exam' | 'attempt' | 'submission', nameOf: string): Details => async (scope, id, times) => {
  const found = await findFoundWork(scope, kind, id);
  return found && workRows(nameOf, found, times);
};

/** Returns name and role of a person of the staff, and the email to those who may know it: operators, and the person. */
async function staffRows({ deps, staff }: ConsoleRequest, id: string): Promise<Row[] | undefined> {
  const found = await findStaff(deps.domain.database.sql, id);
  if (found === undefined) return undefined;
  return [
    ['Name', found.name],
    ['Role', found.role],
    ['Email', staff.role === 'operator' || staff.id === id ? idCode(found.email) : 'operators see it'],
    ...(found.revoked_at === null ? [] : [['Status', badge('revoked')] as const]),
    ...(staff.role === 'operator' ? [['More', html`<a href="${href(pathTo.staffMember(id))}">Their tokens, and who changed them</a>`] as const] : []),
  ];
}

/** Returns what is known of a key; the audit log of the institution proper has the calls about a test key, too. */
async function keyDetails({ deps }: ConsoleRequest, scope: InstitutionScope, { id, parent_id }: FoundItem, times: Times): Promise<Row[] | undefined> {
  const found = await findFoundKey(scope, id);
  if (found === undefined) return undefined;
  const logScope = parent_id === null ? scope : institutionScope(deps.domain.database, parent_id);
  const [creation, revocation] = await Promise.all([readKeyCreation(logScope, id), readKeyRevocation(logScope, id, found)]);
  return keyRows(found, { creation, revocation }, times);
}

/** The kinds of which more is known than their status. */
const details: Readonly<Record<string, Details>> = {
  student: personDetails,
  'faculty member': personDetails,
  guardian: personDetails,
  developer: personDetails,
  license: licenseDetails,
  seat: seatDetails,
  group: workDetails('group', 'Name'),
  exam: workDetails('exam', 'Title'),
  attempt: workDetails('attempt', 'Exam’s title'),
  submission: workDetails('submission', 'Title'),
};

/** Returns what support sees of a thing that was found, by the name of each fact; undefined where its status is all. Personal emails and contents are never among it. */
export async function foundDetails(request: ConsoleRequest, found: FoundItem, times: Times): Promise<Row[] | undefined> {
  const { kind, id, institution_id } = found;
  if (kind === 'person of the staff') return staffRows(request, id);
  if (institution_id === null) return undefined;
  const scope = institutionScope(request.deps.domain.database, institution_id);
  if (kind === 'API key') return keyDetails(request, scope, found, times);
  return kind === 'bulk provisioning' ? bulkRows(request, scope, found, times) : details[kind]?.(scope, id, times);
}
