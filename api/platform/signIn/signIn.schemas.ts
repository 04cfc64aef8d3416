import Joi from 'joi';
import type { Named } from '../../../domain/signIn/findPlace';
import { deletedSchema, emailAddress, reference, text, timestamp } from '../../http/fields';

/** Who asks for a code, and where a student without a mapped email wants it. */
export interface CodeRequest extends Named {
  personal_email?: string | undefined;
}

/** Who signs in, with the code of the letter. */
export interface Credentials extends Named {
  code: string;
}

const named = {
  login_email: emailAddress().required().description('The generated login email; of a guardian their own address.').example('student1.9f86d081@north.example'),
  institution_id: reference()
    .description('Of a guardian in several institutions: which is meant, the one whose invitation they accepted last when left out. Ignored for everybody else.')
    .example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
};

export const codeRequestSchema = Joi.object<CodeRequest>({
  ...named,
  personal_email: emailAddress()
    .description('Where a student without a mapped personal email wants the code; mapped when they sign in with it. Ignored for everybody else.')
    .example('ada@example.org'),
});

export const codeAcceptedSchema = Joi.object({
  accepted: Joi.boolean().valid(true).required().description('Says nothing of whether the account exists.').example(true),
  valid_minutes: Joi.number().integer().required().description('How long a code is valid.').example(10),
});

export const credentialsSchema = Joi.object<Credentials>({
  ...named,
  code: text(20).required().description('The six digits of the newest code.').example('042917'),
});

export const openedSessionSchema = Joi.object({
  session: Joi.string().required().description('Sent as `Authorization: Bearer`; shown in this answer alone.').example('ses_5W3kq0…'),
  expires_at: timestamp().required().description('12 hours after signing in.').example('2026-11-20T21:30:00.000Z'),
  user: Joi.object({
    id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    kind: Joi.string().valid('student', 'faculty', 'guardian', 'developer').required().example('student'),
    login_email: Joi.string().required().description('Of a guardian their own address.').example('student1.9f86d081@north.example'),
    status: Joi.string().required().example('active'),
  }).required(),
}).meta({ title: 'Session' });

export const endedSessionSchema = deletedSchema('sess_01jd4k6f2mep2s5xg5yhc8m1zr');
