import { markKeyRevoked } from '../../db/repositories/keys/keys';
import { findSandboxId } from '../../db/repositories/sandbox/sandboxes';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { inSandbox } from '../sandbox/openSandbox';

/**
 * Revokes a key of the institution or of its sandbox: its next request fails on every API process (section Authentication, 3). No-op for a
 * revoked key, which keeps its revocation time. `not_found` if the institution has no such key.
 */
export async function revokeKey(tx: Transaction, keyId: string): Promise<void> {
  if (await markKeyRevoked(tx, keyId, tx.now)) return;
  const sandboxId = await findSandboxId(tx);
  if (sandboxId === undefined || !(await markKeyRevoked(inSandbox(tx, sandboxId), keyId, tx.now))) throw notFound('key');
}
