import Joi from 'joi';
import { spendMerits } from '../../../domain/merits/spendMerits';
import { operation } from '../../http/operation';
import { presentAppliedMove } from './merits.presenter';
import { appliedMoveSchema, moveRequestFields } from './merits.schemas';

export const wallet = [
  operation({
    method: 'POST',
    path: '/app/wallet/spend',
    operationId: 'spendMerits',
    tag: 'Apps',
    access: { app: ['student'] },
    institution: 'caller',
    summary: "Spend cents of the student's wallet on models; idempotent per ref.",
    description:
      'A repeat with the same body always returns the first result, with `applied: false`. Conflict if the ref was used for ' +
      'another spend of this wallet, and if the balance is too low: the wallet is then unchanged, and the ref can be used again.',
    request: { body: Joi.object(moveRequestFields).required() },
    response: appliedMoveSchema,
    errors: ['conflict', 'user_inactive'],
    transaction: 'write',
    handle: async ({ body, principal, tx }) => presentAppliedMove(await spendMerits(tx, principal.actorId, body)),
  }),
];
