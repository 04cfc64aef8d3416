import { markKeysRevokedByCreator } from '../../db/repositories/keys/keys';
import { findSandboxId } from '../../db/repositories/sandbox/sandboxes';
import type { Transaction } from '../context';
import { inSandbox } from '../sandbox/openSandbox';

/** Revokes every key, live or test, that a portal user of the institution has created; revoked keys keep their revocation time. */
export async function revokeKeysCreatedBy(tx: Transaction, createdBy: string): Promise<void> {
  await markKeysRevokedByCreator(tx, createdBy, tx.now);
  const sandboxId = await findSandboxId(tx);
  if (sandboxId !== undefined) await markKeysRevokedByCreator(inSandbox(tx, sandboxId), createdBy, tx.now);
}
