import Joi from 'joi';
import { validationError } from '../../../domain/errors';
import { confirmMailboxChange, requestMailboxChange } from '../../../domain/signIn/changeMailbox';
import { codeLifetimeMs } from '../../../domain/signIn/limits';
import { operation } from '../../http/operation';
import { emailAddress, text } from '../../http/request/fields';

const tag = 'Sign-in';

const wantedSchema = Joi.object({
  email: emailAddress().required().description('Where sign-in codes are to go. Never returned.').example('ada@example.org'),
}).required();

const sentSchema = Joi.object({
  accepted: Joi.boolean().valid(true).required().description('Says nothing of whether another person has the address.').example(true),
  valid_minutes: Joi.number().integer().required().description('How long the code is valid.').example(10),
});

const confirmationSchema = Joi.object({
  code: text(20).required().description('The six digits of the newest code.').example('042917'),
}).required();

const changedSchema = Joi.object({
  id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  changed: Joi.boolean().valid(true).required().example(true),
});

/** The change of one's own mailbox, in two steps. */
export const mailbox = [
  operation({
    method: 'POST',
    path: '/me/mailbox',
    operationId: 'requestMailboxChange',
    tag,
    access: { app: ['student', 'faculty'] },
    institution: 'caller',
    summary: 'Ask for another mailbox for one’s sign-in codes; a code is mailed there.',
    description:
      'Nothing changes before the code is confirmed, within 10 minutes and 5 tries. A newer code replaces it; at most 5 an hour. The present mailbox gets no code. ' +
      'Before the profile of a faculty member is complete: conflict.',
    request: { body: wantedSchema },
    response: sentSchema,
    errors: ['conflict', 'rate_limited'],
    transaction: 'write',
    handle: async ({ body, principal, tx }) => {
      await requestMailboxChange(tx, principal.actorId, body.email);
      return { accepted: true as const, valid_minutes: codeLifetimeMs / 60_000 };
    },
  }),
  operation({
    method: 'POST',
    path: '/me/mailbox/confirm',
    operationId: 'confirmMailboxChange',
    tag,
    access: { app: ['student', 'faculty'] },
    institution: 'caller',
    summary: 'Confirm another mailbox with the code that was mailed there.',
    description:
      'Sign-in codes go there from now on. The other sessions of the person end, and the previous mailbox is notified. A wrong, used or expired code: validation_error. ' +
      'An email that another person of the institution has: conflict.',
    request: { body: confirmationSchema },
    response: changedSchema,
    errors: ['conflict'],
    transaction: 'own',
    // A wrong code is committed before it is rejected; an error thrown inside the transaction would roll the count back.
    handle: async ({ body, principal, commit }) => {
      const { result: confirmed } = await commit((tx) => confirmMailboxChange(tx, principal.actorId, principal.sessionId, body.code));
      if (!confirmed) throw validationError({ path: 'code', message: 'code is not the newest valid code' });
      return { id: principal.actorId, changed: true as const };
    },
  }),
];
