import { IsNull } from 'typeorm';
import { ApiKeyEntity } from '../../db/entities/apiKey';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/**
 * Revokes a key of the institution: its next request fails on every API process (section Authentication, 3). No-op for a
 * revoked key, which keeps its revocation time. `not_found` if the institution has no such key.
 */
export async function revokeKey(tx: Transaction, keyId: string): Promise<void> {
  const own = { id: keyId, institutionId: tx.institutionId };
  const { affected } = await tx.manager.update(ApiKeyEntity, { ...own, revokedAt: IsNull() }, { revokedAt: tx.now });
  if (affected === 0 && !(await tx.manager.existsBy(ApiKeyEntity, own))) throw notFound('key');
}
