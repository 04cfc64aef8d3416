import type { SecretBox } from '../secrets/secretBox';
import { DomainError } from '../errors';
import { isUniqueViolation } from '../../db/uniqueViolation';
import type { SealedEmail } from './provisionPeople';

/** Returns the form in which addresses are compared: lower case, without surrounding blanks. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/** Returns the fingerprint by which a personal email is found and compared; ignores case. */
export function emailFingerprint(secrets: SecretBox, email: string): Buffer {
  return secrets.fingerprint('personal_email', canonicalEmail(email));
}

/** Encrypts a personal email and adds its fingerprint; both ignore case. */
export function sealEmail(secrets: SecretBox, email: string): SealedEmail {
  return { sealed: secrets.seal(canonicalEmail(email)), fingerprint: emailFingerprint(secrets, email) };
}

/** Returns the error for a personal email that is mapped twice in an institution; it never reveals the other person. */
export function emailTaken(): DomainError {
  return new DomainError('conflict', 'personal_email is already used by another person in this institution.');
}

/** Whether a write failed because another person of the institution mapped the same personal email concurrently. */
export const isEmailConflict = (error: unknown): boolean => isUniqueViolation(error, 'users_personal_email');

/** Rethrows a failed write: `conflict` if a personal email is taken, any other error unchanged. */
export function rethrowEmailConflict(error: unknown): never {
  throw isEmailConflict(error) ? emailTaken() : error;
}
