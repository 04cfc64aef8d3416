import { markKeysRevokedByCreator } from '../../db/repositories/keys/keys';
import type { Transaction } from '../context';

/** Revokes every key that a portal user of the institution has created; revoked keys keep their revocation time. */
export async function revokeKeysCreatedBy(tx: Transaction, createdBy: string): Promise<void> {
  await markKeysRevokedByCreator(tx, createdBy, tx.now);
}
