import { findLastChange } from '../../db/repositories/auditLog/auditLog';
import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import { findOffboarding } from '../../db/repositories/offboarding/offboardings';
import { institutionScope, type Database } from '../../db/database';
import { html, type Html } from '../html';
import { inlineTimeElement, realOf, type Times } from '../format';
import { changeText } from './auditedCall';

/** Says of an institution that leaves since when it is read-only, who asked for it, and when it is erased; null of any other. A sandbox leaves with its institution. */
export async function offboardingNotice(database: Database, { id, sandbox_of }: InstitutionRow, times: Times): Promise<Html | null> {
  const scope = institutionScope(database, sandbox_of ?? id);
  const leaving = await findOffboarding(scope);
  if (leaving === undefined || (leaving.status !== 'read_only' && leaving.status !== 'erasing')) return null;
  const request = await findLastChange(scope, ['offboardInstitution'], scope.institutionId);
  const state = leaving.status === 'read_only'
    ? html`It leaves: it is read-only since ${inlineTimeElement(leaving.requested_at, realOf(times))}, so every write with a key is refused, and is erased after ${inlineTimeElement(leaving.erase_after, realOf(times))} unless an operator cancels that before`
    : html`It leaves, and is being erased since ${inlineTimeElement(leaving.erasing_since ?? leaving.erase_after, realOf(times))}`;
  return html`<p class="notice warn" id="offboarding">${state}.${changeText(request, times)}</p>`;
}
