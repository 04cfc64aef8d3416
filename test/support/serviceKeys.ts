import { randomBytes } from 'node:crypto';
import type { LegacyKeys, MasterKey, ServiceKeys } from '../../config/serviceKeys';

/** A new master key. */
export const newMasterKey = (id: string): MasterKey => ({ kind: 'master', id, key: randomBytes(32) });

/** New keys as 0.9.0 had them. */
export const newLegacyKeys = (...ids: readonly [string, ...string[]]): LegacyKeys =>
  ({ kind: 'legacy', encryptionKeys: ids.map((id) => ({ id, key: randomBytes(32) })), fingerprintKey: randomBytes(32) });

const listed = ({ id, key }: { id: string; key: Buffer }): string => `${id}:${key.toString('base64')}`;

/** The variables that read as these keys. */
export function keyEnvironment(keys: ServiceKeys): Record<'MASTER_KEYS' | 'ENCRYPTION_KEYS' | 'FINGERPRINT_KEY', string> {
  const legacy = keys.find((key) => key.kind === 'legacy');
  const hasMasterKey = keys.some(({ kind }) => kind === 'master');
  return {
    MASTER_KEYS: hasMasterKey ? keys.map((key) => (key.kind === 'master' ? listed(key) : 'legacy')).join(',') : '',
    ENCRYPTION_KEYS: legacy?.encryptionKeys.map(listed).join(',') ?? '',
    FINGERPRINT_KEY: legacy?.fingerprintKey.toString('base64') ?? '',
  };
}

/** Every key of these, in base64. */
export const keyTexts = (keys: ServiceKeys): string[] =>
  keys.flatMap((key) => (key.kind === 'master' ? [key.key] : [...key.encryptionKeys.map((one) => one.key), key.fingerprintKey])).map((key) => key.toString('base64'));
