import { randomInt } from 'node:crypto';
import { endSessions } from '../../db/repositories/people/people';
import { lockAccount, type AccountRow } from '../../db/repositories/signIn/accounts';
import { countCodeEmails, enqueueEmail } from '../../db/repositories/signIn/emails';
import { countWrongMailboxTry, insertMailboxChange, mailboxChangesSince, markMailboxChangeUsed, newestMailboxChange } from '../../db/repositories/signIn/mailboxChanges';
import { findSessionsBeyond } from '../../db/repositories/signIn/sessions';
import type { Transaction } from '../context';
import type { EmailMessage } from '../emails/email';
import { DomainError, notFound } from '../errors';
import { newId } from '../ids';
import { mapEmail } from '../people/mapEmail';
import { canonicalEmail, openEmail } from '../people/personalEmail';
import { requireNotLoginEmail } from '../people/requireNotLoginEmail';
import { requireNewAddressAllowed } from '../quotas/newAddresses';
import type { SealContext } from '../secrets/sealContext';
import { waitingEmailPlace } from './codeEmails';
import { codeFingerprint, isCode } from './codeFingerprint';
import { maxQueued, requireQueueSpace } from './emailQueue';
import { codeLifetimeMs, codesPerPeriod, triesPerCode } from './limits';
import { mailboxChangedEmail, mailboxCodeEmail, type MailboxOwner } from './mailboxEmails';
import { endSession } from './sessions';

/** How long the email to the previous mailbox is tried, in ms. */
const noticeLifetimeMs = 24 * 3_600_000;

async function requireAccount(tx: Transaction, userId: string): Promise<AccountRow> {
  const account = await lockAccount(tx, userId);
  // Their sessions ended with the erasure, of which this may be one.
  if (account?.erased_at !== null) throw notFound('person');
  return account;
}

const newMailboxPlace = (institutionId: string, changeId: string): SealContext => ({ institutionId, table: 'mailbox_changes', column: 'email_sealed', rowId: changeId });

/** Returns the present mailbox of an account; undefined if there is none. */
function presentMailbox({ secrets }: Transaction, { id: userId, institution_id: institutionId, personal_email_sealed: sealed }: AccountRow): string | undefined {
  return sealed === null ? undefined : openEmail(secrets, { institutionId, userId }, sealed);
}

/**
 * Sends a code to the mailbox that a student or faculty member wants for their sign-in codes; the change holds once they confirm
 * it. No-op for their present mailbox. `conflict` before the profile of a faculty member is complete, `validation_error` for a
 * login email, `rate_limited` after 5 codes within the hour or while too many emails wait, `conflict` beyond the institution's daily quota of new addresses.
 */
export async function requestMailboxChange(tx: Transaction, userId: string, email: string): Promise<void> {
  const account = await requireAccount(tx, userId);
  if (account.kind === 'faculty' && !account.profile_completed) throw new DomainError('conflict', 'Complete the profile first; it names the mailbox.');
  await requireNotLoginEmail(tx, 'email', email);
  const mailbox = canonicalEmail(email);
  if (presentMailbox(tx, account) === mailbox) return;
  const { codes, periodMs } = codesPerPeriod;
  if ((await mailboxChangesSince(tx, userId, new Date(tx.now.getTime() - periodMs))) >= codes) {
    throw new DomainError('rate_limited', `At most ${codes} codes an hour are sent to change a mailbox; try again later.`);
  }
  requireQueueSpace(await countCodeEmails(tx.platform.sql, maxQueued));
  const id = newId('mbx');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const expiresAt = new Date(tx.now.getTime() + codeLifetimeMs);
  const sealed = tx.secrets.seal(mailbox, newMailboxPlace(tx.institutionId, id));
  await insertMailboxChange(tx, { id, userId, sealed, codeHmac: codeFingerprint(tx.secrets, id, code), createdAt: tx.now, expiresAt });
  await sendEmail(tx, account, mailboxCodeEmail(ownerOf(account, id, mailbox), code), { id, lifetimeMs: codeLifetimeMs });
  await requireNewAddressAllowed(tx);
}

/**
 * Confirms the newest change of a person's mailbox with its code: it holds from now on. `conflict` if another person of the
 * institution has the email. False for an invalid code; the caller must commit, because the wrong try is counted.
 */
export async function confirmMailboxChange(tx: Transaction, userId: string, sessionId: string | null, code: string): Promise<boolean> {
  await requireAccount(tx, userId);
  const change = await newestMailboxChange(tx, userId);
  if (change?.used_at !== null || change.expires_at <= tx.now || change.wrong_tries >= triesPerCode) return false;
  if (!isCode(tx.secrets, change, code)) {
    await countWrongMailboxTry(tx, change.id);
    return false;
  }
  await markMailboxChangeUsed(tx, change.id, tx.now);
  await replaceMailbox(tx, userId, { field: 'email', email: tx.secrets.open(change.email_sealed, newMailboxPlace(tx.institutionId, change.id)) }, sessionId);
  return true;
}

/**
 * Maps the mailbox that this field names to a person; false if unchanged, `conflict` if another person has it, `validation_error` for a login email. Where it replaces another one, the
 * previous mailbox is notified, and the person's sessions end, except the one that asked.
 */
export async function replaceMailbox(tx: Transaction, userId: string, { field, email }: { field: string; email: string }, sessionId: string | null): Promise<boolean> {
  const before = await requireAccount(tx, userId);
  const previous = presentMailbox(tx, before);
  if (!(await mapEmail(tx, userId, field, email))) return false;
  if (previous === undefined) return true;
  await endOtherSessions(tx, userId, sessionId);
  const id = newId('mbx');
  await sendEmail(tx, before, mailboxChangedEmail(ownerOf(before, id, previous)), { id, lifetimeMs: noticeLifetimeMs });
  return true;
}

async function endOtherSessions(tx: Transaction, userId: string, sessionId: string | null): Promise<void> {
  if (sessionId === null) {
    await endSessions(tx, userId, tx.now);
    return;
  }
  const live = await findSessionsBeyond(tx, userId, tx.now, 0);
  for (const other of live.filter((id) => id !== sessionId)) await endSession(tx, other);
}

function loginEmailOf({ login_email }: AccountRow): string {
  if (login_email === null) throw new Error('Only people with a login email change their mailbox');
  return login_email;
}

function ownerOf(account: AccountRow, id: string, to: string): MailboxOwner {
  const { institution_name: institutionName, login_domain: loginDomain } = account;
  return { id, to, loginEmail: loginEmailOf(account), institutionName, loginDomain };
}

/** Leaves an email to the sender of sign-in codes. */
async function sendEmail(tx: Transaction, account: AccountRow, email: EmailMessage, { id, lifetimeMs }: { id: string; lifetimeMs: number }): Promise<void> {
  const loginEmail = loginEmailOf(account);
  await enqueueEmail(tx, {
    requestId: id,
    requestSealed: tx.secrets.seal(JSON.stringify({ login_email: loginEmail }), waitingEmailPlace('request_sealed', id)),
    emailSealed: tx.secrets.seal(JSON.stringify(email), waitingEmailPlace('email_sealed', id)),
    fingerprint: tx.secrets.fingerprint('sign_in_request', canonicalEmail(loginEmail)),
    lifetimeMs,
  });
}
