import { lockAccount, type AccountRow } from '../../db/repositories/signIn/accounts';
import { newestCode, updateCode, type SignInCodeRow } from '../../db/repositories/signIn/codes';
import { recordSignIn, type SignInResult } from '../../db/repositories/signIn/signIns';
import type { Transaction } from '../context';
import type { AppOnDevice } from '../devices/assignSeat';
import { newId } from '../ids';
import { emailFingerprints } from '../people/personalEmail';
import { readWrongTries } from './accountLock';
import { completeSignIn, type SignedIn, type UnlicensedSignIn } from './completeSignIn';
import { isCode } from './codeFingerprint';
import { isCurrentEnrolmentCode } from './enrolmentCode';
import { namedEmailPlace } from './issueCode';
import { triesPerCode, wrongTriesPerPeriod } from './limits';
import { mailboxOf } from './mailbox';
import { maySignIn } from './maySignIn';

/** A sign-in: a code, and optionally the app and device that need a seat. */
export interface SignInAttempt {
  code: string;
  onDevice: AppOnDevice | undefined;
  /** The address of the client; undefined if it is not known. */
  clientAddress?: string | undefined;
}

/** Failed tries like each other within this period are one entry of the history, in ms. */
const historyStepMs = 60_000;

interface Outcome {
  result: SignInResult;
  signedIn?: SignedIn | UnlicensedSignIn;
}

/**
 * Opens a session with the account's newest code, once. The first sign-in activates a pending student and maps the
 * personal email that the code was sent to (`student.updated`, `student.email_mapped`); `conflict` if that email now
 * belongs to another person. A guardian's sign-in verifies their accepted links. With an app on a device it assigns the
 * seat, only on an active license; with any other license the caller must commit, because its expiry may have been
 * recorded. Undefined for an invalid code; the caller must commit, because the wrong attempt is counted, and every attempt is
 * an entry of the person's history. After 5 wrong attempts with a code the correct one is rejected too. After 10 with an
 * account within a day the account is locked for an hour after the last of them, and again after each further one.
 */
export async function signIn(tx: Transaction, userId: string, attempt: SignInAttempt): Promise<SignedIn | UnlicensedSignIn | undefined> {
  const account = await lockAccount(tx, userId);
  if (account === undefined) return undefined;
  const { result, signedIn } = await tryCode(tx, account, attempt);
  const entry = { id: newId('sgn'), userId, clientAddress: attempt.clientAddress ?? null, result };
  await recordSignIn(tx, entry, tx.now, new Date(tx.now.getTime() - historyStepMs));
  return signedIn;
}

async function tryCode(tx: Transaction, account: AccountRow, { code, onDevice }: SignInAttempt): Promise<Outcome> {
  if (!(await maySignIn(tx, account))) return { result: 'not_allowed' };
  const issued = await newestCode(tx, account.id);
  if (issued === undefined || !(await isUsable(tx, issued, account))) return { result: 'no_valid_code' };
  const isRight = isCode(tx.secrets, issued, code);
  const { tries, lock } = await readWrongTries(tx, account.id, tx.now);
  if (lock !== undefined) {
    // A right code is the owner's: it does not extend the lock.
    if (!isRight) await updateCode(tx, issued.id, { lastWrongAt: tx.now, lockedAt: lock.since });
    return { result: 'locked' };
  }
  if (!isRight) {
    const lockedAt = tries + 1 < wrongTriesPerPeriod.tries ? null : tx.now;
    await updateCode(tx, issued.id, { wrongTries: issued.wrong_tries + 1, lastWrongAt: tx.now, lockedAt });
    return { result: 'wrong_code' };
  }
  const { id, personal_email_sealed: sealed, enrolment_code_id: enrolmentCodeId } = issued;
  const namedEmail = sealed === null ? null : tx.secrets.open(sealed, namedEmailPlace(tx.institutionId, id));
  const signedIn = await completeSignIn(tx, account, { namedEmail, enrolmentCodeId, onDevice });
  if ('unlicensed' in signedIn) return { result: 'unlicensed', signedIn };
  await updateCode(tx, id, { usedAt: tx.now, personalEmailSealed: null });
  return { result: 'signed_in', signedIn };
}

/** Whether the newest code of an account can still be used. */
async function isUsable(tx: Transaction, issued: SignInCodeRow, account: AccountRow): Promise<boolean> {
  if (issued.used_at !== null || issued.expires_at <= tx.now) return false;
  if (issued.wrong_tries >= triesPerCode || !sentToCurrentMailbox(tx, issued, account)) return false;
  // A code that an address was named for: the enrolment code may have been required, or replaced, meanwhile.
  if (issued.personal_email_sealed === null || !account.require_enrolment_code || mailboxOf(tx.secrets, account) !== undefined) return true;
  return isCurrentEnrolmentCode(tx, account.id, issued.enrolment_code_id);
}

/** Whether a code was sent to the account's present mailbox; readers of a former mailbox must not sign in. */
function sentToCurrentMailbox({ secrets }: Transaction, issued: SignInCodeRow, account: AccountRow): boolean {
  const present = mailboxOf(secrets, account);
  if (present === undefined) return issued.personal_email_sealed !== null;
  return emailFingerprints(secrets, present).some((fingerprint) => fingerprint.equals(issued.sent_to_hmac));
}
