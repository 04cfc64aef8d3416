import type { AccountRow } from '../../db/repositories/signIn/accounts';
import { sealEmail } from '../people/personalEmail';
import type { SealedEmail } from '../people/provisionPeople';
import type { SecretBox } from '../secrets/secretBox';

function sealedEmail(sealed: string | null, fingerprint: Buffer | null): SealedEmail | undefined {
  return sealed === null || fingerprint === null ? undefined : { sealed, fingerprint };
}

/**
 * Returns where an account's codes are sent now: a student's mapped personal email; for faculty the institution admin's
 * mailbox before the profile is complete, their own after it (sections Student and Faculty). Undefined for a student
 * without a mapped email, and for such faculty while the admin is suspended, who could otherwise sign in as them.
 */
export function mailboxOf(account: AccountRow): SealedEmail | undefined {
  return account.kind === 'faculty' && !account.profile_completed
    ? sealedEmail(account.admin_email_sealed, account.admin_email_hmac)
    : sealedEmail(account.personal_email_sealed, account.personal_email_hmac);
}

/**
 * Returns where a code for an account goes: to its mailbox, or, for a student without one, to the email that they name,
 * which is mapped once they sign in (`isNamed`). Undefined if there is neither.
 */
export function codeDestination(secrets: SecretBox, account: AccountRow, namedEmail: string | undefined): (SealedEmail & { isNamed: boolean }) | undefined {
  const known = mailboxOf(account);
  if (known !== undefined) return { ...known, isNamed: false };
  return account.kind === 'student' && namedEmail !== undefined ? { ...sealEmail(secrets, namedEmail), isNamed: true } : undefined;
}
