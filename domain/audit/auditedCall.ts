import type { AuditedCall } from '../../db/transaction';
import type { Actor, Caller } from '../context';
import { newId } from '../ids';

/** What a transaction has to know of who asks; only a whole caller leaves something in the audit log. */
export type TransactionCaller = Pick<Caller, 'institutionId' | 'now'> & Partial<Caller>;

/** Who writes on an institution's behalf; apps, guardians and the service itself leave events and workflows instead. */
const auditedKinds: ReadonlySet<Actor['kind']> = new Set(['key', 'platform', 'faculty', 'developer']);

const idPattern = /^[a-z]+_[0-9a-z]+$/;
const isIdOrAddress = (value: string): boolean => idPattern.test(value) || value.includes('@');

/** Where an answer has the id of what it is about; keys have the name of their own that the contract gives them. */
const idFields = ['id', 'key_id'];

function idOf(done: unknown): string | undefined {
  const ids = typeof done === 'object' && done !== null ? idFields.map((field): unknown => Reflect.get(done, field)) : [];
  return ids.find((id): id is string => typeof id === 'string' && idPattern.test(id));
}

/** What a POST created: named by what the transaction answered, where the path named nothing of the kind. */
function createdTarget(method: string, target: Readonly<Record<string, string>>, done: unknown): { created?: string } {
  const id = method === 'POST' ? idOf(done) : undefined;
  const prefix = id?.split('_')[0] ?? '';
  const isNamed = Object.values(target).some((named) => named.includes('@') || named.startsWith(`${prefix}_`));
  return id === undefined || isNamed ? {} : { created: id };
}

/** Whether a call of such a caller is one that the audit log keeps. */
export function isAudited({ actor, operation }: Pick<Caller, 'actor' | 'operation'>): boolean {
  return operation !== undefined && auditedKinds.has(actor.kind);
}

/** What a transaction of this caller leaves in the audit log: one call, or nothing. `done` is what its work answers. */
export function auditedCall({ actor, requestId, operation }: TransactionCaller, done: unknown): AuditedCall[] {
  if (actor === undefined || requestId === undefined || operation === undefined || !isAudited({ actor, operation })) return [];
  const { id, method, path, target, changed } = operation;
  const ids = Object.fromEntries(Object.entries(target).filter(([, value]) => isIdOrAddress(value)));
  return [
    {
      id: newId('aud'),
      actor_kind: actor.kind,
      actor_id: actor.id,
      operation: id,
      method,
      path,
      target: { ...ids, ...createdTarget(method, ids, done) },
      changed,
      request_id: requestId,
    },
  ];
}

/** The same caller for those transactions of a call that are not the one by which the audit log knows it. */
export function unaudited({ operation: _left, ...caller }: Caller): Caller {
  return caller;
}
