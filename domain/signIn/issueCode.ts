import { randomInt } from 'node:crypto';
import { lockAccount, type AccountRow } from '../../db/repositories/signIn/accounts';
import { codesIssuedSince, deleteExpiredCodes, insertCode } from '../../db/repositories/signIn/codes';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { isLoginEmail } from '../people/requireNotLoginEmail';
import { isNewAddressAllowed } from '../quotas/newAddresses';
import type { SealContext } from '../secrets/sealContext';
import { limitClaims, type ClaimDecision } from './claimLimit';
import { codeFingerprint } from './codeFingerprint';
import { checkEnrolmentCode } from './enrolmentCode';
import { codeLifetimeMs, codesPerPeriod, wrongTriesPerPeriod } from './limits';
import { codeDestination } from './mailbox';
import { maySignIn, signInName } from './maySignIn';

/** A code for its email, in plain text only there. */
export interface IssuedCode {
  id: string;
  code: string;
  to: string;
  loginEmail: string;
  institutionName: string;
  loginDomain: string;
}

const msBefore = (now: Date, ms: number): Date => new Date(now.getTime() - ms);
const randomSixDigits = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** What a student without a mapped email sends in addition to the address that they name. */
export interface AccountClaim {
  enrolmentCode?: string | undefined;
  /** The address of the client that asked; undefined if it is not known. */
  clientAddress?: string | undefined;
  /** Called if the claim is refused because too many accounts are claimed from the client's address. */
  onRefused?: (decision: Exclude<ClaimDecision, 'allowed'>) => void;
}

/** Returns where the email that a student names for a code is sealed. */
export const namedEmailPlace = (institutionId: string, codeId: string): SealContext => ({ institutionId, table: 'sign_in_codes', column: 'personal_email_sealed', rowId: codeId });

/**
 * Issues a new code for an account, which replaces the previous one. Undefined, and nothing is written, for people who may
 * not sign in, for a student who neither has nor names a personal email or names a login email, after 5 codes within the hour, and to a named email
 * beyond the institution's daily quota. `namedEmail` is used only for a student without a mapped email, who needs the enrolment
 * code where the institution requires one: without it undefined, and a wrong one is counted. Where none is required, the claims
 * from one client address are limited.
 */
export async function issueCode(tx: Transaction, userId: string, namedEmail: string | undefined, claim: AccountClaim = {}): Promise<IssuedCode | undefined> {
  const account = await lockAccount(tx, userId);
  if (account === undefined || !(await maySignIn(tx, account))) return undefined;
  const destination = codeDestination(tx.secrets, account, namedEmail);
  if (destination === undefined || (destination.isNamed && (await isLoginEmail(tx, destination.email)))) return undefined;
  if ((await codesIssuedSince(tx, userId, msBefore(tx.now, codesPerPeriod.periodMs))) >= codesPerPeriod.codes) return undefined;
  const admission = destination.isNamed ? await admitClaim(tx, account, claim) : { enrolmentCodeId: null };
  if (admission === undefined) return undefined;
  await deleteExpiredCodes(tx, userId, msBefore(tx.now, wrongTriesPerPeriod.periodMs));
  if (destination.isNamed && !(await isNewAddressAllowed(tx))) return undefined;
  const id = newId('code');
  const code = randomSixDigits();
  await insertCode(tx, {
    id,
    userId,
    codeHmac: codeFingerprint(tx.secrets, id, code),
    personalEmailSealed: destination.isNamed ? tx.secrets.seal(destination.email, namedEmailPlace(tx.institutionId, id)) : null,
    sentToHmac: tx.secrets.fingerprint('personal_email', destination.email),
    enrolmentCodeId: admission.enrolmentCodeId,
    wrongTries: 0,
    lastWrongAt: null,
    lockedAt: null,
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + codeLifetimeMs),
    usedAt: null,
  });
  const { institution_name: institutionName, login_domain: loginDomain } = account;
  return { id, code, to: destination.email, loginEmail: signInName(tx.secrets, account), institutionName, loginDomain };
}

/** Returns with which enrolment code, if one is required, a student may name an address; undefined if they may not. */
async function admitClaim(tx: Transaction, account: AccountRow, claim: AccountClaim): Promise<{ enrolmentCodeId: string | null } | undefined> {
  if (account.require_enrolment_code) {
    const enrolmentCodeId = await checkEnrolmentCode(tx, account.id, claim.enrolmentCode);
    return enrolmentCodeId === undefined ? undefined : { enrolmentCodeId };
  }
  const decision = await limitClaims(tx, account.id, claim.clientAddress);
  if (decision === 'allowed') return { enrolmentCodeId: null };
  claim.onRefused?.(decision);
  return undefined;
}
