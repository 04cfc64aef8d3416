import Joi from 'joi';
import { emailAddress, timestamp } from '../../http/request/fields';
import { seatSchema } from '../licenses/devices.schemas';
import { appOnDeviceFields, signedInUserSchema } from '../signIn/signIn.schemas';

/** A sign-in without a code. */
export const sandboxSignInSchema = Joi.object({
  personal_email: emailAddress()
    .description('The address that the student names for the code; required for a student without a mapped personal email, and ignored for others.')
    .example('ada@example.org'),
  ...appOnDeviceFields,
}).and('app', 'device');

export const signedInStudentSchema = Joi.object({
  user: signedInUserSchema,
  expires_at: timestamp().required().description('When the session ends; the seat stays.').example('2026-11-20T21:30:00.000Z'),
  seat: seatSchema.allow(null).required(),
}).meta({ title: 'SandboxSignIn' });
