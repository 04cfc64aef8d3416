import { updatePerson } from '../../db/repositories/people/people';
import { lockAccount } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { mapEmail } from '../people/mapEmail';

/** A teacher's profile from the first sign-in; codes are sent to `email` from then on. */
export interface CompletedProfile {
  employee_id: string;
  department: string;
  position: string;
  email: string;
}

/**
 * Completes a faculty member's profile and emits `faculty.profile_completed`; a complete profile is replaced without
 * an event. `conflict` if another person of the institution has the email.
 */
export async function completeProfile(tx: Transaction, userId: string, { email, ...profile }: CompletedProfile): Promise<void> {
  const account = await lockAccount(tx, userId);
  if (account?.kind !== 'faculty') throw notFound('faculty member');
  await mapEmail(tx, userId, email);
  await updatePerson(tx, userId, { profile, profileCompleted: true }, tx.now);
  if (!account.profile_completed) tx.emit('faculty.profile_completed', { faculty_id: userId });
}
