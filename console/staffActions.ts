import { findStaff } from '../db/repositories/staff/staff';
import { checkValue } from '../api/http/request/validate';
import { newStaffSchema, newStaffTokenSchema, staffChangesSchema } from '../api/http/request/staffBodies';
import type { Operation, Transaction } from '../domain/context';
import { addStaff } from '../domain/staff/addStaff';
import { revokeStaff } from '../domain/staff/revokeStaff';
import { createStaffToken, revokeStaffToken } from '../domain/staff/tokens';
import { updateStaff } from '../domain/staff/updateStaff';
import { transact } from '../domain/transact';
import type { Action, ActionResult } from './action';
import { href, idParam, pathTo, type ConsoleRequest } from './consoleRequest';
import { newTokenPage } from './pages/staffMember';

/** Returns what a form stands for; throws `validation_error` for what the platform API would refuse. */
function valid<Value>(checked: { value: Value } | { error: Error }): Value {
  if ('error' in checked) throw checked.error;
  return checked.value;
}

type Work<Result> = (tx: Transaction) => Promise<Result>;

const memberPath = (id: string): string => href(pathTo.staffMember(id));

/** Runs a command about the staff, which belongs to no institution; the audit log has it as the same operation of the platform API, with the console's path. */
function runForPlatform<Result>({ deps, staff, now, requestId, params }: ConsoleRequest, operation: Omit<Operation, 'method' | 'target'>, work: Work<Result>): Promise<Result> {
  const target = Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const caller = { institutionId: '', actor: { kind: 'staff' as const, id: staff.id }, requestId, now, operation: { ...operation, method: 'POST', target } };
  return transact(deps.domain, caller, work);
}

/** An action of operators; `run` gets what its audited operation needs besides its path. */
function staffAction(path: string, returnPath: (id: string) => string, run: (request: ConsoleRequest, form: URLSearchParams, auditedPath: string) => Promise<ActionResult>): Action {
  const auditedPath = `/console${path.replaceAll(/:(\w+)/g, '{$1}')}`;
  return { path, isForOperators: true, returnPath, run: (request, form) => run(request, form, auditedPath) };
}

const field = (form: URLSearchParams, name: string): string => form.get(name) ?? '';
const personFields = (form: URLSearchParams) => ({ name: field(form, 'name'), email: field(form, 'email'), role: field(form, 'role') });

/** Returns the fields of the form that differ from what is stored: those alone are changed, and named in the audit log. */
async function changedFields({ deps, params }: ConsoleRequest, form: URLSearchParams): Promise<Record<string, string>> {
  const stored = await findStaff(deps.domain.database.sql, params.id ?? '');
  return Object.fromEntries(Object.entries(personFields(form)).filter(([name, value]) => stored === undefined || value !== Reflect.get(stored, name)));
}

/** What operators do with the staff. */
export const staffActions: readonly Action[] = [
  staffAction('/staff', () => href(pathTo.staff), async (request, form, path) => {
    const person = valid(checkValue(newStaffSchema, personFields(form)));
    const added = await runForPlatform(request, { id: 'addStaff', path, changed: Object.keys(person), created: 'id' }, (tx) => addStaff(tx, request.staff.id, person));
    return { to: memberPath(added.id), text: `${added.name} is of the staff now. A first token lets them in where there is no identity provider.` };
  }),
  staffAction('/staff/:id', memberPath, async (request, form, path) => {
    const changed = await changedFields(request, form);
    if (Object.keys(changed).length === 0) return { to: memberPath(idParam(request)), text: 'Nothing was changed.' };
    const changes = valid(checkValue(staffChangesSchema, changed));
    const updated = await runForPlatform(request, { id: 'updateStaff', path, changed: Object.keys(changes) }, (tx) => updateStaff(tx, idParam(request), changes));
    return { to: memberPath(updated.id), text: `${updated.name} is changed; the role counts from their next request on.` };
  }),
  staffAction('/staff/:id/revoke', memberPath, async (request, _form, path) => {
    const id = idParam(request);
    await runForPlatform(request, { id: 'revokeStaff', path, changed: [] }, (tx) => revokeStaff(tx, id));
    return { to: memberPath(id), text: 'They are revoked: their tokens and sessions have ended.' };
  }),
  staffAction('/staff/:id/tokens', memberPath, async (request, form, path) => {
    const id = idParam(request);
    const wanted = valid(checkValue(newStaffTokenSchema, { name: field(form, 'token-name'), expires_in_days: Number(field(form, 'expires_in_days')) }));
    const { row, token } = await runForPlatform(request, { id: 'createStaffToken', path, changed: Object.keys(wanted), created: 'id' }, async (tx) => {
      const created = await createStaffToken(tx, request.staff.id, id, wanted);
      return { id: created.row.id, ...created };
    });
    return { page: await newTokenPage(request, row, token) };
  }),
  staffAction('/staff/:id/tokens/:token_id/revoke', memberPath, async (request, _form, path) => {
    const [id, tokenId] = [idParam(request), request.params.token_id ?? ''];
    await runForPlatform(request, { id: 'revokeStaffToken', path, changed: [] }, (tx) => revokeStaffToken(tx, id, tokenId));
    return { to: memberPath(id), text: 'The token is revoked, and the sessions that it began have ended.' };
  }),
];
