import { advanceClock, maxAdvanceSeconds } from '../../../domain/sandbox/advanceClock';
import { operation } from '../../http/operation';
import { presentClock } from './clock.presenter';
import { clockAdvanceSchema, clockSchema } from './clock.schemas';

const tag = 'Sandbox';

export const sandboxClock = [
  operation({
    method: 'GET',
    path: '/sandbox/clock',
    operationId: 'readSandboxClock',
    tag,
    access: { key: 'institution:read', environment: 'test' },
    summary: "Show the sandbox's own clock.",
    response: clockSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: ({ caller }) => Promise.resolve(presentClock({ now: caller.now, offsetMs: caller.clockOffsetMs ?? 0 })),
  }),
  operation({
    method: 'POST',
    path: '/sandbox/clock',
    operationId: 'advanceSandboxClock',
    tag,
    access: { key: 'institution:write', environment: 'test' },
    summary: "Move the sandbox's own clock forward; what falls due happens within seconds.",
    description:
      `At most ${maxAdvanceSeconds} seconds (90 days) a call, and 3,650 days ahead of the real time in all; the clock never moves back. ` +
      'Licenses expire, invitations and coupon batches lapse, attempts and due dates pass, weekly reports are written and webhook deliveries are ' +
      'retried. Two calls at the same time add up. Signatures, download URLs and keys stay on the real time.',
    request: { body: clockAdvanceSchema.required() },
    response: clockSchema,
    errors: [],
    transaction: 'write',
    handle: async ({ body, tx }) => presentClock(await advanceClock(tx, body.advance_seconds)),
  }),
];
