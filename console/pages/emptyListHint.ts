import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import { findById, isSearchedPrefix } from '../../db/repositories/support/search';
import { html, type Html } from '../html';
import { timesOf, timeText, utc } from '../format';
import type { TimeRange } from '../filters';
import { href, pathTo, type ConsoleRequest } from '../consoleRequest';

const wholeId = /^([a-z]+)_[a-z0-9]{26}$/;

/** Says of an id whose it is, if it is another institution's. */
async function elsewhere({ deps }: ConsoleRequest, institutionId: string, named: string | undefined): Promise<Html | null> {
  const [id = '', prefix = ''] = wholeId.exec(named ?? '') ?? [];
  const found = isSearchedPrefix(prefix) ? await findById(deps.domain.database.sql, prefix, id) : undefined;
  if (found === undefined || found.institution_id === null || found.institution_id === institutionId) return null;
  return html`<code>${id}</code> belongs to <a href="${href(pathTo.institution(found.institution_id))}">${found.institution_name}</a>. `;
}

/** Says what a range of time is at the institution and in UTC, and what the time is there. */
function rangeHint(request: ConsoleRequest, institution: InstitutionRow, { since, until }: TimeRange): Html | null {
  if (since === undefined && until === undefined) return null;
  const times = timesOf(request, institution);
  const bounds = (textOf: (at: Date) => string): string => [since === undefined ? [] : [`from ${textOf(since)}`], until === undefined ? [] : [`until ${textOf(until)}`]].flat().join(' ');
  const inUtc = times.timeZone === 'UTC' ? '' : ` (${bounds(utc)})`;
  return html`<span class="second">Looked ${bounds((at) => timeText(at, times))}${inUtc}. At the institution it is ${timeText(times.now, times)}.</span>`;
}

/** Returns why a list may be empty: the thing it is about is another institution's, or the range is in another time zone than was meant. */
export const emptyListHint = async (request: ConsoleRequest, institution: InstitutionRow, { named, range }: { named: string | undefined; range: TimeRange }): Promise<Html> =>
  html`${await elsewhere(request, institution.id, named)}${rangeHint(request, institution, range)}`;
