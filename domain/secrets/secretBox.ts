import { createHmac } from 'node:crypto';
import type { LegacyKeys, MasterKey, ServiceKeys } from '../../config/serviceKeys';
import { decrypt, encrypt } from './aesGcm';
import { deriveKey, type KeyPurpose } from './deriveKey';
import type { SealContext } from './sealContext';

/** What an HMAC is of. */
export type FingerprintPurpose = Exclude<KeyPurpose, 'sealing' | 'console_session'>;

/** Encrypts secrets at rest (webhook secrets, hidden-test keys, personal emails), compares them without decrypting, and signs. */
export interface SecretBox {
  /**
   * Encrypts with AES-256-GCM under the newest key, bound to its place: `v2.<key id>.<base64 of iv, tag, ciphertext>`. While
   * the keys of an earlier release are the newest, their format, which is bound to nothing: `<key id>.<base64>`.
   */
  seal(plain: string, context: SealContext): string;
  /** Decrypts with any configured key; fails if the key is missing, the text was changed, or it was sealed for another place. */
  open(sealed: string, context: SealContext): string;
  /** Returns an HMAC-SHA256 under the newest key: equal for equal values of one purpose, useless without the key. */
  fingerprint(purpose: FingerprintPurpose, value: string): Buffer;
  /** Returns the HMACs under every configured key, those of the newest first: what was stored or signed before a rotation equals one of them. */
  fingerprints(purpose: FingerprintPurpose, value: string): Buffer[];
  /** What every value sealed under the newest key begins with. */
  readonly newestPrefix: string;
  /** The configured keys by which values are sealed, newest first. */
  readonly keyIds: readonly string[];
}

/** The format of values under a master key. */
const version = 'v2';

/** What one master key, or the keys of an earlier release, can do. */
interface KeyUse {
  seal(plain: string, context: SealContext): string;
  /** What values sealed by it begin with, and how they are decrypted. */
  openers: { id: string; prefix: string; open: (encrypted: string, context: SealContext) => string }[];
  fingerprint(purpose: FingerprintPurpose, value: string): Buffer;
}

const placeOf = ({ institutionId, table, column, rowId }: SealContext, prefix: string): Buffer =>
  Buffer.from(JSON.stringify([prefix, institutionId, table, column, rowId]));

function useMasterKey({ id, key }: MasterKey): KeyUse {
  const sealing = deriveKey(key, 'sealing');
  const prefix = `${version}.${id}.`;
  const derived = new Map<FingerprintPurpose, Buffer>();
  const keyOf = (purpose: FingerprintPurpose): Buffer => {
    const known = derived.get(purpose) ?? deriveKey(key, purpose);
    derived.set(purpose, known);
    return known;
  };
  return {
    seal: (plain, context) => prefix + encrypt(sealing, plain, placeOf(context, prefix)),
    openers: [{ id, prefix, open: (encrypted, context) => decrypt(sealing, encrypted, placeOf(context, prefix)) }],
    fingerprint: (purpose, value) => createHmac('sha256', keyOf(purpose)).update(value).digest(),
  };
}

function useLegacyKeys({ encryptionKeys, fingerprintKey }: LegacyKeys): KeyUse {
  const [newest] = encryptionKeys;
  if (newest === undefined) throw new Error('At least one encryption key is required');
  return {
    seal: (plain) => `${newest.id}.${encrypt(newest.key, plain)}`,
    openers: encryptionKeys.map(({ id, key }) => ({ id, prefix: `${id}.`, open: (encrypted) => decrypt(key, encrypted) })),
    fingerprint: (purpose, value) => createHmac('sha256', fingerprintKey).update(`${purpose}\0${value}`).digest(),
  };
}

/** Returns a secret box; the first of the keys is used for new values, all of them read existing ones. */
export function createSecretBox(keys: ServiceKeys): SecretBox {
  const [newest, ...others] = keys.map((key) => (key.kind === 'master' ? useMasterKey(key) : useLegacyKeys(key)));
  if (newest === undefined) throw new Error('At least one key is required');
  const uses = [newest, ...others];
  const openers = new Map(uses.flatMap((use) => use.openers).map((opener) => [opener.prefix, opener]));
  return {
    seal: (plain, context) => newest.seal(plain, context),
    open(sealed, context) {
      // Base64 and ids of keys contain no dot.
      const prefix = sealed.slice(0, sealed.lastIndexOf('.') + 1);
      const opener = openers.get(prefix);
      if (opener === undefined) throw new Error('No configured key decrypts this value');
      return opener.open(sealed.slice(prefix.length), context);
    },
    fingerprint: (purpose, value) => newest.fingerprint(purpose, value),
    fingerprints: (purpose, value) => uses.map((use) => use.fingerprint(purpose, value)),
    newestPrefix: newest.openers[0]?.prefix ?? '',
    keyIds: uses.flatMap((use) => use.openers.map(({ id }) => id)),
  };
}
