import type { AccountRow } from '../../db/repositories/signIn/accounts';
import { canonicalEmail, openEmail } from '../people/personalEmail';
import type { SecretBox } from '../secrets/secretBox';

/**
 * Returns where an account's codes are sent now: a student's mapped personal email; for faculty the institution admin's
 * mailbox before the profile is complete, their own after it (sections Student and Faculty). Undefined for a student
 * without a mapped email, and for such faculty while the admin is suspended, who could otherwise sign in as them.
 */
export function mailboxOf(secrets: Pick<SecretBox, 'open'>, account: AccountRow): string | undefined {
  const [userId, sealed] = account.kind === 'faculty' && !account.profile_completed ? [account.admin_id, account.admin_email_sealed] : [account.id, account.personal_email_sealed];
  return userId === null || sealed === null ? undefined : openEmail(secrets, { institutionId: account.institution_id, userId }, sealed);
}

/** Where a code goes. */
export interface CodeDestination {
  email: string;
  /** Whether the student has named it: it is mapped once they sign in. */
  isNamed: boolean;
}

/**
 * Returns where a code for an account goes: to its mailbox, or, for a student without one, to the email that they name,
 * which is mapped once they sign in (`isNamed`). Undefined if there is neither.
 */
export function codeDestination(secrets: Pick<SecretBox, 'open'>, account: AccountRow, namedEmail: string | undefined): CodeDestination | undefined {
  const known = mailboxOf(secrets, account);
  if (known !== undefined) return { email: known, isNamed: false };
  return account.kind === 'student' && namedEmail !== undefined ? { email: canonicalEmail(namedEmail), isNamed: true } : undefined;
}
