import Joi from 'joi';
import { checkIn } from '../../../domain/licenses/checkIn';
import { endSession } from '../../../domain/signIn/sessions';
import { platformEndpoint } from '../../http/endpoint';
import { text } from '../../http/fields';
import { personLicenseSchema, presentPersonLicense } from '../../resources/licenses/personLicense';

export const heartbeats = [
  platformEndpoint<Record<string, never>, Record<string, never>, { app_version?: string }>({
    method: 'POST',
    path: '/app/heartbeat',
    operationId: 'beat',
    tag: 'Apps',
    roles: ['student', 'faculty', 'signed_out'],
    institution: 'caller',
    summary: 'Tell that an app is in use; hear whether it is signed out, and how its license stands.',
    description:
      'Apps beat at least every five minutes. A session that has ended, or whose person is suspended, hears so for 24 hours, and is unauthorized ' +
      'afterwards; a revoked license ends the session that asks. An expiry that nobody has seen yet is settled, and announced as license.expired.',
    request: { body: Joi.object({ app_version: text(50).description("The app's own.").example('2.4.1') }) },
    response: Joi.object({
      signed_out: Joi.boolean().required().description('Whether the app is to go back to its sign-in.').example(false),
      license: personLicenseSchema.required(),
    }).meta({ title: 'Heartbeat' }),
    errors: [],
    transaction: 'write',
    handle: async ({ who, tx }) => {
      const license = await checkIn(tx, who.actorId);
      const revoked = license.license_status === 'revoked';
      if (revoked && who.sessionId !== null) await endSession(tx, who.sessionId);
      return { signed_out: revoked || who.role === 'signed_out', license: presentPersonLicense(license, tx.now) };
    },
  }),
];
