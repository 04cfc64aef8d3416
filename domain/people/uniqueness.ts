import { violatesUnique } from '../uniqueness';

/** Whether a write failed because another person of the institution mapped the same personal email meanwhile. */
export function isEmailRace(error: unknown): boolean {
  return violatesUnique(error, 'users_personal_email');
}
