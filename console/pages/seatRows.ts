import type { FoundSeat } from '../../db/repositories/support/seats';
import type { SeatEnd, SeatWithEnd } from '../../domain/support/seatEnd';
import { html, type Html, type HtmlValue } from '../html';
import { badge, idLink } from '../components';
import { inlineTimeElement, plural, timeElement, type Times } from '../format';
import { callerText } from './auditedCall';

type Row = readonly [name: string, value: HtmlValue];

const seatBadge = (status: FoundSeat['status']): Html => badge(status, status.replaceAll('_', ' '));

const endWords = (status: FoundSeat['status']): string => (status === 'evicted' ? 'evicted by a sign-in on another device' : 'ended');

const seatText = ({ id, app, platform, status, signed_in_at, ended_at }: FoundSeat, times: Times): Html =>
  html`<span class="second">${seatBadge(status)} ${app}, ${platform}: signed in ${inlineTimeElement(signed_in_at, times)}${ended_at === null ? null : html`, ${endWords(status)} ${inlineTimeElement(ended_at, times)}`} ${idLink(id)}</span>`;

/** Returns the seats of a person, each with when it was signed in to and ended. */
export function seatsText(seats: readonly FoundSeat[], times: Times): HtmlValue {
  if (seats.length === 0) return 'none';
  const active = seats.filter(({ status }) => status === 'active').length;
  return html`${plural(active, 'active seat')}, ${seats.length - active} ended${seats.map((seat) => seatText(seat, times))}`;
}

const endText = ({ reason, successor, change }: SeatEnd): Html =>
  html`${reason}${successor === undefined ? null : html`: ${idLink(successor)}`}${change === undefined ? null : html`, by ${callerText(change)}`}`;

/** Returns what support sees of a seat: never its device. */
export const seatRows = ({ app, platform, status, user_id, signed_in_at, last_seen_at, ended_at, end }: SeatWithEnd, times: Times): Row[] => [
  ['Status', seatBadge(status)],
  ['App', app],
  ['Platform', platform],
  ['Belongs to', idLink(user_id)],
  ['Signed in', timeElement(signed_in_at, times)],
  ['Last seen', timeElement(last_seen_at, times)],
  ['Ended', timeElement(ended_at, times, 'not yet')],
  ...(end === undefined ? [] : [['Why it ended', endText(end)] as const]),
];
