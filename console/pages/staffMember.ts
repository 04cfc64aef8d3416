import { listPlatformAuditLog, type AuditRow } from '../../db/repositories/auditLog/auditLog';
import { findStaff, type StaffRow } from '../../db/repositories/staff/staff';
import { listStaffTokens, type StaffTokenRow } from '../../db/repositories/staff/tokens';
import { tokenDays } from '../../api/http/request/staffBodies';
import { DomainError } from '../../domain/errors';
import { staffTokenStatusAt } from '../../domain/staff/tokens';
import { html, type Html, type HtmlValue } from '../html';
import { actionButton, badge, descriptionList, emptyState, fieldsForm, idCode, section, staffBreadcrumbs, table } from '../components';
import { minuteElement, timeElement, type Times } from '../format';
import { href, idParam, pathTo, type ConsoleRequest, type Page, type Redirection } from '../consoleRequest';
import { actorText } from './auditedCall';
import { inputField, personFields, platformTimes, roleWords, signsInWith, staffStatus } from './staff';

const tokensShown = 50;
const changesShown = 10;

async function requireStaffMember(request: ConsoleRequest): Promise<StaffRow> {
  const found = await findStaff(request.deps.domain.database.sql, idParam(request));
  if (found === undefined) throw new DomainError('not_found', `There is no ${idParam(request)} among the staff.`);
  return found;
}

const memberPath = ({ id }: Pick<StaffRow, 'id'>): string => pathTo.staffMember(id);

/** Returns who added somebody or something: a person with a link, else the platform or the identity provider. */
const byWhom = (id: string): HtmlValue => (id.startsWith('stf_') ? html`<a href="${href(pathTo.staffMember(id))}"><code>${id}</code></a>` : html`<code>${id}</code>`);

function tokenTable(request: ConsoleRequest, person: StaffRow, tokens: readonly StaffTokenRow[], times: Times): Html {
  const isLive = (row: StaffTokenRow): boolean => staffTokenStatusAt(row, times.now) === 'active';
  const revoke = ({ id, name }: StaffTokenRow): Html =>
    actionButton(request, href(`${memberPath(person)}/tokens/${encodeURIComponent(id)}/revoke`), html`Revoke<span class="unseen"> the token ${name}</span>`, 'danger');
  return table<StaffTokenRow>('Tokens', [
    { title: 'Name', cell: ({ name, last_four }) => html`${name}<span class="second">ends with <code>${last_four}</code></span>` },
    { title: 'Status', cell: (row) => badge(staffTokenStatusAt(row, times.now)) },
    { title: 'Created', cell: ({ created_at, created_by }) => html`${timeElement(created_at, times)}<span class="second">by ${byWhom(created_by)}</span>` },
    { title: 'Expires', cell: ({ expires_at }) => timeElement(expires_at, times) },
    { title: 'Last used', cell: ({ last_used_at }) => minuteElement(last_used_at, times, 'never') },
    { title: 'End it', cell: (row) => (isLive(row) ? revoke(row) : html`<span class="faint">–</span>`) },
  ], tokens, ({ id }) => id);
}

function newTokenForm(request: ConsoleRequest, person: StaffRow): Html {
  const { least, most, usual } = tokenDays;
  return section('new-token', 'Create a token', html`<div class="pad">${fieldsForm(request, { action: href(`${memberPath(person)}/tokens`), label: 'Create a token', button: 'Create' }, html`
    ${inputField('token-name', 'What it is for', html` maxlength="100"`)}
    ${inputField('expires_in_days', 'Valid for days', html` type="number" inputmode="numeric" min="${least}" max="${most}" step="1" value="${usual}"`, 'narrow')}`)}
    <p class="nothing">You will see the token, once. Give the first one of somebody else a day, and let them create the next one with it.</p></div>`);
}

function changeForm(request: ConsoleRequest, person: StaffRow): Html {
  const provided = person.oidc_issuer === null ? null : html`<p class="nothing">Name and role are those of the identity provider again after the next sign-in there.</p>`;
  return section('change', 'Change', html`<div class="pad">${fieldsForm(request, { action: href(memberPath(person)), label: 'Change this person', button: 'Save' }, personFields(person))}${provided}</div>`);
}

