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
    summary: "Spend cents of the student's wallet on models, once a ref.",
    description:
      'A repeat with the same body answers the first result with `applied: false`, whatever has happened since. Conflict where the ref stands for ' +
      'another spend of this wallet, and where the wallet holds less: then nothing moved, and the ref is still free.',
    request: { body: Joi.object(moveRequestFields).required() },
    response: appliedMoveSchema,
    errors: ['conflict', 'user_inactive'],
    transaction: 'write',
    handle: async ({ body, principal, tx }) => presentAppliedMove(await spendMerits(tx, principal.actorId, body)),
  }),
];
