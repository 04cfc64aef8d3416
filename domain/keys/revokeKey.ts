import { markKeyRevoked } from '../../db/repositories/keys/keys';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/**
 * Revokes a key of the institution: its next request fails on every API process (section Authentication, 3). No-op for a
 * revoked key, which keeps its revocation time. `not_found` if the institution has no such key.
 */
export async function revokeKey(tx: Transaction, keyId: string): Promise<void> {
  if (!(await markKeyRevoked(tx, keyId, tx.now))) throw notFound('key');
}
