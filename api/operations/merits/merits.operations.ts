import { listMoves, listWalletMoves, readAllowance } from '../../../db/repositories/merits/ledger';
import { creditWallet } from '../../../domain/merits/creditWallet';
import { findWalletOwner } from '../../../domain/merits/walletMoves';
import { operation } from '../../http/operation';
import { listOf, presentPage } from '../../http/request/fields';
import { presentAllowance, presentCredit, presentLedgerMove, presentWallet } from './merits.presenter';
import { allowanceSchema, creditRequestSchema, creditSchema, ledgerMoveSchema, ledgerQuery, walletParams, walletSchema } from './merits.schemas';

const tag = 'Merits';

export const merits = [
  operation({
    method: 'GET',
    path: '/merits/allowance',
    operationId: 'getAllowance',
    tag,
    access: { key: 'merits:read' },
    summary: 'Get what the institution has left to credit.',
    response: allowanceSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ reads }) => presentAllowance(await readAllowance(reads)),
  }),
  operation({
    method: 'GET',
    path: '/merits/wallets/:email',
    operationId: 'getWallet',
    tag,
    access: { key: 'merits:read' },
    summary: "Get a person's wallet: balance and last 50 moves.",
    description: 'Every student and faculty member has one, empty before its first move, and keeps it when suspended.',
    request: { params: walletParams },
    response: walletSchema,
    errors: ['user_not_found'],
    transaction: 'none',
    discloses: { fields: ['user_id'] },
    handle: async ({ params, reads }) => {
      const owner = await findWalletOwner(reads, params.email);
      return presentWallet(owner, await listWalletMoves(reads, owner.id));
    },
  }),
  operation({
    method: 'POST',
    path: '/merits/credits',
    operationId: 'creditMerits',
    tag,
    access: { key: 'merits:write' },
    summary: "Credit a person's wallet from the allowance; idempotent per ref.",
    description:
      'A repeat with the same body always returns the first result, with `applied: false`; the same ref with another person, ' +
      'amount or reason: conflict. An error response changes nothing, so the same ref may be sent again. Emits merits.credited.',
    request: { body: creditRequestSchema },
    response: creditSchema,
    errors: ['user_not_found', 'user_inactive', 'conflict', 'insufficient_allowance'],
    transaction: 'write',
    audit: { created: 'id', person: 'user_id' },
    handle: async ({ body, tx }) => presentCredit(await creditWallet(tx, body)),
  }),
  operation({
    method: 'GET',
    path: '/merits/ledger',
    operationId: 'listLedger',
    tag,
    access: { key: 'merits:read' },
    summary: 'List every move of money in the institution, newest first.',
    description:
      'Each move has a unique `created_at`, later than that of every move before it: a caller that sends the newest `created_at` it has as `since` misses no move.',
    request: { query: ledgerQuery },
    response: listOf(ledgerMoveSchema),
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads }) => presentPage(await listMoves(reads, query, query), query, presentLedgerMove),
  }),
];
