import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { accounts, moveKinds } from '../../../db/repositories/merits/moves';
import { maxMoveCents } from '../../../domain/merits/limits';
import { paging, reference, text, timestamp, wholeNumber } from '../../http/request/fields';
import { sinceDateTime } from '../../http/request/filters';

const cents = () => Joi.number().integer().required();

const userId = Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr');
const email = Joi.string().required().description('The login email.').example('student1.9f86d081@north.example');

/** The fields of a credit's and a spend's body, with the caller's ref. */
export const moveRequestFields = {
  amount_cents: wholeNumber(1, maxMoveCents).required().description('Cents; 100 cents are 1 merit.').example(500),
  reason: text(500, 'multi-line').allow(null).description('Kept with the move.').example('Prize of the term'),
  ref: text(200)
    .required()
    .description("The caller's own, unique in the institution: what is sent again under it moves nothing again.")
    .example('prize-2026-11-20-ada'),
};

/** The fields of the response to a move of a wallet; every repeat returns the first result. */
const appliedMoveFields = {
  id: Joi.string().required().description('The move, as the ledger has it.').example('mov_01jd4k6f2mep2s5xg5yhc8m1zr'),
  email,
  user_id: userId,
  amount_cents: cents().example(500),
  balance_cents: cents().description('What the wallet held after the move.').example(1_500),
  reason: Joi.string().allow(null).required().example('Prize of the term'),
  ref: Joi.string().required().example('prize-2026-11-20-ada'),
  applied: Joi.boolean().required().description('False where the ref had moved it before: the response is that of the first request.').example(true),
  created_at: timestamp().required().example('2026-11-21T08:15:00.000Z'),
};

export const appliedMoveSchema = Joi.object(appliedMoveFields).meta({ title: 'Spend' });
export type AppliedMoveResponse = SchemaType<typeof appliedMoveSchema>;

export const creditRequestSchema = Joi.object({
  email: reference().required().description('The login email of a student or faculty member; the internal id is taken, too.').example('student1.9f86d081@north.example'),
  ...moveRequestFields,
}).required();

export const creditSchema = Joi.object({
  ...appliedMoveFields,
  allowance_cents: cents().description('What was left of the allowance after the move.').example(498_500),
}).meta({ title: 'Credit' });
export type CreditResponse = SchemaType<typeof creditSchema>;

export const allowanceSchema = Joi.object({
  allowance_cents: cents().description('What is left to credit.').example(498_500),
  granted_cents: cents().description('What the platform has granted in all, less what it took back: always `allowance_cents` + `credited_cents`.').example(500_000),
  credited_cents: cents().description('What has been credited to wallets in all; coupons are not paid from the allowance.').example(1_500),
}).meta({ title: 'Allowance' });
export type AllowanceResponse = SchemaType<typeof allowanceSchema>;

const account = () => Joi.string().valid(...accounts).required();

const moveFields = {
  id: Joi.string().required().example('mov_01jd4k6f2mep2s5xg5yhc8m1zr'),
  kind: Joi.string()
    .valid(...moveKinds)
    .required()
    .description('`grant` and `reclaim` move the allowance, `credit` moves from it to a wallet, `coupon` into a wallet, `spend` out of one.')
    .example('credit'),
  from: account().description('The account that gave.').example('allowance'),
  to: account().description('The account that got.').example('wallet'),
  amount_cents: cents().description('What moved, always above 0.').example(500),
};

const moveDetails = {
  reason: Joi.string().allow(null).required().example('Prize of the term'),
  ref: Joi.string().allow(null).required().description('Of a credit or a spend.').example('prize-2026-11-20-ada'),
  batch_id: Joi.string().allow(null).required().description('Of a coupon: its batch.').example(null),
  created_at: timestamp().required().description("Unique in the institution, and rising with each move: the newest one's is the next `since`.").example('2026-11-21T08:15:00.000Z'),
};

export const walletSchema = Joi.object({
  user_id: userId,
  email,
  balance_cents: cents().description('What the wallet holds; 0 before its first move.').example(1_500),
  moves: Joi.array()
    .items(Joi.object({ ...moveFields, balance_cents: cents().description('What the wallet held after the move.').example(1_500), ...moveDetails }))
    .required()
    .description('The newest 50, newest first.'),
}).meta({ title: 'Wallet' });
export type WalletResponse = SchemaType<typeof walletSchema>;

export const ledgerMoveSchema = Joi.object({
  ...moveFields,
  user_id: userId.allow(null).description("The wallet's owner; null where no wallet took part."),
  email: email.allow(null),
  balance_cents: cents().allow(null).description('What the wallet held after the move; null where none took part.').example(1_500),
  allowance_cents: cents().allow(null).description('What was left of the allowance after the move; null where it took no part.').example(498_500),
  ...moveDetails,
}).meta({ title: 'LedgerMove' });
export type LedgerMoveResponse = SchemaType<typeof ledgerMoveSchema>;

export const ledgerQuery = Joi.object({
  since: sinceDateTime('Exclusive, of `created_at`.').example('2026-11-20T09:30:00.000Z'),
  ...paging,
});

export const walletParams = Joi.object({
  email: reference()
    .required()
    .description('Login email of a student or faculty member, case-insensitive, percent-encoded or not; or the internal id.')
    .example('student1.9f86d081@north.example'),
});
