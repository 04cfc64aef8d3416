import { DomainError } from '../../../domain/errors';
import type { Access } from '../access';
import type { Method } from '../operation';

/** Checks that an institution that leaves is only read: `forbidden` for any other call, with the way out. */
export function requireWritable({ method, access }: { method: Method; access: Access }, readOnlyUntil: Date | null): void {
  if (readOnlyUntil === null || method === 'GET' || access.duringOffboarding === true) return;
  throw new DomainError(
    'forbidden',
    `The institution leaves the service: its data can be read and exported, but not changed, and is erased after ${readOnlyUntil.toISOString()}. To keep it, ask the operators of the platform to cancel the offboarding before.`,
    {},
    { reason: 'offboarding' },
  );
}
