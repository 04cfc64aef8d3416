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
    access: { app: ['student', 'faculty', 'signed_out'], duringOffboarding: true },
    institution: 'caller',
    summary: 'Report that an app is in use; returns whether it is signed out, and the status of its license.',
    description:
      'Apps send a heartbeat at least every five minutes. `signed_out` is true for 24 hours after the session has ended, its person was suspended, or ' +
      'its seat was taken by a newer device or revoked by the institution; afterwards the call is unauthorized. A revoked license ends the session of ' +
      'the call; an expired or suspended license is reported in `license.status`. If the license has expired since it was last read, the expiry is ' +
      'recorded and license.expired emitted. The last heartbeat and the version of the app are stored with the seat of the device.',
    request: { body: Joi.object({ app_version: appVersion() }) },
    response: Joi.object({
      signed_out: Joi.boolean().required().description('Whether the app must return to its sign-in.').example(false),
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
