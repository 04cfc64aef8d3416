import { DomainError } from '../errors';

/** `conflict` if the person was erased: nothing personal is written of them again. `instead` says what to do. */
export function requireNotErased({ erased_at }: { erased_at: Date | null }, kind: 'student' | 'faculty member', instead = 'create a new one'): void {
  if (erased_at !== null) throw new DomainError('conflict', `The ${kind} was erased, which cannot be undone; ${instead}.`);
}
