import { IsNull } from 'typeorm';
import { ApiKeyEntity } from '../../db/entities/apiKey';
import type { Transaction } from '../context';

/** Revokes every key that a portal user of the institution has created; revoked keys keep their revocation time. */
export async function revokeKeysCreatedBy(tx: Transaction, createdBy: string): Promise<void> {
  await tx.manager.update(ApiKeyEntity, { institutionId: tx.institutionId, createdBy, revokedAt: IsNull() }, { revokedAt: tx.now });
}
