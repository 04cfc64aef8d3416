import { DomainError } from '../errors';

/** `conflict` if the person was erased: nothing personal is written of them again. */
export function requireNotErased({ erased_at }: { erased_at: Date | null }, kind: 'student' | 'faculty member'): void {
  if (erased_at !== null) throw new DomainError('conflict', `The ${kind} was erased, which cannot be undone; create a new one.`);
}
