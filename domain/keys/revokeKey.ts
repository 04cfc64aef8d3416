import { IsNull } from 'typeorm';
import { ApiKeyEntity } from '../../db/entities/apiKey';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/**
 * Revokes a key of the institution: its next request is refused on every API process (section Authentication, 3). One
 * that is revoked already keeps the time of its revocation. `not_found` when the institution has no such key.
 */
export async function revokeKey(tx: Transaction, keyId: string): Promise<void> {
  const own = { id: keyId, institutionId: tx.institutionId };
  const { affected } = await tx.manager.update(ApiKeyEntity, { ...own, revokedAt: IsNull() }, { revokedAt: tx.now });
  if (affected === 0 && !(await tx.manager.existsBy(ApiKeyEntity, own))) throw notFound('key');
}
