import Joi from 'joi';
import { signInResults } from '../../../db/repositories/signIn/signIns';
import { timestamp } from '../../http/request/fields';

export const signInSchema = Joi.object({
  id: Joi.string().required().example('sgn_01jd4k6f2mep2s5xg5yhc8m1zr'),
  at: timestamp().required().description('Of the first, where `tries` is more than 1.').example('2026-11-20T09:30:00.000Z'),
  client_address: Joi.string().allow(null).required().description('The IP address of the client; null where it is not known.').example('203.0.113.7'),
  result: Joi.string()
    .valid(...signInResults)
    .required()
    .description(
      '`signed_in`; or why not: `wrong_code`; `no_valid_code`, because there is none, or it is used or expired; `locked` after too many wrong tries; `not_allowed`, such as ' +
        'a suspended person; `unlicensed`, where the sign-in was to take a seat.',
    )
    .example('signed_in'),
  tries: Joi.number().integer().required().description('Failed tries within a minute with one result from one address are one entry.').example(1),
}).meta({ title: 'SignIn' });

export const unlockedSchema = (example: string) => Joi.object({
  id: Joi.string().required().example(example),
  unlocked: Joi.boolean().valid(true).required().example(true),
});
