import { randomInt, timingSafeEqual } from 'node:crypto';
import { lockAccount } from '../../db/repositories/signIn/accounts';
import { codesIssuedSince, deleteExpiredCodes, insertCode } from '../../db/repositories/signIn/codes';
import type { Transaction } from '../context';
import { newId } from '../ids';
import type { SecretBox } from '../secrets/secretBox';
import { isNewAddressAllowed } from '../quotas/newAddresses';
import type { SealContext } from '../secrets/sealContext';
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

/** Returns the text whose fingerprint is stored and compared instead of a code; bound to its row. */
const codeText = (codeId: string, code: string): string => `${codeId}:${code}`;

/** Whether this is the code of a row, which may be stored under an earlier key. Compares in constant time. */
export function isCode(secrets: Pick<SecretBox, 'fingerprints'>, stored: { id: string; code_hmac: Buffer }, code: string): boolean {
  return secrets.fingerprints('sign_in_code', codeText(stored.id, code)).some((fingerprint) => timingSafeEqual(fingerprint, stored.code_hmac));
}

/** Returns where the email that a student names for a code is sealed. */
export const namedEmailPlace = (institutionId: string, codeId: string): SealContext => ({ institutionId, table: 'sign_in_codes', column: 'personal_email_sealed', rowId: codeId });

/**
 * Issues a new code for an account, which replaces the previous one. Undefined, and nothing is written, for people who may
 * not sign in, for a student who neither has nor names a personal email, after 5 codes within the hour, and to a named email beyond the institution's daily quota. `namedEmail`
 * is used only for a student without a mapped email.
 */
export async function issueCode(tx: Transaction, userId: string, namedEmail: string | undefined): Promise<IssuedCode | undefined> {
  const account = await lockAccount(tx, userId);
  if (account === undefined || !(await maySignIn(tx, account))) return undefined;
  const destination = codeDestination(tx.secrets, account, namedEmail);
  if (destination === undefined) return undefined;
  if ((await codesIssuedSince(tx, userId, msBefore(tx.now, codesPerPeriod.periodMs))) >= codesPerPeriod.codes) return undefined;
  await deleteExpiredCodes(tx, userId, msBefore(tx.now, wrongTriesPerPeriod.periodMs));
  if (destination.isNamed && !(await isNewAddressAllowed(tx))) return undefined;
  const id = newId('code');
  const code = randomSixDigits();
  await insertCode(tx, {
    id,
    userId,
    codeHmac: tx.secrets.fingerprint('sign_in_code', codeText(id, code)),
    personalEmailSealed: destination.isNamed ? tx.secrets.seal(destination.email, namedEmailPlace(tx.institutionId, id)) : null,
    sentToHmac: tx.secrets.fingerprint('personal_email', destination.email),
    wrongTries: 0,
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + codeLifetimeMs),
    usedAt: null,
  });
  const { institution_name: institutionName, login_domain: loginDomain } = account;
  return { id, code, to: destination.email, loginEmail: signInName(tx.secrets, account), institutionName, loginDomain };
}
