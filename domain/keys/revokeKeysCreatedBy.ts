import { markKeysRevokedByCreator } from '../../db/repositories/keys/keys';
import type { Transaction } from '../context';

/** Revokes every key that a portal user of the institution has created; those that are revoked keep the time of it. */
export async function revokeKeysCreatedBy(tx: Transaction, createdBy: string): Promise<void> {
  await markKeysRevokedByCreator(tx, createdBy, tx.now);
}
