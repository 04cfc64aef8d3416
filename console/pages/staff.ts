import { listStaff, staffRoles, type StaffRow } from '../../db/repositories/staff/staff';
import { html, type Html, type HtmlValue } from '../html';
import { badge, emptyState, fieldsForm, section, table } from '../components';
import { count, timeElement } from '../format';
import { href, pathTo, type ConsoleRequest, type Page } from '../consoleRequest';
import { pager } from './listPage';

const perPage = 50;
const maxPage = 1_000;

/** Times that are not of an institution. */
export const platformTimes = ({ now }: ConsoleRequest) => ({ now, timeZone: 'UTC', clockOffsetMs: 0 });

/** What a role may do, in two or three words. */
export const roleWords: Readonly<Record<StaffRow['role'], string>> = { support: 'reads, sends again', operator: 'everything' };

/** Returns a field of a form that is filled in by hand. */
export function inputField(name: string, label: string, attributes: HtmlValue, kind: 'wide' | 'narrow' = 'wide'): Html {
  return html`<div class="field ${kind}"><label for="${name}">${label}</label><input id="${name}" name="${name}" required autocomplete="off"${attributes}></div>`;
}

/** Returns the fields of a person. */
export const personFields = ({ name, email, role }: Pick<StaffRow, 'name' | 'email' | 'role'>): Html => html`
  ${inputField('name', 'Name', html` maxlength="100" value="${name}"`)}
  ${inputField('email', 'Email at work', html` type="email" maxlength="254" value="${email}"`)}
  <div class="field wide"><label for="role">Role</label><select id="role" name="role">${staffRoles.map(
    (one) => html`<option value="${one}"${one === role ? html` selected` : null}>${one}: ${roleWords[one]}</option>`)}</select></div>`;

/** Returns where a person comes in: their identity provider, or their tokens. */
export const signsInWith = ({ oidc_issuer }: StaffRow): string => (oidc_issuer === null ? 'personal token' : (URL.parse(oidc_issuer)?.host ?? oidc_issuer));

/** Returns the status of a person. */
export const staffStatus = ({ revoked_at }: StaffRow): 'active' | 'revoked' => (revoked_at === null ? 'active' : 'revoked');

const pageOf = (query: URLSearchParams): number => {
  const wanted = Number(query.get('page') ?? 1);
  return Number.isInteger(wanted) && wanted >= 1 && wanted <= maxPage ? wanted : 1;
};

/** Shows the staff, revoked people too, and a form that adds a person. */
export async function staffPage(request: ConsoleRequest): Promise<Page> {
  const page = pageOf(request.query);
  const { rows, total } = await listStaff(request.deps.domain.database.sql, {}, { page, limit: perPage });
  const times = platformTimes(request);
  const list = table<StaffRow>('Staff', [
    { title: 'Name', cell: (row) => html`<a href="${href(pathTo.staffMember(row.id))}">${row.name}</a><span class="second">${row.email}</span>` },
    { title: 'Role', cell: ({ role }) => html`<span class="word">${role}</span>` },
    { title: 'Status', cell: (row) => badge(staffStatus(row)) },
    { title: 'Signs in with', cell: signsInWith },
    { title: 'Added', cell: ({ created_at }) => timeElement(created_at, times) },
  ], rows, ({ id }) => id);
  const pathOf = (number: number): string => href(pathTo.staff, number === 1 ? {} : { page: String(number) });
  return {
    title: 'Staff',
    body: html`<div class="head"><div class="title"><h1>Staff</h1><p class="sub">${total === 1 ? '1 person' : `${count(total ?? rows.length)} people`} of the platform, revoked ones too. What is done here is in the audit log of the platform.</p></div></div>
      ${section('staff', page === 1 ? 'Newest first' : `Page ${page}`, rows.length > 0 ? list : emptyState('Nobody has been added.'))}
      ${pager({ newest: page === 1 ? undefined : pathOf(1), older: page * perPage < (total ?? 0) ? pathOf(page + 1) : undefined })}
      ${section('add', 'Add a person', html`<div class="pad">${fieldsForm(request, { action: href(pathTo.staff), label: 'Add a person', button: 'Add' }, personFields({ name: '', email: '', role: 'support' }))}
        <p class="nothing">The email of a revoked person lets them in again, without their earlier tokens.</p></div>`)}`,
  };
}
