import { markKeyRevoked } from '../../db/repositories/keys/keys';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/**
 * Revokes a key of the institution: its next request is refused on every API process (section Authentication, 3). One
 * that is revoked already keeps the time of its revocation. `not_found` when the institution has no such key.
 */
export async function revokeKey(tx: Transaction, keyId: string): Promise<void> {
  if (!(await markKeyRevoked(tx, keyId, tx.now))) throw notFound('key');
}
