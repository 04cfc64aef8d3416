import Joi from 'joi';
import type { Database } from '../../db/database';
import { lockAccount, type AccountReference } from '../../db/repositories/signIn/accounts';
import type { SealedColumn } from '../../db/repositories/secrets/sealedColumns';
import { isNewestCode } from '../../db/repositories/signIn/codes';
import { countCodeEmails, storeCodeEmail, enqueueCodeRequest, lockCodeEmail, type WaitingCodeEmail } from '../../db/repositories/signIn/emails';
import { onClock } from '../clock';
import type { Caller, Domain } from '../context';
import type { EmailMessage } from '../emails/email';
import { canonicalEmail } from '../people/personalEmail';
import type { SealContext } from '../secrets/sealContext';
import { transact } from '../transact';
import { maxQueued, requireQueueSpace } from './emailQueue';
import { signInCodeEmail } from './signInCodeEmail';
import { findSignInAccount, type SignInIdentity } from './findSignInAccount';
import { issueCode } from './issueCode';
import type { ClaimDecision } from './claimLimit';
import { codeLifetimeMs } from './limits';

/** The account that requests a code, and the personal email that a student without a mapped one names. */
export interface CodeRequest extends SignInIdentity {
  personal_email?: string | undefined;
  /** The enrolment code that the institution requires with it. */
  enrolment_code?: string | undefined;
}

/** Maximum number of queued requests per login email, equal to the codes per hour; further ones count as one of them. */
const maxQueuedPerLoginEmail = 5;

/** Maximum age of the cached queue length, in ms: counting takes longer the longer the queue is, and must not happen on each request. */
const countCacheMs = 1_000;

interface CachedCount {
  atMs: number;
  waiting: Promise<number>;
}

const cachedCounts = new WeakMap<Database, CachedCount>();

/** Returns the queue length, at most one second old. */
async function queuedCount(database: Database): Promise<number> {
  const atMs = performance.now();
  const before = cachedCounts.get(database);
  if (before !== undefined && atMs - before.atMs < countCacheMs) return before.waiting;
  const counted = { atMs, waiting: countCodeEmails(database.sql, maxQueued) };
  cachedCounts.set(database, counted);
  return counted.waiting;
}

/**
 * Stores a request for a code, encrypted; the workers issue the code and send it. The account is not looked up, so that
 * neither the stored row nor the response time reveals whether it exists. Five requests per login email are queued,
 * whether the account exists or not; a sixth counts as one of them. `rate_limited` while 100,000 are queued.
 */
export async function requestCode(domain: Domain, request: CodeRequest, { requestId, clientAddress }: Pick<Caller, 'requestId' | 'clientAddress'>): Promise<void> {
  requireQueueSpace(await queuedCount(domain.database));
  const sealed = domain.secrets.seal(JSON.stringify(request), waitingEmailPlace('request_sealed', requestId));
  const fingerprint = domain.secrets.fingerprint('sign_in_request', canonicalEmail(request.login_email));
  await enqueueCodeRequest(domain.database.sql, { requestId, sealed, fingerprint, clientAddress, lifetimeMs: codeLifetimeMs }, maxQueuedPerLoginEmail);
  domain.onCommitted(['emails']);
}

/** Returns where a value of a waiting email is sealed: by the id of its request, because the account is not known at first. */
export const waitingEmailPlace = (column: SealedColumn<'sign_in_emails'>, requestId: string): SealContext =>
  ({ institutionId: null, table: 'sign_in_emails', column, rowId: requestId });

/** A stored row that decrypts but has another form. Contains none of its data, so that it may be logged. */
export class UnreadableCodeEmail extends Error {
  override readonly name = 'UnreadableCodeEmail';
}

/** A stored request and the account it refers to. */
export interface Recipient {
  request: CodeRequest;
  account: AccountReference;
}

