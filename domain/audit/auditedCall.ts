import type { AuditedCall } from '../../db/transaction';
import type { Actor, Caller, Operation } from '../context';
import { newId } from '../ids';

/** What a transaction must know of its caller; only a complete caller is recorded in the audit log. */
export type TransactionCaller = Pick<Caller, 'institutionId' | 'now'> & Partial<Caller>;

/** Actors whose writes are audited, the service itself where it names an operation; apps and guardians are visible in events and workflows. */
const auditedKinds: ReadonlySet<Actor['kind']> = new Set(['key', 'platform', 'faculty', 'developer', 'staff', 'system']);

const idPattern = /^[a-z]+_[0-9a-z]+$/;
const isIdOrAddress = (value: string): boolean => idPattern.test(value) || value.includes('@');

/**
 * Returns the id of what a call created, from the field of the transaction's result that its operation names; as `repeated` where a ref
 * that was sent again has found what the first call had created.
 */
function createdTarget({ created }: Operation, done: unknown): { created?: string; repeated?: string } {
  if (created === undefined || typeof done !== 'object' || done === null) return {};
  const id: unknown = Reflect.get(done, created);
  if (typeof id !== 'string') return {};
  return Reflect.get(done, 'applied') === false ? { repeated: id } : { created: id };
}

/** Returns the id of the person whom a call concerns, by the name of the field of the transaction's result that has it. */
function personTarget({ person }: Operation, done: unknown): Record<string, string> {
  if (person === undefined || typeof done !== 'object' || done === null) return {};
  const id: unknown = Reflect.get(done, person);
  return typeof id === 'string' ? { [person]: id } : {};
}

/** Whether the audit log records a call of this caller. */
export function isAudited({ actor, operation }: Pick<Caller, 'actor' | 'operation'>): boolean {
  return operation !== undefined && auditedKinds.has(actor.kind);
}

/** Returns the audit log rows of this caller's transaction: one or none. `done` is the result of its work. */
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
      target: { ...ids, ...createdTarget(operation, done), ...personTarget(operation, done) },
      changed,
      request_id: requestId,
    },
  ];
}

/** Returns the same caller without its operation, for the transactions of a call that the audit log must not record again. */
export function unaudited({ operation: _left, ...caller }: Caller): Caller {
  return caller;
}
