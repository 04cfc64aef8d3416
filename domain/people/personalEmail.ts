import type { SecretBox } from '../secrets/secretBox';
import { DomainError } from '../errors';
import { isUniqueViolation } from '../../db/uniqueViolation';
import type { SealedEmail } from './provisionPeople';

/** An address as it is compared: case and blanks around it do not matter. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/** By what a personal email is found and compared; case does not matter. */
export function emailFingerprint(secrets: SecretBox, email: string): Buffer {
  return secrets.fingerprint('personal_email', canonicalEmail(email));
}

/** Seals a personal email and takes its fingerprint; case does not matter for either. */
export function sealEmail(secrets: SecretBox, email: string): SealedEmail {
  return { sealed: secrets.seal(canonicalEmail(email)), fingerprint: emailFingerprint(secrets, email) };
}

/** What answers a second mapping of one personal email in an institution; it never says whose it is. */
export function emailTaken(): DomainError {
  return new DomainError('conflict', 'Another person of this institution has mapped this personal email.');
}

/** Whether a write failed because another person of the institution mapped the same personal email meanwhile. */
export const isEmailConflict = (error: unknown): boolean => isUniqueViolation(error, 'users_personal_email');

/** What a failed write is raised as: `conflict` when it lost an email race, anything else as it is. */
export function rethrowEmailConflict(error: unknown): never {
  throw isEmailConflict(error) ? emailTaken() : error;
}
