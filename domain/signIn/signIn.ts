import { lockAccount, type AccountRow } from '../../db/repositories/signIn/accounts';
import { newestCode, updateCode, wrongTriesSince, type SignInCodeRow } from '../../db/repositories/signIn/codes';
import type { Transaction } from '../context';
import type { AppOnDevice } from '../devices/assignSeat';
import { emailFingerprints } from '../people/personalEmail';
import { completeSignIn, type SignedIn, type UnlicensedSignIn } from './completeSignIn';
import { isCode, namedEmailPlace } from './issueCode';
import { triesPerCode, wrongTriesPerPeriod } from './limits';
import { mailboxOf } from './mailbox';
import { maySignIn } from './maySignIn';

/** A sign-in: a code, and optionally the app and device that need a seat. */
export interface SignInAttempt {
  code: string;
  onDevice: AppOnDevice | undefined;
}

/**
 * Opens a session with the account's newest code, once. The first sign-in activates a pending student and maps the
 * personal email that the code was sent to (`student.updated`, `student.email_mapped`); `conflict` if that email now
 * belongs to another person. A guardian's sign-in verifies their accepted links. With an app on a device it assigns the
 * seat, only on an active license; with any other license the caller must commit, because its expiry may have been
 * recorded. Undefined for an invalid code; the caller must commit, because the wrong attempt is counted. After 5 wrong
 * attempts with a code, or 10 with an account within a day, the correct code is rejected too.
 */
export async function signIn(tx: Transaction, userId: string, { code, onDevice }: SignInAttempt): Promise<SignedIn | UnlicensedSignIn | undefined> {
  const account = await lockAccount(tx, userId);
  if (account === undefined || !(await maySignIn(tx, account))) return undefined;
  const issued = await findUsableCode(tx, account);
  if (issued === undefined) return undefined;
  if (!isCode(tx.secrets, issued, code)) {
    await updateCode(tx, issued.id, { wrongTries: issued.wrong_tries + 1 });
    return undefined;
  }
  const { id, personal_email_sealed: sealed } = issued;
  const namedEmail = sealed === null ? null : tx.secrets.open(sealed, namedEmailPlace(tx.institutionId, id));
  const signedIn = await completeSignIn(tx, account, { namedEmail, onDevice });
  if (!('unlicensed' in signedIn)) await updateCode(tx, id, { usedAt: tx.now, personalEmailSealed: null });
  return signedIn;
}

/** Returns the newest code if it can still be used. */
async function findUsableCode(tx: Transaction, account: AccountRow): Promise<SignInCodeRow | undefined> {
  const issued = await newestCode(tx, account.id);
  if (issued?.used_at !== null || issued.expires_at <= tx.now) return undefined;
  if (issued.wrong_tries >= triesPerCode || !sentToCurrentMailbox(tx, issued, account)) return undefined;
  const since = new Date(tx.now.getTime() - wrongTriesPerPeriod.periodMs);
  return (await wrongTriesSince(tx, account.id, since)) < wrongTriesPerPeriod.tries ? issued : undefined;
}

/** Whether a code was sent to the account's present mailbox; readers of a former mailbox must not sign in. */
function sentToCurrentMailbox({ secrets }: Transaction, issued: SignInCodeRow, account: AccountRow): boolean {
  const present = mailboxOf(secrets, account);
  if (present === undefined) return issued.personal_email_sealed !== null;
  return emailFingerprints(secrets, present).some((fingerprint) => fingerprint.equals(issued.sent_to_hmac));
}
