import { listActivations } from '../../../db/repositories/devices/activations';
import { findLicense } from '../../../db/repositories/licenses/licenses';
import { listSeats } from '../../../db/repositories/devices/seats';
import { revokeSeat } from '../../../domain/devices/revokeSeat';
import { requireFound } from '../../../domain/errors';
import { operation } from '../../http/operation';
import { idParams, pagingQuery, presentPage } from '../../http/request/fields';
import { presentActivation, presentSeat } from './devices.presenter';
import { devicesSchema, revokedSeatSchema, seatParams } from './devices.schemas';

const tag = 'Licenses';

export const devices = [
  operation({
    method: 'GET',
    path: '/licenses/:id/devices',
    operationId: 'listDevices',
    tag,
    access: { key: 'licenses:read' },
    summary: 'List the devices of a license: its active seats in the apps, and every device that it has seen.',
    description:
      'Each app gives a person two seats; a third device that signs in has the one signed out that signed in longest ago. A seat is kept while its ' +
      'app is not used, also beyond the 12 hours of a session. `page` and `limit` are those of `activations`.',
    request: { params: idParams('A license.', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr'), query: pagingQuery },
    response: devicesSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['user_id'] },
    handle: async ({ params: { id }, query, reads }) => {
      const { user_id } = requireFound(await findLicense(reads, id), 'license');
      const { items: activations, ...page } = presentPage(await listActivations(reads, id, query), query, presentActivation);
      return { user_id, seats: (await listSeats(reads, id)).map(presentSeat), activations, ...page };
    },
  }),
  operation({
    method: 'POST',
    path: '/licenses/:id/devices/:seatId/revoke',
    operationId: 'revokeSeat',
    tag,
    access: { key: 'licenses:write' },
    summary: "Revoke a device's seat: its session ends at once, its app signs out at the next heartbeat.",
    description:
      'The device may sign in again, to a new seat; to keep somebody out, suspend them or revoke the license. What the device did not hand in yet ' +
      'stays on it. A seat that is not active any more: not_found.',
    request: { params: seatParams },
    response: revokedSeatSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params: { id, seatId }, tx }) => ({ ...presentSeat(await revokeSeat(tx, id, seatId)), revoked_at: tx.now.toISOString() }),
  }),
];
