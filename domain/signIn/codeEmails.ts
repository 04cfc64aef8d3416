import Joi from 'joi';
import type { Database } from '../../db/database';
import { lockAccount, type AccountReference } from '../../db/repositories/signIn/accounts';
import { isNewestCode } from '../../db/repositories/signIn/codes';
import { countCodeEmails, storeCodeEmail, enqueueCodeRequest, lockCodeEmail, type WaitingCodeEmail } from '../../db/repositories/signIn/emails';
import type { Domain } from '../context';
import { DomainError } from '../errors';
import type { EmailMessage } from '../emails/email';
import { canonicalEmail } from '../people/personalEmail';
import { transact } from '../transact';
import { signInCodeEmail } from './signInCodeEmail';
import { findSignInAccount, type SignInIdentity } from './findSignInAccount';
import { issueCode } from './issueCode';
import { codeLifetimeMs } from './limits';

/** Who asks for a code, and where a student without a mapped email wants it. */
export interface CodeRequest extends SignInIdentity {
  personal_email?: string | undefined;
}

/** As many as ten minutes may gather while no mail can be sent; a flood must not fill the disk. */
const maxQueued = 100_000;

/** Requests of one login email that wait at the same time, as many as codes are given in an hour; further ones count as one of them. */
const maxQueuedPerLoginEmail = 5;

/** How old the number of all that wait may be, in ms: to count costs with what waits, and must not come with each request. */
const countCacheMs = 1_000;

interface CachedCount {
  atMs: number;
  waiting: Promise<number>;
}

const cachedCounts = new WeakMap<Database, CachedCount>();

/** How many wait, as of a second ago at most. */
async function queuedCount(database: Database): Promise<number> {
  const atMs = performance.now();
  const before = cachedCounts.get(database);
  if (before !== undefined && atMs - before.atMs < countCacheMs) return before.waiting;
  const counted = { atMs, waiting: countCodeEmails(database.sql, maxQueued) };
  cachedCounts.set(database, counted);
  return counted.waiting;
}

/**
 * Keeps a request for a code, sealed; the workers issue the code and send it. Nothing of the account is looked up, so that
 * neither what is kept nor how long it takes says whether there is one. Of one login email five wait, known or not: a sixth
 * counts as one of them. `rate_limited` while 100,000 wait, whoever asks.
 */
export async function requestCode(domain: Domain, request: CodeRequest, requestId: string): Promise<void> {
  if ((await queuedCount(domain.database)) >= maxQueued) {
    throw new DomainError('rate_limited', 'Too many sign-in codes wait to be sent; ask again in a minute.');
  }
  const sealed = domain.secrets.seal(JSON.stringify(request));
  const fingerprint = domain.secrets.fingerprint('sign_in_request', canonicalEmail(request.login_email));
  await enqueueCodeRequest(domain.database.sql, { requestId, sealed, fingerprint, lifetimeMs: codeLifetimeMs }, maxQueuedPerLoginEmail);
  domain.onCommitted(['emails']);
}

/** A kept row that is sealed as it should be and holds something else. Holds nothing of it: it may be logged. */
export class UnreadableCodeEmail extends Error {
  override readonly name = 'UnreadableCodeEmail';
}

/** A request that was kept, and whose account it leads to. */
export interface Recipient {
  request: CodeRequest;
  account: AccountReference;
}

/** Whom a kept request leads to at present; undefined where there is no such account. */
export async function findRecipient(domain: Domain, { request_sealed }: WaitingCodeEmail, now: Date): Promise<Recipient | undefined> {
  const request = openSealed(domain, request_sealed, requestShape);
  const account = await findSignInAccount(domain, request, now);
  return account === undefined ? undefined : { request, account };
}

/**
 * The email of a request that was kept: its code is issued and kept with it in one transaction, once, however often it is
 * tried to be sent. Undefined where none is due, it is sent meanwhile, or a newer code has replaced the one it carries.
 */
export async function writeCodeEmail(domain: Domain, waiting: WaitingCodeEmail, { request, account }: Recipient, now: Date): Promise<EmailMessage | undefined> {
  const { institution_id: institutionId, user_id: userId } = account;
  const { seq, email_sealed, code_id } = waiting;
  if (email_sealed !== null) {
    if (code_id !== null && !(await isNewestCode(domain.database.sql, institutionId, code_id))) return undefined;
    return openSealed(domain, email_sealed, emailShape);
  }
  return transact(domain, { institutionId, now }, async (tx) => {
    // First the account, which may be waited for: whoever asks for a further code must not wait behind it for this row.
    await lockAccount(tx, userId);
    const kept = await lockCodeEmail(tx, seq);
    if (kept === undefined) return undefined;
    if (kept.email_sealed !== null) return openSealed(domain, kept.email_sealed, emailShape);
    const issued = await issueCode(tx, userId, request.personal_email);
    if (issued === undefined) return undefined;
    const email = signInCodeEmail(issued);
    await storeCodeEmail(tx, seq, { sealed: tx.secrets.seal(JSON.stringify(email)), codeId: issued.id, lifetimeMs: codeLifetimeMs });
    return email;
  });
}

const requestShape = Joi.object<CodeRequest>({
  login_email: Joi.string().required(),
  institution_id: Joi.string(),
  kind: Joi.string(),
  personal_email: Joi.string(),
});

const emailShape = Joi.object<EmailMessage>({
  to: Joi.string().required(),
  subject: Joi.string().required(),
  text: Joi.string().required(),
  html: Joi.string().required(),
  messageId: Joi.string().required(),
});

/** Opens what is sealed. The errors of Joi and JSON hold what they could not read, addresses and codes, and go no further. */
function openSealed<Value>({ secrets }: Domain, sealed: string, shape: Joi.ObjectSchema<Value>): Value {
  const read = shape.required().validate(parseJson(secrets.open(sealed)));
  if (read.error !== undefined) throw new UnreadableCodeEmail('A kept sign-in email does not have the form of one');
  return read.value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
