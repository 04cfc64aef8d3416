import { createKeyedSemaphore } from '../../../lib/keyedSemaphore';
import { onClock } from '../../../domain/clock';
import type { Caller, Domain } from '../../../domain/context';
import { DomainError } from '../../../domain/errors';
import { requestCode } from '../../../domain/signIn/codeEmails';
import { findSignInAccount } from '../../../domain/signIn/findSignInAccount';
import { requireLicensed, type SignedIn, type UnlicensedSignIn } from '../../../domain/signIn/completeSignIn';
import { codeLifetimeMs } from '../../../domain/signIn/limits';
import { endSession } from '../../../domain/signIn/sessions';
import { signIn } from '../../../domain/signIn/signIn';
import { transact } from '../../../domain/transact';
import type { PlatformCaller } from '../../http/access';
import { operation } from '../../http/operation';
import { deleted } from '../../http/request/fields';
import { toAppOnDevice } from './appOnDevice';
import { rejectSignIn } from './rejectSignIn';
import { presentSignedInUser } from './signIn.presenter';
import {
  codeAcceptedSchema,
  codeRequestSchema,
  credentialsSchema,
  endedSessionSchema,
  openedSessionSchema,
  type Credentials,
} from './signIn.schemas';

const tag = 'Sign-in';

/** Maximum number of concurrent sign-ins by one login email, whether or not it has an account; further ones wait up to 5 s. */
const signInSemaphore = createKeyedSemaphore(4, 5_000);

async function trySignIn(domain: Domain, { code, app, device, ...identity }: Credentials, { now, clientAddress }: Pick<Caller, 'now' | 'clientAddress'>): Promise<SignedIn | UnlicensedSignIn | undefined> {
  const account = await findSignInAccount(domain, identity, now);
  if (account === undefined) return undefined;
  const actor = { kind: 'session', id: account.user_id } as const;
  const caller = { institutionId: account.institution_id, actor, now: onClock({ clockOffsetMs: account.clock_offset_ms }, now) };
  return transact(domain, caller, (tx) => signIn(tx, account.user_id, { code, onDevice: toAppOnDevice(app, device), clientAddress }));
}

function requireSessionId({ sessionId }: PlatformCaller): string {
  if (sessionId === null) throw new DomainError('unauthorized', 'Send the token of a session (ses_…), which a sign-in opens.');
  return sessionId;
}

export const signInOperations = [
  operation({
    method: 'POST',
    path: '/sign-in/codes',
    operationId: 'requestSignInCode',
    tag,
    access: { public: true },
    institution: 'none',
    summary: 'Ask for a sign-in code by mail.',
    description:
      'Returns the same response, as soon as the request is stored, whether the account exists or not. The code is created and mailed afterwards, ' +
      'even after a restart of the API or the mail server, but not once 10 minutes have passed. It is valid ' +
      'for 10 minutes and 5 tries, and replaces the previous code. At most 5 codes an hour per account, and 300 calls a minute per client address. ' +
      'After 10 wrong tries in a day an account is locked for an hour, and after each further one again. A student without a mapped personal email ' +
      'gets no code without the enrolment code where the institution requires one; elsewhere none while 20 other accounts of the institution were claimed from the ' +
      'client address within a minute. No code is sent to suspended people, or to guardians and developers who have not accepted an invitation.',
    request: { body: codeRequestSchema },
    response: codeAcceptedSchema,
    errors: ['rate_limited', 'rate_limiter_unavailable'],
    transaction: 'none',
    // The account is not looked up before the response, so the response time does not reveal whether it exists.
    audit: 'none',
    handle: async ({ body, caller, domain }) => {
      await requestCode(domain, body, caller);
      return { accepted: true as const, valid_minutes: codeLifetimeMs / 60_000 };
    },
  }),
  operation({
    method: 'POST',
    path: '/sign-in/sessions',
    operationId: 'signIn',
    tag,
    access: { public: true },
    institution: 'none',
    summary: 'Open a session of 12 hours with a code.',
    description:
      'The first success makes a pending student active and maps the personal email that the code was sent to; conflict if ' +
      'another person now has that email. The sign-in of a guardian verifies the links that they have accepted (guardian.verified). A wrong, used or expired code, an unknown account and a suspended person: unauthorized. ' +
      'With `app` and `device` (students and faculty only), the session takes a seat of the device in the app. If the device has a seat, the session replaces ' +
      'the previous one, which ends; a third device signs out the seat with the oldest sign-in. A device that is new to the license ' +
      'is registered (license.device_registered). Conflict if the license is not active; the code stays valid.',
    request: { body: credentialsSchema },
    response: openedSessionSchema,
    errors: ['unauthorized', 'conflict', 'rate_limited', 'rate_limiter_unavailable'],
    transaction: 'none',
    // A wrong attempt is committed before it is rejected; an error thrown inside the transaction would roll the count back.
    audit: 'none',
    handle: async ({ body, caller, domain }) => {
      const signedIn = (await signInSemaphore.run(body.login_email, () => trySignIn(domain, body, caller))) ?? (await rejectSignIn(caller.now));
      const { session, user } = requireLicensed(signedIn);
      return {
        session: session.token,
        expires_at: session.expiresAt.toISOString(),
        user: presentSignedInUser(user),
      };
    },
  }),
  operation({
    method: 'DELETE',
    path: '/sign-in/sessions/current',
    operationId: 'signOut',
    tag,
    access: { app: ['student', 'faculty', 'guardian', 'developer'], duringOffboarding: true },
    institution: 'session',
    summary: 'End the session that this request carries.',
    response: endedSessionSchema,
    errors: [],
    transaction: 'write',
    audit: 'none',
    handle: async ({ principal, tx }) => {
      const id = requireSessionId(principal);
      await endSession(tx, id);
      return deleted(id);
    },
  }),
];