function changesSection(rows: readonly AuditRow[], times: Times): Html {
  return section('changes', 'Changes of this person and their tokens', rows.length === 0 ? emptyState('The audit log of 400 days has none.') : table<AuditRow>('Changes', [
    { title: 'Time, request', cell: ({ at, request_id }) => html`${timeElement(at, times)}<span class="second"><code>${request_id}</code></span>` },
    { title: 'Who', cell: (row) => actorText(row) },
    { title: 'What', cell: ({ operation, changed }) => html`${operation}${changed.length === 0 ? null : html`<span class="second">Fields: ${changed.join(', ')}</span>`}` },
  ], rows, ({ id }) => id));
}

/** Shows a person of the staff: what they may do, their tokens, and who changed what of them. */
export async function staffMemberPage(request: ConsoleRequest): Promise<Page> {
  const person = await requireStaffMember(request);
  const { sql } = request.deps.domain.database;
  const times = platformTimes(request);
  const [tokens, changes] = await Promise.all([
    listStaffTokens(sql, person.id, { page: 1, limit: tokensShown }),
    listPlatformAuditLog(sql, { targets: [person.id] }, { page: 1, limit: changesShown }),
  ]);
  const isActive = person.revoked_at === null;
  return {
    title: person.name,
    body: html`${staffBreadcrumbs()}
      <div class="head"><div class="title"><div class="title-line"><h1>${person.name}</h1><span id="status">${badge(staffStatus(person))}</span></div>
        <p class="sub">${idCode(person.id)} ${person.email}</p></div>
        ${isActive ? html`<nav class="actions" aria-label="What can be done"><a class="button danger" href="${href(`${memberPath(person)}/revoke`)}">Revoke…</a></nav>` : null}</div>
      ${isActive ? null : html`<p class="notice bad">Revoked: they cannot sign in, and no token of theirs is accepted. Adding the same email lets them in again.</p>`}
      ${section('details', 'Details', descriptionList(
        ['Role', html`${person.role}<span class="second">${roleWords[person.role]}</span>`],
        ['Signs in with', signsInWith(person)],
        ['Added', html`${timeElement(person.created_at, times)}<span class="second">by ${byWhom(person.created_by)}</span>`],
        person.revoked_at === null ? undefined : ['Revoked', timeElement(person.revoked_at, times)],
      ))}
      ${section('tokens', 'Personal tokens', tokens.rows.length > 0 ? tokenTable(request, person, tokens.rows, times) : emptyState('They have none.'))}
      ${isActive ? html`${newTokenForm(request, person)}${changeForm(request, person)}` : null}
      ${changesSection(changes.rows, times)}`,
  };
}

/** Asks for confirmation before a person is revoked. */
export async function revokeStaffPage(request: ConsoleRequest): Promise<Page> {
  const person = await requireStaffMember(request);
  const path = memberPath(person);
  const own = person.id === request.staff.id ? html`<p class="notice warn">This is you: you are signed out at once.</p>` : null;
  return {
    title: `Revoke ${person.name}?`,
    body: html`${staffBreadcrumbs([person.name, path])}<div class="title-line"><h1>Revoke ${person.name}?</h1>${badge(staffStatus(person))}</div>
      <p class="sub">${idCode(person.id)} ${person.email}</p>${own}
      <p class="sentence">Their tokens and their sessions of this console end at once, and the identity provider lets them in no more. What they did stays in the audit log.</p>
      <div class="actions sentence">${actionButton(request, href(`${path}/revoke`), 'Revoke this person', 'danger')}<a class="button plain" href="${href(path)}">Keep them</a></div>`,
  };
}

/** Leads to the page of a person. */
export const toStaffMember = (request: ConsoleRequest): Promise<Redirection> => Promise.resolve({ to: href(pathTo.staffMember(idParam(request))) });

/** Shows a new token, which no page shows again. */
export async function newTokenPage(request: ConsoleRequest, row: StaffTokenRow, token: string): Promise<Page> {
  const person = await requireStaffMember(request);
  const path = memberPath(person);
  return {
    title: `New token of ${person.name}`,
    once: true,
    body: html`${staffBreadcrumbs([person.name, path])}<h1>New token of ${person.name}</h1>
      <p class="notice warn" role="status">This is the only time that the token is shown. Copy it now, and give it to nobody but ${person.name}.</p>
      ${section('token', row.name, descriptionList(['Token', html`<code class="id" id="staff-token">${token}</code>`], ['Expires', timeElement(row.expires_at, platformTimes(request))]))}
      <div class="actions sentence"><a class="button main" href="${href(path)}">Done</a></div>`,
  };
}
