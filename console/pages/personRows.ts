import type { LicenseStatus } from '../../db/entities/license';
import { lockPeriodMs } from '../../domain/signIn/limits';
import type { AccountLock } from '../../domain/signIn/accountLock';
import type { PersonAccount } from '../../domain/support/personAccount';
import { html, type Html, type HtmlValue } from '../html';
import { badge, idCode, idLink } from '../components';
import { changeText } from './auditedCall';
import { inlineTimeElement, relativeElement, timeElement, type Times } from '../format';
import { seatsText } from './seatRows';
import { waitingInvitation } from './waitingInvitation';

type Row = readonly [name: string, value: HtmlValue];

const absent = html`<span class="faint">–</span>`;

/** Where the school sees each try; of other people it has no such list. */
const triesText = (id: string): Html | null => {
  const people = id.startsWith('stu_') ? 'students' : id.startsWith('fac_') ? 'faculty' : undefined;
  return people === undefined ? null : html` The school sees each try: <code>GET /v1/${people}/${id}/sign-ins</code>.`;
};

/** Returns since when an account is locked, when the last wrong code was tried, and when the lock ends. */
function lockText(id: string, { since, until }: AccountLock, times: Times): Html {
  const last = new Date(until.getTime() - lockPeriodMs);
  const ends = html`It ends an hour after the last; the institution’s admin lifts it at once.${triesText(id)}`;
  return since === null
    ? html`${badge('locked')} ends ${inlineTimeElement(until, times)}<span class="second">Ten or more wrong codes within a day, the last one ${inlineTimeElement(last, times)}: each further one begins the hour again, so the lock may be older. ${ends}</span>`
    : html`${badge('locked')} since ${inlineTimeElement(since, times)}, the last wrong code ${relativeElement(last, times)}; ends ${inlineTimeElement(until, times)}<span class="second">Ten or more wrong codes within a day; each further one begins the hour again. ${ends}</span>`;
}

/** Returns whether sign-in codes have an address to go to, which is never shown. */
const mailboxText = ({ personal_email_mapped, enrolment_code_required }: PersonAccount): string =>
  personal_email_mapped ? 'mapped' : enrolment_code_required ? 'none: the first sign-in needs an enrolment code and an address' : 'none';

/** Returns the invitations of a student's guardians, without names and addresses. */
const guardiansText = (links: NonNullable<PersonAccount['guardianLinks']>, studentStatus: string, times: Times): HtmlValue =>
  links.length === 0 ? 'none' : html`${links.map(({ id, status, invited_at }) => html`<span class="second">${badge(status)}${status === 'invited' ? null : ', invited'} ${relativeElement(invited_at, times)} ${idLink(id)}</span>${waitingInvitation(status, studentStatus)}`)}`;

/** Returns the keys that a suspension of a developer revoked, each with a link to its page. */
const revokedKeysText = (keys: NonNullable<PersonAccount['revokedKeys']>, times: Times): HtmlValue =>
  keys.length === 0 ? 'none' : html`${keys.map(({ id, name, revoked_at }) => html`<span class="second">${name} ${idLink(id)}, ${relativeElement(revoked_at, times)}</span>`)}`;

/** Returns what a revoked license means. */
export const finalText = (status: LicenseStatus): Html | null => (status === 'revoked' ? html`<span class="second">Final: no call gives the person another license.</span>` : null);

/** Returns what support sees of a person: never a personal email. */
export function personRows(id: string, person: PersonAccount, times: Times): Row[] {
  const { name, status, login_email, license_id, license_status, license_expires_at, lock, suspension, licenseChange, revokedKeys, seats, guardianLinks } = person;
  return [
    ['Name', name ?? absent],
    ['Status', html`${badge(status)}${changeText(suspension, times)}`],
    ['Sign-in', lock === undefined ? 'not locked' : lockText(id, lock, times)],
    ['Login email', login_email === null ? absent : idCode(login_email)],
    ['Personal email', mailboxText(person)],
    ['License', license_id === null || license_status === null ? 'none' : html`${badge(license_status)}<br>${idLink(license_id)}${changeText(licenseChange, times)}${finalText(license_status)}`],
    ...(license_id === null ? [] : [['License ends', timeElement(license_expires_at, times, 'never')] as const]),
    ...(revokedKeys === null ? [] : [['Keys revoked by suspension', revokedKeysText(revokedKeys, times)] as const]),
    ['Seats', seatsText(seats, times)],
    ...(guardianLinks === null ? [] : [['Guardians', guardiansText(guardianLinks, status, times)] as const]),
  ];
}
