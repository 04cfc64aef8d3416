import Joi from 'joi';
import { completeProfile } from '../../../domain/signIn/completeProfile';
import { operation } from '../../http/operation';
import { emailAddress, text } from '../../http/request/fields';

const profileSchema = Joi.object({
  employee_id: text(100).required().example('E-1042'),
  department: text(200).required().example('Mathematics'),
  position: text(200).required().example('Senior lecturer'),
  email: emailAddress().required().description('Where sign-in codes go once the profile is complete; later another one has to be confirmed. Never returned.').example('grace@example.org'),
});

const completedSchema = Joi.object({
  id: Joi.string().required().example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  profile_completed: Joi.boolean().valid(true).required().example(true),
  employee_id: Joi.string().required().example('E-1042'),
  department: Joi.string().required().example('Mathematics'),
  position: Joi.string().required().example('Senior lecturer'),
}).meta({ title: 'CompletedProfile' });

export const profile = [
  operation({
    method: 'POST',
    path: '/me/profile',
    operationId: 'completeProfile',
    tag: 'Sign-in',
    access: { app: ['faculty'] },
    institution: 'caller',
    summary: 'Complete the profile of the first sign-in.',
    description:
      'Emits faculty.profile_completed the first time, from which on sign-in codes go to `email`. Later calls replace the profile; an `email` that differs is then asked for like ' +
      'with POST /me/mailbox: it holds once its code is confirmed. An email that another person of the institution has: conflict.',
    request: { body: profileSchema },
    response: completedSchema,
    errors: ['conflict', 'rate_limited'],
    transaction: 'write',
    handle: async ({ body, principal, tx }) => {
      await completeProfile(tx, principal.actorId, body, principal.sessionId);
      const { email: _email, ...otherFields } = body;
      return { id: principal.actorId, profile_completed: true as const, ...otherFields };
    },
  }),
];
