import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { sessionKinds } from '../../../db/entities/session';
import { addressKinds } from '../../../db/repositories/signIn/ownAddresses';
import { appNames } from '../../../db/repositories/devices/seats';
import { deletedSchema, emailAddress, reference, text, timestamp } from '../../http/request/fields';
import { appVersion } from '../licenses/devices.schemas';

const identityFields = {
  login_email: emailAddress().required().description('The generated login email; of a guardian or developer their own address.').example('student1.9f86d081@north.example'),
  institution_id: reference()
    .description('Of a guardian or developer in several institutions: which is meant, the one whose invitation they accepted last when left out; for the session as in the call that asked for the code. Ignored for everybody else.')
    .example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  kind: Joi.string()
    .valid(...addressKinds)
    .description('Of who is both by one address: as which; a portal names its own. Left out, as what they accepted an invitation to last. Ignored for everybody else.')
    .example('developer'),
};

export const codeRequestSchema = Joi.object({
  ...identityFields,
  personal_email: emailAddress()
    .description('The address for the code of a student without a mapped personal email; mapped when they sign in with it. Ignored for everybody else.')
    .example('ada@example.org'),
  enrolment_code: text(20)
    .description('With `personal_email`, where the institution requires one (`require_enrolment_code`): without the student\'s valid code no email is sent, with the same answer. Any case; blanks and hyphens are ignored. Ignored for everybody else.')
    .example('7KHPW-4RXCM'),
});

export const codeAcceptedSchema = Joi.object({
  accepted: Joi.boolean().valid(true).required().description('Says nothing of whether the account exists.').example(true),
  valid_minutes: Joi.number().integer().required().description('How long a code is valid.').example(10),
});

/** The app and its device, both or neither, for a seat. */
export const appOnDeviceFields = {
  app: Joi.string().valid(...appNames).description('The app that signs in, together with `device`; left out where no seat is to be taken. For students and faculty.').example('svcapp'),
  device: Joi.object({
    id: text(200).required().description('A stable identifier of the device, chosen by the app; two apps on one device must send the same identifier.').example('0c5b1f6e-4e0c-4c3f-9a53-2f6f6f0f7a10'),
    name: text(200).required().description('Shown to the institution.').example("Ada's laptop"),
    platform: text(50).required().description('Operating system of the device.').example('macos'),
    app_version: appVersion().required(),
  }).description('The device that the app runs on, together with `app`.'),
};

/** The identity with the code of the email; with the app and its device for a seat. */
export const credentialsSchema = Joi.object({
  ...identityFields,
  code: text(20).required().description('The six digits of the newest code.').example('042917'),
  ...appOnDeviceFields,
}).and('app', 'device');
export type Credentials = SchemaType<typeof credentialsSchema>;

/** The person of a session. */
export const signedInUserSchema = Joi.object({
  id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  kind: Joi.string().valid(...sessionKinds).required().example('student'),
  login_email: Joi.string().required().description('Of a guardian or developer their own address.').example('student1.9f86d081@north.example'),
  full_name: Joi.string().required().allow(null).description('For the app to show; null if no name is known.').example('Ada Lovelace'),
  status: Joi.string().required().example('active'),
}).required();

export type SignedInUserResponse = SchemaType<typeof signedInUserSchema>;

export const openedSessionSchema = Joi.object({
  session: Joi.string().required().description('Sent as `Authorization: Bearer`; shown in this answer alone.').example('ses_5W3kq0…'),
  expires_at: timestamp().required().description('12 hours after signing in.').example('2026-11-20T21:30:00.000Z'),
  user: signedInUserSchema,
}).meta({ title: 'Session' });

export const endedSessionSchema = deletedSchema('sess_01jd4k6f2mep2s5xg5yhc8m1zr');
