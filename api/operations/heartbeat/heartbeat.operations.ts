import Joi from 'joi';
import { recordHeartbeat } from '../../../domain/devices/recordHeartbeat';
import { operation } from '../../http/operation';
import { appVersion } from '../licenses/devices.schemas';
import { personLicenseSchema, presentPersonLicense } from '../licenses/personLicense';

export const heartbeats = [
  operation({
    method: 'POST',
    path: '/app/heartbeat',
    operationId: 'beat',
    tag: 'Apps',
    access: { app: ['student', 'faculty', 'signed_out'] },
    institution: 'caller',
    summary: 'Tell that an app is in use; hear whether it is signed out, and how its license stands.',
    description:
      'Apps beat at least every five minutes. A session that has ended, or whose person is suspended, hears so for 24 hours, and is unauthorized ' +
      'afterwards; so does one whose seat a newer device has or the institution revoked. A revoked license ends the session that asks; an expired or ' +
      'suspended one is told in `license.status`. An expiry that nobody has seen yet is settled, and announced as license.expired. What is told of ' +
      'the device (last seen, version of the app) is kept with its seat.',
    request: { body: Joi.object({ app_version: appVersion() }) },
    response: Joi.object({
      signed_out: Joi.boolean().required().description('Whether the app is to go back to its sign-in.').example(false),
      license: personLicenseSchema.required(),
    }).meta({ title: 'Heartbeat' }),
    errors: [],
    transaction: 'write',
    handle: async ({ principal, body, tx }) => {
      const sessionId = principal.role === 'signed_out' ? null : principal.sessionId;
      const { signedOut, license } = await recordHeartbeat(tx, { userId: principal.actorId, sessionId, appVersion: body.app_version });
      return { signed_out: signedOut, license: presentPersonLicense(license, tx.now) };
    },
  }),
];
