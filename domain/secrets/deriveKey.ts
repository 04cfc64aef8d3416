import { hkdfSync } from 'node:crypto';

/** What a key derived from a master key is for. The names are part of what is derived: another name is another key. */
export type KeyPurpose =
  | 'sealing'
  | 'personal_email'
  | 'sign_in_code'
  | 'sign_in_request'
  | 'file_url'
  | 'guardian_invitation'
  | 'developer_invitation'
  | 'list_cursor'
  | 'console_session';

const keyBytes = 32;

/** Derives the key of one purpose with HKDF-SHA256; it reveals nothing of the master key or of other purposes. */
export function deriveKey(masterKey: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `institution-api/${purpose}`, keyBytes));
}
