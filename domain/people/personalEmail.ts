import type { SecretBox } from '../secrets/secretBox';
import type { SealContext } from '../secrets/sealContext';
import { DomainError } from '../errors';
import { isUniqueViolation } from '../../db/uniqueViolation';

/** Returns the form in which addresses are compared: lower case, without surrounding blanks. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Returns the fingerprints by which a personal email is found and compared, under every key, that of the newest first; ignores
 * case. The sealed email in the same row names the key of both.
 */
export function emailFingerprints(secrets: Pick<SecretBox, 'fingerprints'>, email: string): Buffer[] {
  return secrets.fingerprints('personal_email', canonicalEmail(email));
}

/** A personal email as stored: never in plain text. */
export interface SealedEmail {
  sealed: string;
  fingerprint: Buffer;
}

/** A person of an institution, whose row has the email. */
interface EmailOwner {
  institutionId: string;
  userId: string;
}

const placeOf = ({ institutionId, userId }: EmailOwner): SealContext => ({ institutionId, table: 'users', column: 'personal_email_sealed', rowId: userId });

/** Encrypts a personal email for the row of its person and adds its fingerprint, both under the newest key; both ignore case. */
export function sealEmail(secrets: Pick<SecretBox, 'seal' | 'fingerprint'>, owner: EmailOwner, email: string): SealedEmail {
  const canonical = canonicalEmail(email);
  return { sealed: secrets.seal(canonical, placeOf(owner)), fingerprint: secrets.fingerprint('personal_email', canonical) };
}

/** Decrypts the personal email in the row of its person. */
export function openEmail(secrets: Pick<SecretBox, 'open'>, owner: EmailOwner, sealed: string): string {
  return secrets.open(sealed, placeOf(owner));
}

/** Returns the error for a personal email that is mapped twice in an institution; it never reveals the other person. */
export function emailTaken(): DomainError {
  return new DomainError('conflict', 'personal_email is already used by another person in this institution.');
}

/** The same for a student who is created: their `student_id` may have changed since they were. Always the same, so it reveals nobody. */
export function emailTakenByExisting(): DomainError {
  const way = 'If it is the same student with a new student_id, find them by the old one (GET /v1/students?student_id=) and PATCH their student_id: see docs/syncing.md.';
  return new DomainError('conflict', `${emailTaken().message} ${way}`);
}

/** Whether a write failed because another person of the institution mapped the same personal email concurrently. */
export const isEmailConflict = (error: unknown): boolean => isUniqueViolation(error, 'users_personal_email');

/** Returns what rethrows a failed write: as `taken` if a personal email is taken, any other error unchanged. */
export const rethrowEmailConflictAs = (taken: () => DomainError) => (error: unknown): never => {
  throw isEmailConflict(error) ? taken() : error;
};
