import type { AuditRow } from '../../db/repositories/auditLog/auditLog';
import { institutionScope } from '../../db/database';
import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import { findById } from '../../db/repositories/support/search';
import { findBatchOfPerson } from '../../db/repositories/support/workflowNumbers';
import { toRealTime } from '../../domain/clock';
import { readTarget } from '../../domain/support/typedTarget';
import { html, type Html } from '../html';
import { href, pathTo, type ConsoleRequest } from '../consoleRequest';

const minuteMs = 60_000;

/** How long around the creation of a student the call that created many is looked for, in ms: it is written at its end. */
const around = { before: minuteMs, after: 5 * minuteMs };

/**
 * Returns where the audit log has the creation of a student, which names no student of a bulk call: at that call, or, where its rows
 * are no longer stored, among the bulk calls of that time. Null for any other target, and where the rows that are shown have the creation.
 */
export async function bulkCallNotice({ deps }: ConsoleRequest, { id: institutionId, clock_offset_ms: clockOffsetMs }: InstitutionRow, target: string | undefined, rows: readonly AuditRow[]): Promise<Html | null> {
  if (target === undefined) return null;
  const { database } = deps.domain;
  const scope = institutionScope(database, institutionId);
  const { names: [id = ''] } = await readTarget(scope, target);
  const student = id.startsWith('stu_') ? await findById(database.sql, 'stu', id) : undefined;
  if (student?.institution_id !== institutionId || rows.some((row) => row.target.created === id)) return null;
  const batch = await findBatchOfPerson(scope, id);
  const path = pathTo.auditLog(institutionId);
  if (batch !== undefined) return html`<p class="notice calm" id="bulk-call">This student was created by a bulk call, which has one entry for all of its students: <a href="${href(path, { target: batch })}"><code>${batch}</code></a>.</p>`;
  const created = toRealTime({ clockOffsetMs }, student.created_at).getTime();
  const range = { since: new Date(created - around.before).toISOString(), until: new Date(created + around.after).toISOString() };
  return html`<p class="notice calm" id="bulk-call">A bulk call has one entry for all of its students, at its own id, <code>bulk_…</code>: <a href="${href(path, { operation: 'createStudentsBulk', ...range })}">the bulk calls when this student was created</a>.</p>`;
}