/** Returns the account that a stored request refers to now; undefined if there is none. */
export async function findRecipient(domain: Domain, { request_id, request_sealed }: WaitingCodeEmail, now: Date): Promise<Recipient | undefined> {
  const request = openSealed(domain, request_sealed, waitingEmailPlace('request_sealed', request_id), requestShape);
  const account = await findSignInAccount(domain, request, now);
  return account === undefined ? undefined : { request, account };
}

/**
 * Returns the email of a stored request: its code is issued and stored in one transaction, once, regardless of how often
 * sending is tried. Undefined if none is due, it is already sent, or a newer code has replaced its own.
 */
export async function writeCodeEmail(domain: Domain, waiting: WaitingCodeEmail, { request, account }: Recipient, now: Date, onRefusedClaim: (institutionId: string) => void = () => undefined): Promise<EmailMessage | undefined> {
  const { institution_id: institutionId, user_id: userId, clock_offset_ms: clockOffsetMs } = account;
  const { seq, request_id, email_sealed, code_id, client_address } = waiting;
  const place = waitingEmailPlace('email_sealed', request_id);
  if (email_sealed !== null) {
    if (code_id !== null && !(await isNewestCode(domain.database.sql, institutionId, code_id))) return undefined;
    return openSealed(domain, email_sealed, place, emailShape);
  }
  const refused: ClaimDecision[] = [];
  const caller = { institutionId, now: onClock({ clockOffsetMs }, now) };
  const email = await transact(domain, caller, async (tx) => {
    // Locks the account first, which may take time: a request for another code must not wait behind it for this row.
    await lockAccount(tx, userId);
    const kept = await lockCodeEmail(tx, seq);
    if (kept === undefined) return undefined;
    if (kept.email_sealed !== null) return openSealed(domain, kept.email_sealed, place, emailShape);
    const issued = await issueCode(tx, userId, request.personal_email, { enrolmentCode: request.enrolment_code, clientAddress: client_address ?? undefined, onRefused: (decision) => refused.push(decision) });
    if (issued === undefined) return undefined;
    const written = signInCodeEmail(issued);
    await storeCodeEmail(tx, seq, { sealed: tx.secrets.seal(JSON.stringify(written), place), codeId: issued.id, lifetimeMs: codeLifetimeMs });
    return written;
  });
  if (refused.length > 0) onRefusedClaim(institutionId);
  if (refused.includes('refused_with_alert')) await recordClaimAlert(domain, { ...caller, requestId: waiting.request_id });
  return email;
}

/** Records in the audit log that codes for named addresses are no longer sent to one client, once for each flood. */
async function recordClaimAlert(domain: Domain, caller: Pick<Caller, 'institutionId' | 'now' | 'requestId'>): Promise<void> {
  const operation = { id: 'limitAccountClaims', method: 'POST', path: '/platform/v1/sign-in/codes', target: {}, changed: [] };
  await transact(domain, { ...caller, actor: { kind: 'system', id: 'sign_in' }, operation }, () => Promise.resolve());
}

// Fields that it does not know are of a later release, whose API may run at the same time.
const requestShape = Joi.object<CodeRequest>({
  login_email: Joi.string().required(),
  institution_id: Joi.string(),
  kind: Joi.string(),
  personal_email: Joi.string(),
  enrolment_code: Joi.string(),
}).unknown();

const emailShape = Joi.object<EmailMessage>({
  to: Joi.string().required(),
  subject: Joi.string().required(),
  text: Joi.string().required(),
  html: Joi.string().required(),
  messageId: Joi.string().required(),
});

/** Decrypts and validates a value. Errors of Joi and JSON contain the invalid text, addresses and codes, so they are not passed on. */
function openSealed<Value>({ secrets }: Domain, sealed: string, place: SealContext, shape: Joi.ObjectSchema<Value>): Value {
  const read = shape.required().validate(parseJson(secrets.open(sealed, place)));
  if (read.error !== undefined) throw new UnreadableCodeEmail('A stored sign-in email has an invalid form');
  return read.value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
